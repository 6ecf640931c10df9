import BenjiProtocol

/// One attribute of a packet: a type and up to 253 bytes (RFC 2865 §5).
///
/// The value is a slice of the packet's bytes, so that reading a packet copies nothing.
package struct Attribute: Hashable, Sendable {
    package let type: AttributeType
    /// The bytes after type and length.
    package let value: ArraySlice<UInt8>
    /// Where the attribute starts in its packet; 0 for one that was built.
    package let offset: Int

    init(type: AttributeType, value: ArraySlice<UInt8>, offset: Int) {
        self.type = type
        self.value = value
        self.offset = offset
    }

    /// Builds an attribute. Throws ``PacketError/Problem/tooLong`` for more than 253 bytes.
    package init(_ type: AttributeType, _ value: some Collection<UInt8>) throws(PacketError) {
        guard value.count <= 253 else { throw PacketError(.tooLong, attribute: type, offset: 0) }
        self.init(type: type, value: ArraySlice(Array(value)), offset: 0)
    }

    func error(_ problem: PacketError.Problem) -> PacketError {
        PacketError(problem, attribute: type, offset: offset)
    }

    // Equal when type and bytes are; where it stood in a packet is no part of what it says.
    package static func == (left: Attribute, right: Attribute) -> Bool {
        left.type == right.type && left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(value)
    }
}

extension UInt32 {
    /// Exactly four bytes, most significant first; `nil` for any other count.
    init?(bigEndian bytes: ArraySlice<UInt8>) {
        guard bytes.count == 4 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bigEndianBytes: [UInt8] {
        [UInt8(self >> 24), UInt8(self >> 16 & 0xff), UInt8(self >> 8 & 0xff), UInt8(self & 0xff)]
    }
}
