public import BenjiClient
import BenjiProtocol

extension PhoneLogin {
    /// The settings of an app and its server.
    public struct Configuration: Sendable {
        package let engine: LoginEngine.Configuration
        /// Whether requests go to a phone of the sandbox, by any network.
        let isSandbox: Bool

        /// Takes the values from the app's registration.
        ///
        /// - Parameters:
        ///   - appID: 12 to 64 letters and digits.
        ///   - appKey: ships inside the app and can be copied out of it, so it earns the assurance `net` and nothing
        ///     more. `nil` if the app is registered for phones without the key.
        ///   - bundleID: as registered; on Apple's platforms the app's own.
        ///   - server: the gateway's address, `https://`. Plain `http://` is taken for loopback addresses only, where
        ///     the sandbox runs.
        ///   - timeout: for one call as a whole, save the time that the page is open. Not more than a minute.
        /// - Throws: ``BenjiProtocol/Situation/invalidArgument``, naming the argument.
        public init(
            appID: String, appKey: String?, bundleID: String, server: String, timeout: Duration = .seconds(8)
        ) throws(BenjiError) {
            guard let id = AppID(rawValue: appID) else {
                throw BenjiError(.invalidArgument, "appID: \(AppID.rule)")
            }
            guard appKey?.isEmpty != true else { throw BenjiError(.invalidArgument, "appKey: empty; nil means none") }
            guard (1...255).contains(bundleID.utf8.count) else {
                throw BenjiError(.invalidArgument, "bundleID: must be 1 to 255 bytes long")
            }
            guard timeout > .zero, timeout <= .seconds(60) else {
                throw BenjiError(.invalidArgument, "timeout: must be more than nothing and at most a minute")
            }
            let url: ServerURL
            do { url = try ServerURL(server) } catch { throw BenjiError(.invalidArgument, "server: \(error)") }
            guard url.scheme == .https || Self.isLoopback(url) else {
                throw BenjiError(.invalidArgument, "server: must start with https:// unless it is a loopback address")
            }
            guard url.query == nil else { throw BenjiError(.invalidArgument, "server: must have no query") }
            engine = LoginEngine.Configuration(
                appID: id, appKey: appKey, bundleID: bundleID, server: url, timeout: timeout)
            isSandbox = false
        }

        init(engine: LoginEngine.Configuration, isSandbox: Bool) {
            self.engine = engine
            self.isSandbox = isSandbox
        }

        private static func isLoopback(_ url: ServerURL) -> Bool {
            guard let address = url.address else { return url.host == "localhost" }
            return IPPrefix("127.0.0.0/8")?.contains(address) == true || InternetAddress("::1") == address
        }
    }
}
