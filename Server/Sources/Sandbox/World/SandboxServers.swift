public import BenjiClient
public import BenjiProtocol

/// What stands around the sandbox's phones.
public struct SandboxServers: Sendable {
    /// Where phones reach the gateway, and browsers the login pages.
    public var pages: ServerURL
    /// The example shop.
    public var shop: ServerURL
    /// The shop's app, as its developer knows it.
    public var app: AppCredentials

    public struct AppCredentials: Sendable {
        public var id: AppID
        public var key: String
        public var bundleID: String

        public init(id: AppID, key: String, bundleID: String) {
            self.id = id
            self.key = key
            self.bundleID = bundleID
        }
    }

    public init(pages: ServerURL, shop: ServerURL, app: AppCredentials) {
        self.pages = pages
        self.shop = shop
        self.app = app
    }
}
