import BenjiClient
import BenjiPage
import BenjiProtocol
import Logging
import ServiceLifecycle
import Shop

/// The example shop as the demo runs it, in this process and on a port of its own. It talks to Benji over HTTP only.
///
/// This is the one place that knows which program the shop is.
struct DemoShop: Sendable {
    /// The shop's logo on the login page.
    static var logo: [UInt8] { Shop.logo }
    static let color = PageColor(text: Shop.color)

    private var configuration: ShopConfiguration

    /// Where the answer of a login goes.
    var redirectURI: String { configuration.redirectURI }

    init(_ url: ServerURL) {
        configuration = ShopConfiguration(origin: url.origin)
        configuration.port = Int(url.port)
    }

    /// - Parameters:
    ///   - issuer: of OpenID Connect; `authority` is where the shop's server calls in the operators' dialect.
    ///   - secret: of the OpenID client; `serverSecret` is the app's.
    func service(
        issuer: String, authority: ServerURL, app: AppID, secret: String, serverSecret: String, logger: Logger
    ) -> any Service {
        var configuration = configuration
        configuration.openID = ShopConfiguration.OpenID(
            issuer: issuer, clientID: app.rawValue, clientSecret: secret)
        configuration.operatorDialect = ShopConfiguration.OperatorDialect(
            server: authority.origin, appID: app.rawValue, serverSecret: serverSecret)
        return Shop(configuration, logger: logger)
    }
}
