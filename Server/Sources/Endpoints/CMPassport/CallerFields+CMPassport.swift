import BenjiProtocol
import Requests

/// The fields that the operators' requests have in common.
extension CallerFields {
    func version(_ expected: String) throws(Refusal) -> String {
        try text("version", invalid: .versionUnsupported, "must be \(expected)") { $0 == expected }
    }

    /// Twelve digits: narrower than ``AppID``, because the signs have no separators.
    func operatorAppID(_ name: String, invalid: Situation) throws(Refusal) -> AppID {
        let text = try text(name, invalid: invalid, "must be twelve digits", CMPassportGrammar.isAppID)
        guard let id = AppID(rawValue: text) else { throw Refusal(invalid, "\(path).\(name): must be twelve digits") }
        return id
    }

    func messageID(_ name: String) throws(Refusal) -> String {
        try text(name, "must be 1 to 36 letters, digits or dashes", CMPassportGrammar.isMessageID)
    }

    /// A time as it was sent, which is what the sign covers, and the moment that it names.
    func time(_ name: String) throws(Refusal) -> (text: String, moment: Timestamp) {
        let problem = "must be a time of seventeen digits, UTC+8"
        let text = try text(name, problem) { _ in true }
        guard let moment = CMPassportTime.parse(text) else {
            throw Refusal(.parameterInvalid, "\(path).\(name): \(problem)")
        }
        return (text, moment)
    }

    func strictCheck() throws(Refusal) -> String {
        try text("strictcheck", "must be 0 or 1", CMPassportGrammar.isStrictCheck)
    }
}
