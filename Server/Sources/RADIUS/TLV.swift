/// Type, length, value inside another attribute (RFC 6929 §2.3, and the usual form of RFC 2865 §5.26).
struct TLV: Hashable, Sendable {
    let type: UInt8
    let value: ArraySlice<UInt8>
    let offset: Int

    /// Takes all of `bytes` apart. `bytes` is a slice of `attribute`'s value, whose offsets are the packet's.
    static func sequence(in bytes: ArraySlice<UInt8>, of attribute: Attribute) throws(PacketError) -> [TLV] {
        var found: [TLV] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let offset = attribute.offset + 2 + (index - attribute.value.startIndex)
            guard index + 2 <= bytes.endIndex else {
                throw PacketError(.attributeLength, attribute: attribute.type, offset: offset)
            }
            let end = index + Int(bytes[index + 1])
            guard end >= index + 2, end <= bytes.endIndex else {
                throw PacketError(.attributeLength, attribute: attribute.type, offset: offset)
            }
            found.append(TLV(type: bytes[index], value: bytes[(index + 2)..<end], offset: offset))
            index = end
        }
        return found
    }

    static func encode(_ type: UInt8, _ value: [UInt8]) -> [UInt8] { [type, UInt8(value.count + 2)] + value }
}
