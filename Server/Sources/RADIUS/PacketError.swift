/// Why bytes are not a packet, or an attribute not what its type promises: what, and at which byte.
///
/// It never quotes the bytes: they may be a subscriber's number.
package struct PacketError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: String, Sendable, Hashable, CaseIterable {
        /// Fewer bytes than the 20 of a header.
        case tooShort = "fewer bytes than a header has"
        /// The Length field is below 20, above 4096, or more than what arrived.
        case length = "the length field does not fit the packet"
        /// An attribute, sub-attribute or TLV is shorter than its own header or longer than what holds it.
        case attributeLength = "an attribute does not fit into what holds it"
        /// A value has the wrong number of bytes for its data type.
        case valueLength = "a value has the wrong number of bytes for its type"
        /// Bytes that should be text are not UTF-8.
        case text = "a text is not UTF-8"
        /// A prefix with a length above 128, too few bytes, or bits set beyond its length (RFC 3162 §2.3).
        case prefix = "an IPv6 prefix contradicts itself"
        /// An attribute that must be there is missing.
        case missing = "a required attribute is missing"
        /// An attribute that may occur once occurs again.
        case repeated = "an attribute occurs more often than it may"
        /// A port range that ends before it starts, or is above 65535.
        case portRange = "a port range contradicts itself"
        /// More than 253 bytes in a value or more than 4095 in a packet were to be encoded.
        case tooLong = "the value or the packet would be too long"
        /// An authenticator was not made with the shared secret.
        case authenticator = "an authenticator does not fit the shared secret"
    }

    package let problem: Problem
    /// The attribute concerned, `nil` for the header.
    package let attribute: AttributeType?
    /// Offset in the packet, in bytes; the packet's length when something is missing.
    package let offset: Int

    package init(_ problem: Problem, attribute: AttributeType? = nil, offset: Int) {
        self.problem = problem
        self.attribute = attribute
        self.offset = offset
    }

    package var description: String {
        let place = attribute.map { " (\(Attribute.name(of: $0)), attribute \($0.rawValue))" } ?? ""
        // An attribute that is missing has no offset.
        return "\(problem.rawValue)\(place)" + (problem == .missing ? "" : " at byte \(offset)")
    }
}
