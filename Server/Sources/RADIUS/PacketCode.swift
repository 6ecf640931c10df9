/// What a packet is: the first byte of every packet (RFC 2865 §3, RFC 2866 §3, RFC 5997 §2).
public struct PacketCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let accountingRequest = PacketCode(rawValue: 4)
    public static let accountingResponse = PacketCode(rawValue: 5)
    /// Asks whether the server is alive (RFC 5997). On an accounting port the answer is an Accounting-Response.
    public static let statusServer = PacketCode(rawValue: 12)
}
