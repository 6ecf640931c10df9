import AsyncHTTPClient
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
public import ServiceLifecycle

/// A small tea shop on the web. Its customers have no passwords: they log in by the number of the phone in their hand.
///
/// Start reading at `OpenIDClient`, the login of web pages, and at `OperatorClient`, the login of the shop's app.
/// Everything is kept in memory: goods, baskets and customers are gone with the process.
public struct Shop: Service {
    /// The shop's logo and color for a login page: a PNG of 144 pixels, and `#rrggbb`.
    public static var logo: [UInt8] { PackageResources.logo_png }
    public static let color = "#2f6b3c"

    private let configuration: ShopConfiguration
    private let logger: Logger
    private let onListening: @Sendable (Int?) async -> Void

    /// - Parameter onListening: told the port, once the shop listens.
    public init(
        _ configuration: ShopConfiguration, logger: Logger = Logger(label: "shop"),
        onListening: @escaping @Sendable (Int?) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.onListening = onListening
    }

    public func run() async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let roots = configuration.trustRoots { tls.trustRoots = .file(roots) }
        var settings = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        settings.localAddress = configuration.sourceAddress
        settings.timeout.connect = .seconds(5)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        do {
            try await serve(BenjiServerClient(client: client))
        } catch {
            try? await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    private func serve(_ line: BenjiServerClient) async throws {
        let application = Application(
            router: try Self.router(configuration, line: line, logger: logger), server: try server(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil),
            onServerRunning: { [onListening] channel in await onListening(channel.localAddress?.port) }, logger: logger)
        try await application.run()
    }

    /// Everything that the shop answers.
    static func router(
        _ configuration: ShopConfiguration, line: BenjiServerClient, logger: Logger
    ) throws -> Router<BasicRequestContext> {
        let services = ShopServices(
            openID: configuration.openID.map {
                OpenIDClient($0, redirectURI: configuration.redirectURI, line: line)
            },
            operatorClient: configuration.operatorDialect.map { OperatorClient($0, line: line) }, accounts: Accounts(),
            sessions: Sessions(), cookies: Cookies(isSecure: configuration.isSecure))
        let pages = try PageWriter()
        let router = Router()
        router.add(middleware: ShopHeaders(isSecure: configuration.isSecure))
        router.add(middleware: NoticesInWords(services: services, pages: pages))
        router.add(middleware: SameSiteForms(origin: configuration.origin))
        AssetRoutes.add(to: router)
        ShopRoutes(services: services, pages: pages).add(to: router)
        if !configuration.callbackSecrets.isEmpty {
            let verifier = WebhookVerifier(secrets: configuration.callbackSecrets)
            CallbackRoutes(verifier: verifier, logger: logger).add(to: router)
        }
        LoginRoutes(services: services, pages: pages, logger: logger).add(to: router)
        return router
    }

    private func server() throws -> HTTPServerBuilder {
        guard let certificate = configuration.certificate else { return .http1() }
        return try .tls(
            tlsConfiguration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.chain).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key, format: .pem))))
    }
}
