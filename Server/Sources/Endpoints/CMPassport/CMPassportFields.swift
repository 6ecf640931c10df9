internal import Authority
internal import BenjiProtocol

/// Reads one object of the operators' requests with the leniency that their callers need, and no more: numbers count
/// as their digits, empty texts and `null` as absent, and members that nobody knows are left alone. A name that
/// occurs twice was refused before, by the parser.
struct CMPassportFields {
    private let object: JSON
    private let path: String

    init(_ json: JSON?, path: String) throws(Refusal) {
        guard let json, case .object = json else {
            throw Refusal(.malformedRequest, "\(path): must be an object")
        }
        object = json
        self.path = path
    }

    /// The member as text, `nil` if it is absent or empty.
    func text(_ name: String) throws(Refusal) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text), .number(let text): return text.isEmpty ? nil : text
        case .some(let other): throw Refusal(.parameterInvalid, "\(path).\(name): must be a string, is \(other.kind)")
        }
    }

    /// The member as text that `grammar` accepts.
    func text(
        _ name: String, missing: Situation = .parameterMissing, invalid: Situation = .parameterInvalid,
        _ problem: String, _ grammar: (String) -> Bool
    ) throws(Refusal) -> String {
        guard let text = try text(name) else { throw Refusal(missing, "\(path).\(name): missing") }
        guard grammar(text) else { throw Refusal(invalid, "\(path).\(name): \(problem)") }
        return text
    }

    /// Like ``text(_:missing:invalid:_:_:)`` for a member that may be absent.
    func optionalText(
        _ name: String, invalid: Situation = .parameterInvalid, _ problem: String, _ grammar: (String) -> Bool
    ) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard grammar(text) else { throw Refusal(invalid, "\(path).\(name): \(problem)") }
        return text
    }

    func version(_ expected: String) throws(Refusal) -> String {
        try text("version", invalid: .versionUnsupported, "must be \(expected)") { $0 == expected }
    }

    func appID(_ name: String, invalid: Situation) throws(Refusal) -> AppID {
        let text = try text(name, invalid: invalid, "must be twelve digits", CMPassportGrammar.isAppID)
        // The grammar is that of AppID.
        guard let id = AppID(rawValue: text) else { throw Refusal(invalid, "\(path).\(name): must be twelve digits") }
        return id
    }

    func messageID(_ name: String) throws(Refusal) -> String {
        try text(name, "must be 1 to 36 letters, digits or dashes", CMPassportGrammar.isMessageID)
    }

    func time(_ name: String) throws(Refusal) -> String {
        try text(name, "must be a time of seventeen digits, UTC+8", CMPassportGrammar.isTime)
    }

    func strictCheck() throws(Refusal) -> String {
        try text("strictcheck", "must be 0 or 1", CMPassportGrammar.isStrictCheck)
    }

    func token() throws(Refusal) -> String {
        try text(
            "token", missing: .tokenMissing, invalid: .tokenMalformed, "must be a token as the SDK gave it",
            CMPassportGrammar.isToken)
    }

    func sign() throws(Refusal) -> String {
        // What is no hexadecimal is simply not the right sign; the length bounds the work.
        try text("sign", missing: .signMissing, invalid: .signWrong, "must be hexadecimal") { $0.utf8.count <= 2048 }
    }

    /// The member as it was sent if it keeps `grammar`: what an answer repeats even when the rest of the request is
    /// wrong.
    static func echo(_ json: JSON?, _ name: String, _ grammar: (String) -> Bool) -> String {
        switch json?[name] {
        case .string(let text) where grammar(text): text
        case .number(let text) where grammar(text): text
        default: ""
        }
    }
}
