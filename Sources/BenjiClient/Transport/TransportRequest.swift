/// A request that a ``Transport`` sends.
public struct TransportRequest: Hashable, Sendable {
    /// An HTTP method in capitals, such as `GET` or `POST`.
    public var method: String
    /// Where to.
    public var url: ServerURL
    /// Besides those that the transport writes itself (`Host`, `Content-Length`, `Connection`).
    public var headers: HeaderFields
    /// The content; empty for none.
    public var body: [UInt8]
    /// Nothing is expected to follow soon: a transport that keeps connections gives this one up with the answer.
    public var endsConnection: Bool

    public init(
        method: String, url: ServerURL, headers: HeaderFields = [:], body: [UInt8] = [], endsConnection: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.endsConnection = endsConnection
    }
}

extension TransportRequest: CustomStringConvertible {
    /// Method, address without query, and sizes: headers and bodies carry credentials.
    public var description: String { "\(method) \(url) (\(headers.count) headers, \(body.count) bytes)" }
}
