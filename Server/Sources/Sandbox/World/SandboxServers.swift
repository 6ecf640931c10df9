package import BenjiClient
package import BenjiProtocol

/// What stands around the sandbox's phones.
package struct SandboxServers: Sendable {
    /// Where phones reach the gateway, and browsers the login pages.
    package var pages: ServerURL
    /// The example shop.
    package var shop: ServerURL
    /// The shop's logo, a PNG.
    package var shopLogo: [UInt8]
    /// The shop's app, as its developer knows it.
    package var app: AppCredentials

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

    package init(pages: ServerURL, shop: ServerURL, shopLogo: [UInt8] = [], app: AppCredentials) {
        self.pages = pages
        self.shop = shop
        self.shopLogo = shopLogo
        self.app = app
    }
}
