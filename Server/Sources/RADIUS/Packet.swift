/// A packet (RFC 2865 §3): a code, an identifier, an authenticator and attributes.
///
/// Reading never traps and never guesses: bytes that break a rule give a ``PacketError`` that says which rule and
/// where. Whether the sender knows the secret is a separate question, see ``hasValidRequestAuthenticator(secret:)``.
package struct Packet: Hashable, Sendable {
    /// Bytes of code, identifier, length and authenticator.
    package static let headerLength = 20
    /// The longest packet that is read (RFC 2865 §3).
    package static let maximumLength = 4096
    /// The longest packet that is built: RFC 2866 §3 stops at 4095.
    package static let maximumBuiltLength = 4095

    package let code: PacketCode
    /// Matches an answer to its request.
    package let identifier: UInt8
    /// Sixteen bytes.
    package let authenticator: [UInt8]
    package let attributes: [Attribute]
    /// The packet as it was read or built, without padding after its length.
    package let bytes: [UInt8]

    /// Reads a datagram. Bytes after the packet's own length are padding and ignored (RFC 2865 §3).
    package init(decoding datagram: [UInt8]) throws(PacketError) {
        let length = try Self.length(of: datagram.span)
        let bytes = length == datagram.count ? datagram : Array(datagram[..<length])
        var attributes: [Attribute] = []
        attributes.reserveCapacity(24)
        var offset = Self.headerLength
        while offset < length {
            let end = try Self.end(ofAttributeAt: offset, in: bytes.span, length: length)
            attributes.append(
                Attribute(
                    type: AttributeType(rawValue: bytes[offset]), value: bytes[(offset + 2)..<end], offset: offset))
            offset = end
        }
        code = PacketCode(rawValue: bytes[0])
        identifier = bytes[1]
        authenticator = Array(bytes[4..<20])
        self.attributes = attributes
        self.bytes = bytes
    }

    /// Lays attributes out behind a header. The authenticator is what the caller says; signing comes after.
    static func layOut(
        code: PacketCode, identifier: UInt8, authenticator: [UInt8], attributes: [Attribute]
    ) throws(PacketError) -> [UInt8] {
        var bytes: [UInt8] = [code.rawValue, identifier, 0, 0] + authenticator
        for attribute in attributes {
            bytes.append(attribute.type.rawValue)
            bytes.append(UInt8(attribute.value.count + 2))
            bytes += attribute.value
        }
        guard bytes.count <= maximumBuiltLength else { throw PacketError(.tooLong, offset: maximumBuiltLength) }
        bytes[2] = UInt8(bytes.count >> 8)
        bytes[3] = UInt8(bytes.count & 0xff)
        return bytes
    }

    /// All attributes of one type, in the packet's order.
    package func all(_ type: AttributeType) -> [Attribute] { attributes.filter { $0.type == type } }

    /// The attribute of a type that may occur once; `nil` if absent.
    ///
    /// Two of them are an error rather than a choice: two parties that choose differently disagree about who a
    /// subscriber is.
    package func single(_ type: AttributeType) throws(PacketError) -> Attribute? {
        // By place: most attributes are only passed over, and copying one counts references.
        guard let place = attributes.firstIndex(where: { $0.type == type }) else { return nil }
        if let second = attributes[(place + 1)...].first(where: { $0.type == type }) { throw second.error(.repeated) }
        return attributes[place]
    }
}
