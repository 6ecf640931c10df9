/// An optional parameter behind a PDU's fields: tag, length, value (SMPP 3.4 §5.3). Unknown ones are kept as they are.
package struct OptionalParameter: Hashable, Sendable {
    package struct Tag: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The id of the message that a receipt is about, as a C-octet string.
        package static let receiptedMessageID = Tag(rawValue: 0x001e)
        package static let totalSegments = Tag(rawValue: 0x020e)
        /// network_error_code (§5.3.2.31): the type of network, and a code of two octets.
        package static let networkErrorCode = Tag(rawValue: 0x0423)
        package static let messagePayload = Tag(rawValue: 0x0424)
        package static let messageState = Tag(rawValue: 0x0427)
    }

    package var tag: Tag
    package var value: [UInt8]

    package init(_ tag: Tag, _ value: [UInt8]) {
        self.tag = tag
        self.value = value
    }
}

extension [OptionalParameter] {
    /// The value of the one parameter with this tag; `nil` if it is absent.
    package func value(_ tag: OptionalParameter.Tag) -> [UInt8]? { first { $0.tag == tag }?.value }
}
