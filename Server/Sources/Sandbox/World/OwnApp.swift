package import BenjiClient
import BenjiProtocol

/// The app of the developer who tries the sandbox: the values that it needs, and where it runs on this machine.
package struct OwnApp: Sendable {
    package var credentials: SandboxServers.AppCredentials
    /// The secret of its OpenID client.
    package var clientSecret: String
    /// The secret that its server signs with when it redeems tokens.
    package var serverSecret: String
    /// Where its server calls, on this machine.
    package var server: ServerURL
    /// Where answers of the login page may go.
    package private(set) var redirectURIs: [String]
    /// Further hosts that a phone's browser may reach: `localhost:3000`.
    package private(set) var hosts: [String]

    /// More of either are of no use to one developer.
    package static let maximumCount = 8

    package init(
        credentials: SandboxServers.AppCredentials, clientSecret: String, serverSecret: String, server: ServerURL,
        redirectURIs: [String], hosts: [String] = []
    ) {
        self.credentials = credentials
        self.clientSecret = clientSecret
        self.serverSecret = serverSecret
        self.server = server
        self.redirectURIs = redirectURIs
        self.hosts = hosts
    }

    /// Changes to the app. A member that is `nil` keeps its value.
    package struct Change: Sendable {
        package var redirectURIs: [String]?
        package var hosts: [String]?

        package init(redirectURIs: [String]? = nil, hosts: [String]? = nil) {
            self.redirectURIs = redirectURIs
            self.hosts = hosts
        }
    }

    /// - Throws: `Problem` with the place of the error. The registry checks redirect URIs as well.
    func changed(_ change: Change) throws(SandboxWorld.Problem) -> OwnApp {
        var result = self
        if let redirectURIs = change.redirectURIs {
            result.redirectURIs = redirectURIs.uniqued
            guard (1...Self.maximumCount).contains(result.redirectURIs.count) else {
                throw SandboxWorld.Problem(
                    kind: .invalid, description: "$.redirectURIs: give 1 to \(Self.maximumCount)")
            }
        }
        if let hosts = change.hosts {
            result.hosts = hosts.uniqued
            guard result.hosts.count <= Self.maximumCount else {
                throw SandboxWorld.Problem(kind: .invalid, description: "$.hosts: give at most \(Self.maximumCount)")
            }
            for host in result.hosts where Self.origin(of: host) == nil {
                throw SandboxWorld.Problem(
                    kind: .invalid,
                    description:
                        "$.hosts: \(host.prefix(80)): give a name of this machine and a port, such as localhost:3000"
                )
            }
        }
        return result
    }

    /// The servers of this machine that phones' modems lead to for the app: those of its redirect URIs, and its hosts.
    package var origins: [ServerURL] {
        let ofRedirects = redirectURIs.compactMap { (text: String) -> ServerURL? in
            guard let url = try? ServerURL(text), Self.isOfThisMachine(url) else { return nil }
            return try? ServerURL(url.origin)
        }
        return (ofRedirects + hosts.compactMap(Self.origin)).uniqued
    }

    private static func origin(of host: String) -> ServerURL? {
        guard let url = try? ServerURL("http://\(host)"), host == "\(url.host):\(url.port)", isOfThisMachine(url) else {
            return nil
        }
        return url
    }

    /// Phones of the sandbox have addresses of the loopback, from which nothing else can be reached.
    private static func isOfThisMachine(_ url: ServerURL) -> Bool {
        url.scheme == .http && (url.host == "localhost" || url.address.map { "\($0)".hasPrefix("127.") } == true)
    }
}

extension Array where Element: Hashable {
    /// Each once, in their order.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
