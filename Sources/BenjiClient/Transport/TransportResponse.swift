public import BenjiProtocol

/// A complete HTTP answer, whatever its status.
public struct TransportResponse: Hashable, Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    public var headers: HeaderFields
    /// The whole content, with any transfer coding taken off.
    public var body: [UInt8]
    /// The address that the request left by, when the transport knows it.
    public var localAddress: InternetAddress?

    public init(status: Int, headers: HeaderFields = [:], body: [UInt8] = [], localAddress: InternetAddress? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.localAddress = localAddress
    }
}

extension TransportResponse: CustomStringConvertible {
    /// Status and sizes only: bodies carry credentials.
    public var description: String { "\(status) (\(headers.count) headers, \(body.count) bytes)" }
}
