/// A message as submit_sm and deliver_sm carry it: both have the same fields (SMPP 3.4 §4.4.1, §4.6.1). data_sm has
/// some of them (§4.7.1), and its text in message_payload.
package struct Message: Hashable, Sendable {
    /// esm_class: the octets begin with a user data header.
    package static let hasHeader: UInt8 = 0x40
    /// registered_delivery: a receipt is wanted, whether the message arrives or not.
    package static let wantsReceipt: UInt8 = 0x01

    /// Up to 5 characters; empty for the SMSC's usual service.
    package var serviceType: String
    package var source: Address
    package var destination: Address
    /// esm_class (§5.2.12).
    package var messageClass: UInt8
    package var protocolID: UInt8
    package var priority: UInt8
    /// When to deliver it: empty, or 16 characters.
    package var schedule: String
    /// Until when it counts: empty, or 16 characters, see ``validity(for:)``.
    package var validity: String
    /// registered_delivery (§5.2.17).
    package var receipts: UInt8
    package var replaces: UInt8
    package var coding: DataCoding
    package var defaultMessage: UInt8
    /// Up to 254 octets; up to 255 are read.
    package var octets: [UInt8]
    package var parameters: [OptionalParameter]

    package init(
        serviceType: String = "", source: Address, destination: Address, messageClass: UInt8 = 0, protocolID: UInt8 = 0,
        priority: UInt8 = 0, schedule: String = "", validity: String = "", receipts: UInt8 = 0, replaces: UInt8 = 0,
        coding: DataCoding = .standard, defaultMessage: UInt8 = 0, octets: [UInt8] = [],
        parameters: [OptionalParameter] = []
    ) {
        self.serviceType = serviceType
        self.source = source
        self.destination = destination
        self.messageClass = messageClass
        self.protocolID = protocolID
        self.priority = priority
        self.schedule = schedule
        self.validity = validity
        self.receipts = receipts
        self.replaces = replaces
        self.coding = coding
        self.defaultMessage = defaultMessage
        self.octets = octets
        self.parameters = parameters
    }

    init(_ fields: inout PDUFields) throws(PDUError) {
        serviceType = fields.string()
        source = Address(type: try fields.octet(), plan: try fields.octet(), digits: fields.string())
        destination = Address(type: try fields.octet(), plan: try fields.octet(), digits: fields.string())
        messageClass = try fields.octet()
        protocolID = try fields.octet()
        priority = try fields.octet()
        schedule = fields.string()
        validity = fields.string()
        receipts = try fields.octet()
        replaces = try fields.octet()
        coding = DataCoding(rawValue: try fields.octet())
        defaultMessage = try fields.octet()
        let length = Int(try fields.octet())
        octets = try fields.octets(length)
        parameters = fields.parameters()
    }

    /// The fields of data_sm.
    init(data fields: inout PDUFields) throws(PDUError) {
        self.init(
            serviceType: fields.string(),
            source: Address(type: try fields.octet(), plan: try fields.octet(), digits: fields.string()),
            destination: Address(type: try fields.octet(), plan: try fields.octet(), digits: fields.string()),
            messageClass: try fields.octet(), receipts: try fields.octet(),
            coding: DataCoding(rawValue: try fields.octet()), parameters: fields.parameters())
    }

    /// Writes the fields of data_sm.
    func writeData(onto bytes: inout [UInt8]) throws(PDUError) {
        try writeAddresses(onto: &bytes)
        bytes += [messageClass, receipts, coding.rawValue]
        try bytes.append(parameters: parameters)
    }

    private func writeAddresses(onto bytes: inout [UInt8]) throws(PDUError) {
        try bytes.append(string: serviceType, most: 6)
        bytes += [source.type, source.plan]
        try bytes.append(string: source.digits, most: 21)
        bytes += [destination.type, destination.plan]
        try bytes.append(string: destination.digits, most: 21)
    }

    func write(onto bytes: inout [UInt8]) throws(PDUError) {
        try writeAddresses(onto: &bytes)
        bytes += [messageClass, protocolID, priority]
        try bytes.append(time: schedule)
        try bytes.append(time: validity)
        guard octets.count <= 254 else { throw PDUError(.messageLength, offset: bytes.count) }
        bytes += [receipts, replaces, coding.rawValue, defaultMessage, UInt8(octets.count)]
        bytes += octets
        try bytes.append(parameters: parameters)
    }

    /// The content from the phone or the SMSC: short_message, or message_payload in its place (§5.3.2.32).
    package var content: [UInt8] { octets.isEmpty ? parameters.value(.messagePayload) ?? [] : octets }

    /// Whether it is a whole text from a phone: no receipt or acknowledgement (esm_class, §5.2.12), and no part.
    ///
    /// Every message with a user data header counts as a part, as do those whose optional parameters mark them as one.
    package var isWholeText: Bool {
        messageClass & 0x3c == 0 && messageClass & Self.hasHeader == 0
            && (parameters.value(.totalSegments) ?? [1]) == [1]
    }

    /// The text without a user data header; `nil` for binary messages and codings that are not read.
    package var text: String? {
        var octets = content[...]
        if messageClass & Self.hasHeader != 0 {
            guard let length = octets.first, octets.count > Int(length) else { return nil }
            octets = octets.dropFirst(Int(length) + 1)
        }
        return coding.text(Array(octets))
    }

    /// A validity period from now on in the SMSC's format (§7.1.1.2), to the second. It is at least one second, and at
    /// most 63 hours, as long as most networks try.
    package static func validity(for time: Duration) -> String {
        let seconds = min(max(time.components.seconds, 1), 63 * 3600)
        func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
        return "0000" + two(seconds / 86400) + two(seconds / 3600 % 24) + two(seconds / 60 % 60) + two(seconds % 60)
            + "000R"
    }
}

extension Message: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without numbers and text.
    package var description: String { "Message(coding: \(coding.rawValue), class: \(messageClass))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
