public import BenjiProtocol

/// The address of something on a server: an `http` or `https` URL in the strict form that every party reads alike.
///
/// A device proof signs the address, so there may be only one way to write it. It has no user name, no fragment, no dot
/// segments and no percent-encoded host. The scheme and the host are kept in lower case and the scheme's own port is
/// left out (RFC 3986 §6.2).
public struct ServerURL: Hashable, Sendable {
    public enum Scheme: String, Sendable, Hashable {
        case http, https
        /// 80 or 443.
        public var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    public let scheme: Scheme
    /// A DNS name in lower case, or an address's text without brackets.
    public let host: String
    /// The host as an address, when it is one.
    public let address: InternetAddress?
    /// 1 to 65535.
    public let port: UInt16
    /// Starts with `/`; percent-encoding as written.
    public let path: String
    /// After the `?`, which is not part of it; `nil` when there is none.
    public let query: String?

    /// Reads at most 2,048 bytes of absolute URL.
    public init(_ text: some StringProtocol) throws(ServerURLError) {
        var parser = ServerURLParser(Array(text.utf8))
        self = try parser.url()
    }

    init(scheme: Scheme, host: String, address: InternetAddress?, port: UInt16, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.address = address
        self.port = port
        self.path = path
        self.query = query
    }

    /// Scheme, host and, unless it is the scheme's own, port: `https://gateway.example:8443`.
    public var origin: String { "\(scheme.rawValue)://\(authority)" }

    /// Host and, unless it is the scheme's own, port, as a `Host` header has it: IPv6 in brackets.
    public var authority: String {
        let bracketed = address?.family == .v6 ? "[\(host)]" : host
        return port == scheme.defaultPort ? bracketed : "\(bracketed):\(port)"
    }

    /// The request target: path and query (RFC 9112 §3.2.1).
    public var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The whole URL. May hold what the query holds; prefer ``description`` in messages.
    public var text: String { origin + target }

    /// The same without query: what a device proof names.
    public var withoutQuery: ServerURL {
        ServerURL(scheme: scheme, host: host, address: address, port: port, path: path, query: nil)
    }

    /// This server's address with `path` after the path it already has, without query: `https://a/base` and `/x` give
    /// `https://a/base/x`.
    ///
    /// - Parameter path: Starts with `/`.
    public func appending(path more: String) throws(ServerURLError) -> ServerURL {
        guard more.utf8.first == 0x2f else {
            throw ServerURLError(offset: 0, problem: "a path to append must start with \"/\"")
        }
        let base = path.utf8.last == 0x2f ? String(path.dropLast()) : path
        return try ServerURL(origin + base + more)
    }
}

extension ServerURL: CustomStringConvertible {
    /// The URL without its query, which may hold a credential.
    public var description: String { origin + path }
}

/// Why a text is not a ``ServerURL``.
public struct ServerURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes from the start of the text.
    public var offset: Int
    /// The problem and the expected form; never the text itself.
    public var problem: String

    public init(offset: Int, problem: String) {
        self.offset = offset
        self.problem = problem
    }

    public var description: String { "not a server address: \(problem) (at byte \(offset))" }
}
