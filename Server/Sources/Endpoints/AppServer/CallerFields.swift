import BenjiProtocol
import Requests

/// Reads one object of an app server's request with the leniency that callers of the old dialects need, and no more.
/// Numbers count as their digits, empty texts and `null` as absent, and unknown members are ignored. The parser has
/// already refused a repeated name.
struct CallerFields {
    private let object: JSON
    let path: String

    init(_ json: JSON?, path: String) throws(Refusal) {
        guard let json, case .object = json else {
            throw Refusal(.malformedRequest, "\(path): must be an object")
        }
        object = json
        self.path = path
    }

    /// The member as text, `nil` if it is absent or empty.
    /// - Parameter invalid: what it is to be neither text nor number.
    func text(_ name: String, invalid: Situation = .parameterInvalid) throws(Refusal) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text), .number(let text): return text.isEmpty ? nil : text
        case .some(let other): throw Refusal(invalid, "\(path).\(name): must be a string, is \(other.kind)")
        }
    }

    /// The member as text that `grammar` accepts.
    func text(
        _ name: String, missing: Situation = .parameterMissing, invalid: Situation = .parameterInvalid,
        _ problem: String, _ grammar: (String) -> Bool
    ) throws(Refusal) -> String {
        guard let text = try optionalText(name, invalid: invalid, problem, grammar) else {
            throw Refusal(missing, "\(path).\(name): missing")
        }
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

    /// A wish: `true` and `false`, also as texts or digits. Absent is no.
    func flag(_ name: String, invalid: Situation) throws(Refusal) -> Bool {
        if case .bool(let flag) = object[name] { return flag }
        switch try text(name, invalid: invalid) {
        case nil, "false", "0": return false
        case "true", "1": return true
        default: throw Refusal(invalid, "\(path).\(name): must be true or false")
        }
    }

    /// The name of the login: what the SDK calls `processID` and support a trace.
    func processID(_ name: String) throws(Refusal) -> TraceID? {
        guard let text = try text(name, invalid: .processIDMalformed) else { return nil }
        guard let trace = TraceID(rawValue: text) else {
            throw Refusal(.processIDMalformed, "\(path).\(name): must be the 32 digits that the SDK gave")
        }
        return trace
    }

    func token(_ name: String = "token") throws(Refusal) -> String {
        try text(
            name, missing: .tokenMissing, invalid: .tokenMalformed, "must be a token as the SDK gave it",
            CredentialGrammar.token.matches)
    }

    /// The sign if there is one. A text that is not hexadecimal is simply a wrong sign; the length bounds the work.
    func optionalSign() throws(Refusal) -> String? {
        try optionalText("sign", invalid: .signWrong, "must be hexadecimal") { $0.utf8.count <= 2048 }
    }

    func sign() throws(Refusal) -> String {
        guard let sign = try optionalSign() else { throw Refusal(.signMissing, "\(path).sign: missing") }
        return sign
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
