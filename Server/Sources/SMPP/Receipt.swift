/// An SMSC's report on a message that it accepted: a receipt or an intermediate notification, in deliver_sm or data_sm.
///
/// SMPP 3.4 leaves the form to the vendor. Id and state are optional parameters (§5.3.2.12, §5.3.2.35), or fields of a
/// text in short_message or message_payload, under any data_coding. Appendix B shows one form of the text.
package struct Receipt: Hashable, Sendable {
    /// message_state (SMPP 3.4 §5.2.28; 0 and 9 are of SMPP 5.0 §4.7.15).
    package enum State: UInt8, Hashable, Sendable, CaseIterable {
        case scheduled = 0
        case enroute, delivered, expired, deleted, undeliverable, accepted, unknown, rejected, skipped

        /// Whether it says that the message was delivered, or that it was not.
        package var isDecided: Bool {
            switch self {
            case .delivered, .expired, .deleted, .undeliverable, .rejected, .skipped: true
            case .scheduled, .enroute, .accepted, .unknown: false
            }
        }

        /// The word of a text; `nil` for a vendor's own.
        init?(text: some StringProtocol) {
            let word = text.uppercased()
            switch word {
            // These words alone: DELIVERY_FAILED is a failure.
            case "DELIVRD", "DELIVER", "DELIVERED": self = .delivered
            case "ENROUTE", "BUFFRED", "BUFFERED": self = .enroute
            case "ACCEPTD", "ACCEPT", "ACCEPTED", "ACKED": self = .accepted
            case "SCHEDULED": self = .scheduled
            case "UNKNOWN": self = .unknown
            default:
                // The eight words are cut, or written in full.
                switch word.prefix(5) {
                case "EXPIR": self = .expired
                case "DELET": self = .deleted
                case "UNDEL": self = .undeliverable
                case "REJEC": self = .rejected
                default: return nil
                }
            }
        }
    }

    /// The id as the receipt writes it. The answer to submit_sm may have had another form of it. One to 64 characters
    /// of ASCII.
    package let messageID: String
    /// A vendor's own state is ``State/undeliverable``. An intermediate notification decides nothing but a delivery.
    package let state: State
    /// The network's code for the failure: the vendor's own state, the field `err` or network_error_code, such as
    /// `075`, `MK:0001` or `FAILED/002`. `nil` if there is none, or if the message was delivered. Letters, digits, and
    /// `:`, `.`, `-`, `_` and `/`.
    package let error: String?
    /// Whether only an SMSC can have written it, see ``isMarked(_:)``. Otherwise a phone may have.
    package let isMarked: Bool

    /// Whether esm_class (§5.2.12) or receipted_message_id says that a message is a receipt or an intermediate
    /// notification. Phones set neither.
    package static func isMarked(_ message: Message) -> Bool {
        [0x04, 0x20].contains(message.messageClass & 0x3c) || receiptedMessageID(message) != nil
    }

    /// The receipt in a message; `nil` if it is none, or if id or state is missing.
    ///
    /// Optional parameters count before the text, and a state that decides counts before one that does not.
    package init?(_ message: Message) {
        let contents = [message.octets, message.parameters.value(.messagePayload) ?? []]
        let fields = contents.map(Self.fields).first { !$0.isEmpty } ?? [:]
        isMarked = Self.isMarked(message)
        // A text alone is taken for a receipt only if it has more of appendix B than people write.
        guard isMarked || ["sub", "dlvrd", "date"].contains(where: { fields[$0] != nil }) else { return nil }
        guard let messageID = Self.receiptedMessageID(message) ?? fields["id"],
            (1...64).contains(messageID.utf8.count)
        else { return nil }
        self.messageID = messageID

        let number = message.parameters.value(.messageState).flatMap { $0.count == 1 ? $0[0] : nil }
        let word = fields["stat"]
        guard number != nil || word != nil else { return nil }
        let known = [number.flatMap { State(rawValue: $0) }, word.map { State(text: $0) ?? .undeliverable }]
            .compactMap(\.self)
        let stated = known.first(where: \.isDecided) ?? known.first ?? .undeliverable
        let isIntermediate = message.messageClass & 0x3c == 0x20
        let state: State = isIntermediate && stated != .delivered ? .enroute : stated
        self.state = state

        let ownState = word.map { State(text: $0) == nil ? $0 : "" } ?? (known.isEmpty ? number.map { "\($0)" } : nil)
        let network: String? = message.parameters.value(.networkErrorCode).flatMap { value in
            value.count == 3 ? "\(Int(value[1]) << 8 | Int(value[2]))" : nil
        }
        let codes = [Self.code(ownState), Self.code(fields["err"]) ?? Self.code(network)].compactMap(\.self)
        error = state == .delivered || codes.isEmpty ? nil : codes.joined(separator: "/")
    }

    /// A C-octet string; some leave the zero out.
    private static func receiptedMessageID(_ message: Message) -> String? {
        guard let value = message.parameters.value(.receiptedMessageID)?.prefix(while: { $0 != 0 }), !value.isEmpty,
            value.allSatisfy({ (0x20..<0x7f).contains($0) })
        else { return nil }
        return String(decoding: value, as: UTF8.self)
    }

    /// An error code that says something: not a row of zeros, and nothing that may be a phone number.
    private static func code(_ text: String?) -> String? {
        guard let text, (1...16).contains(text.utf8.count), text.contains(where: { $0 != "0" }),
            text.lowercased() != "null", text.count(where: \.isNumber) < 7,
            text.utf8.allSatisfy({
                switch $0 {
                case 0x30...0x3a, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
                default: false
                }
            })
        else { return nil }
        return text
    }

    private static let names: Set<String> = ["id", "sub", "dlvrd", "date", "stat", "err", "text"]

    /// `id:… sub:… stat:…` up to `text:`, which repeats the beginning of the message and so may say anything.
    /// `submit date` and `done date` are `date`.
    ///
    /// data_coding is ignored, because vendors send ASCII as UCS-2. UCS-2 without its zeros is ASCII here; octets that
    /// are no ASCII, such as those of a user data header, are read as spaces.
    private static func fields(of octets: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        var pendingName: String?
        var bareState: String?
        // The underscore of GSM 03.38 is 0x11.
        let characters = octets.filter { $0 != 0 }.map { $0 == 0x11 ? 0x5f : $0 }
        for octets in characters.split(whereSeparator: { !(0x21..<0x7f).contains($0) }) {
            let word = String(decoding: octets, as: UTF8.self)
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].lowercased()
            if parts.count == 2, names.contains(name) {
                if name == "text" { break }
                // `err: 000` has its value in the next word.
                pendingName = parts[1].isEmpty ? name : nil
                if !parts[1].isEmpty, fields[name] == nil { fields[name] = String(parts[1]) }
            } else if let name = pendingName {
                if fields[name] == nil { fields[name] = word }
                pendingName = nil
            } else if bareState == nil, State(text: word) != nil {
                bareState = word
            }
        }
        // Some leave `stat:` out before the word.
        if fields["id"] != nil, fields["stat"] == nil { fields["stat"] = bareState }
        return fields
    }
}
