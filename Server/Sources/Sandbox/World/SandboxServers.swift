package import BenjiClient
package import BenjiProtocol

/// The servers around the sandbox's phones.
package struct SandboxServers: Sendable {
    /// Where phones reach the gateway, and browsers the login pages.
    package var pages: ServerURL
    /// How the OpenID provider names itself and the place of its login pages.
    package var provider: Provider
    /// The example shop.
    package var shop: ServerURL
    /// The shop's logo, a PNG.
    package var shopLogo: [UInt8]
    /// The shop's app, as its developer knows it.
    package var app: AppCredentials

    /// Whether only the sandbox's page can be reached from outside, as in a container. The developer's servers are then
    /// outside, and a browser there is phone 1.
    package var isEnclosed: Bool { provider.pages != pages.origin }

    /// On the port of the sandbox's page: where an app's server calls.
    package static let pathForServers = "/server"

    /// Likewise: where an app on a phone calls.
    package static func pathForApps(on phone: String) -> String { "/phones/\(phone)/gateway" }

    /// Whether a caller who has the page at `origin` is given addresses on its port. A caller who uses 127.0.0.1 is on
    /// this machine, and reaches its other ports.
    package func areOnOnePort(_ origin: String) -> Bool {
        isEnclosed || (try? ServerURL(origin)).map { $0.host != "127.0.0.1" } ?? false
    }

    /// Origins, or for the issuer an origin with a path.
    package struct Provider: Sendable {
        package var issuer: String
        package var pages: String

        package init(issuer: String, pages: String) {
            self.issuer = issuer
            self.pages = pages
        }
    }

    package struct AppCredentials: Sendable {
        package var id: AppID
        package var key: String
        package var bundleID: String

        package init(id: AppID, key: String, bundleID: String) {
            self.id = id
            self.key = key
            self.bundleID = bundleID
        }
    }

    package init(
        pages: ServerURL, provider: Provider, shop: ServerURL, shopLogo: [UInt8] = [], app: AppCredentials
    ) {
        self.pages = pages
        self.provider = provider
        self.shop = shop
        self.shopLogo = shopLogo
        self.app = app
    }
}
