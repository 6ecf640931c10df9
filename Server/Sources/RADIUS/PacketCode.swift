/// The type of a packet: its first byte (RFC 2865 §3, RFC 2866 §3, RFC 5997 §2).
package struct PacketCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let accountingRequest = PacketCode(rawValue: 4)
    package static let accountingResponse = PacketCode(rawValue: 5)
    /// Asks whether the server is alive (RFC 5997). On an accounting port the answer is an Accounting-Response.
    package static let statusServer = PacketCode(rawValue: 12)
}
