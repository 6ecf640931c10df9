package import BenjiClient
import BenjiProtocol

/// A request as a modem reads it.
package struct ModemRequest: Sendable {
    /// The largest body that is carried, in bytes.
    package static let maximumBody = 256 * 1024

    package var method: String
    /// As it stands in the request line: `/path`, `http://host/path`, or `host:port` of a CONNECT.
    package var target: String
    package var headers: HeaderFields
    package var body: [UInt8]

    package init(method: String, target: String, headers: HeaderFields = [:], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// A modem's answer. A dropped request has none: the connection ends.
package enum ModemOutcome: Sendable {
    case answer(status: Int, headers: HeaderFields, body: [UInt8])
    case drop

    /// A plain refusal by the modem itself.
    static func refuse(_ status: Int, _ text: String) -> ModemOutcome {
        .answer(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
            body: Array("\(text)\n".utf8))
    }
}

/// Where a modem lets traffic go, decided without a socket: to the sandbox's own listeners, and nowhere else.
struct ModemRules: Sendable {
    enum Port: Sendable {
        /// An HTTP forward proxy: CONNECT and absolute addresses.
        case proxy
        /// A window: shows one of the sandbox's listeners to a browser that knows of no proxy.
        case window(ServerURL)
    }

    enum Decision: Equatable, Sendable {
        case forward(ServerURL)
        case refuse(Int, String)
    }

    let port: Port
    /// The origins that may be reached.
    let reachable: [ServerURL]

    /// For everything but CONNECT.
    func decide(_ request: ModemRequest) -> Decision {
        switch port {
        case .window(let upstream):
            guard request.target.hasPrefix("/") else {
                return .refuse(400, "this address is a window, not a proxy")
            }
            guard let url = try? ServerURL(upstream.origin + request.target) else {
                return .refuse(400, "the address cannot be read")
            }
            return .forward(url)
        case .proxy:
            guard let url = try? ServerURL(request.target) else {
                return .refuse(400, "this port is a phone's modem, an HTTP proxy: chromium --proxy-server=…")
            }
            guard url.scheme == .http, reaches(url) else { return Self.elsewhere }
            return .forward(url)
        }
    }

    /// For CONNECT: the listener to reach, or why not.
    func tunnel(_ target: String) -> Result<ServerURL, Refusal> {
        guard case .proxy = port, let url = try? ServerURL("http://\(target)"), url.path == "/" || url.path.isEmpty,
            reaches(url)
        else { return .failure(Refusal(status: 403, text: Self.elsewhereText)) }
        return .success(url)
    }

    struct Refusal: Error, Equatable {
        var status: Int
        var text: String
    }

    private func reaches(_ url: ServerURL) -> Bool { reachable.contains { $0.host == url.host && $0.port == url.port } }

    private static let elsewhereText = "this modem reaches the sandbox's own servers and nothing else"
    private static let elsewhere = Decision.refuse(403, elsewhereText)
}
