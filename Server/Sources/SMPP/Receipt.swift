/// What an SMSC says of a message that it took: in deliver_sm, as optional parameters, or as a text that SMPP 3.4 describes in its
/// appendix B and every SMSC writes a little differently.
package struct Receipt: Hashable, Sendable {
    /// message_state (SMPP 3.4 §5.2.28).
    package enum State: UInt8, Hashable, Sendable, CaseIterable {
        case enroute = 1
        case delivered, expired, deleted, undeliverable, accepted, unknown, rejected

        /// As texts name it; only the first seven letters count, because some write the whole word.
        init?(text: some StringProtocol) {
            switch text.uppercased().prefix(7) {
            case "ENROUTE": self = .enroute
            case "DELIVRD", "DELIVER": self = .delivered
            case "EXPIRED": self = .expired
            case "DELETED": self = .deleted
            case "UNDELIV": self = .undeliverable
            case "ACCEPTD", "ACCEPTE": self = .accepted
            case "UNKNOWN": self = .unknown
            case "REJECTD", "REJECTE": self = .rejected
            default: return nil
            }
        }
    }

    /// As the answer to submit_sm had it. One to 64 characters.
    package let messageID: String
    package let state: State

    /// Whether a deliver_sm is about a message of ours and not from a phone: a receipt or an intermediate notification
    /// (esm_class, §5.2.12).
    package static func isIn(_ message: Message) -> Bool { [0x04, 0x20].contains(message.messageClass & 0x3c) }

    /// The receipt in a message; `nil` if it is none, or if id or state is missing. Optional parameters count before the text.
    package init?(_ message: Message) {
        guard Self.isIn(message) else { return nil }
        let text = Self.fields(of: message.content)
        let named = message.parameters.value(.receiptedMessageID).flatMap(Self.messageID)
        let stated = message.parameters.value(.messageState).flatMap { $0.count == 1 ? State(rawValue: $0[0]) : nil }
        guard let messageID = named ?? text["id"], (1...64).contains(messageID.utf8.count),
            let state = stated ?? text["stat"].flatMap({ State(text: $0) })
        else { return nil }
        self.messageID = messageID
        self.state = state
    }

    private static func messageID(_ value: [UInt8]) -> String? {
        // A C-octet string; some leave the zero out.
        let text = value.last == 0 ? value.dropLast() : value[...]
        guard !text.isEmpty, text.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// `id:… sub:… stat:…` up to the text, which repeats the beginning of the message and so may say anything.
    private static func fields(of octets: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        for word in octets.split(separator: 0x20) {
            guard let colon = word.firstIndex(of: 0x3a) else { continue }
            let name = String(decoding: word[..<colon], as: UTF8.self).lowercased()
            if name == "text" { break }
            let value = word[(colon + 1)...]
            guard value.allSatisfy({ (0x21..<0x7f).contains($0) }), fields[name] == nil else { continue }
            fields[name] = String(decoding: value, as: UTF8.self)
        }
        return fields
    }
}
