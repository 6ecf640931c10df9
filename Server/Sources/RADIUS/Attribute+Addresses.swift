package import BenjiProtocol

extension Attribute {
    /// An IPv6 address (RFC 3162 §2.1), sixteen bytes.
    package func ipv6Address() throws(PacketError) -> InternetAddress {
        guard value.count == 16, let address = InternetAddress(bytes: value) else { throw error(.valueLength) }
        return address
    }

    /// An IPv6 prefix (RFC 3162 §2.3): a reserved byte, the length in bits, then up to sixteen bytes of prefix.
    ///
    /// The reserved byte is ignored. Bits beyond the length must be zero, as the RFC says: a prefix that contradicts
    /// itself is no ground for telling subscribers apart.
    package func ipv6Prefix() throws(PacketError) -> IPPrefix {
        guard (2...18).contains(value.count) else { throw error(.valueLength) }
        let length = Int(value[value.startIndex + 1])
        let given = value.dropFirst(2)
        guard length <= 128, given.count * 8 >= length else { throw error(.prefix) }
        let bytes = Array(given) + Array(repeating: 0, count: 16 - given.count)
        guard let address = InternetAddress(bytes: bytes), address.family == .v6,
            let prefix = IPPrefix(address: address, length: length)
        else { throw error(.prefix) }
        return prefix
    }

    static func ipv6Prefix(_ type: AttributeType, _ prefix: IPPrefix) throws(PacketError) -> Attribute {
        let kept = (prefix.length + 7) / 8
        return try Attribute(type, [0, UInt8(prefix.length)] + prefix.address.bytes.prefix(kept))
    }
}
