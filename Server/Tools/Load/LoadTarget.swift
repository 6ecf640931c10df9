package import BenjiClient
package import BenjiProtocol
package import RADIUS

/// The server under load, and how it knows us.
package struct LoadTarget: Sendable {
    /// Where phones call; by address and in plain HTTP.
    package var device: ServerURL
    /// Where app servers call; by address and in plain HTTP.
    package var server: ServerURL
    /// Where the gateway receives accounting.
    package var accounting: (address: InternetAddress, port: UInt16)
    package var secret: SharedSecret
    /// The address that accounting comes from.
    package var networkSource: InternetAddress?
    package var appID: AppID
    /// The key that phones present.
    package var appKey: String
    /// The secret that app servers sign with.
    package var serverSecret: String
    package var bundleID: String
    /// The address that app servers call from.
    package var appServer: InternetAddress

    package init(
        device: ServerURL, server: ServerURL, accounting: (address: InternetAddress, port: UInt16),
        secret: SharedSecret,
        networkSource: InternetAddress?, appID: AppID, appKey: String, serverSecret: String, bundleID: String,
        appServer: InternetAddress
    ) {
        self.device = device
        self.server = server
        self.accounting = accounting
        self.secret = secret
        self.networkSource = networkSource
        self.appID = appID
        self.appKey = appKey
        self.serverSecret = serverSecret
        self.bundleID = bundleID
        self.appServer = appServer
    }

    /// The reason why it cannot be called, in words; `nil` if it can.
    package var problem: String? {
        for url in [device, server] {
            if url.scheme != .http {
                return "\(url.origin): only plain HTTP is played; put load on the port behind TLS"
            }
            if url.address == nil { return "\(url.origin): name the server by its address" }
        }
        return nil
    }
}
