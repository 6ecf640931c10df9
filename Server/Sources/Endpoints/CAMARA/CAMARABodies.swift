@_spi(Server) import BenjiProtocol
import OpenIDProvider
import Requests

/// The members of a body that CAMARA defines. Another member is refused: the three specifications demand it from
/// Commonalities r4.3 on ("Request body strictness"), and a mistyped `maxAge` would silently be the default.
struct CAMARAMembers {
    private let members: [JSON.Member]

    init(_ json: JSON, known: Set<String>) throws(Refusal) {
        guard case .object(let members) = json else {
            throw Refusal(.parameterInvalid, "the body must be an object")
        }
        guard members.allSatisfy({ known.contains($0.name) }) else {
            throw Refusal(.parameterInvalid, "the body has a property that is not defined")
        }
        self.members = members
    }

    var count: Int { members.count }

    /// Unlike the device dialect's readers: `null` is a value here, and of no right type.
    subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

    /// A text that must be there.
    /// - Parameter longest: characters, as JSON Schema counts them.
    func text(_ name: String, longest: Int) throws(Refusal) -> String {
        guard let value = self[name] else { throw Refusal(.parameterMissing, "\(name): missing") }
        guard let text = value.stringValue, text.unicodeScalars.count <= longest else {
            throw Refusal(.parameterInvalid, "\(name): must be a text of at most \(longest) characters")
        }
        return text
    }

    /// `^\+[1-9][0-9]{4,14}$`, with its plus sign.
    func phoneNumber() throws(Refusal) -> String? {
        guard let value = self["phoneNumber"] else { return nil }
        guard let text = value.stringValue, text.hasPrefix("+"), (6...16).contains(text.utf8.count),
            text.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }), !text.hasPrefix("+0")
        else { throw Refusal(.numberMalformed, "phoneNumber: must be E.164 with a plus sign") }
        return text
    }
}

extension ClaimedNumber {
    init(_ json: JSON) throws(Refusal) {
        let members = try CAMARAMembers(json, known: ["phoneNumber", "hashedPhoneNumber"])
        guard members.count == 1 else {
            throw Refusal(.parameterMissing, "the body must have phoneNumber or hashedPhoneNumber, and one of them")
        }
        if let number = try members.phoneNumber() {
            self = .plain(number)
        } else {
            guard let claim = (members["hashedPhoneNumber"]?.stringValue).flatMap(ClaimedNumber.init(hash:)) else {
                throw Refusal(.numberHashMalformed, "hashedPhoneNumber: must be 64 hexadecimal digits")
            }
            self = claim
        }
    }
}

/// The body of a request to sim-swap.
struct SIMSwapBody {
    /// Hours: what the schema allows, which is how long the register keeps its dates and longer.
    static let ages: ClosedRange<Int64> = 1...2400

    var phoneNumber: String?
    var maxAge: Int64 = 240

    init(_ json: JSON, hasMaxAge: Bool) throws(Refusal) {
        let members = try CAMARAMembers(json, known: hasMaxAge ? ["phoneNumber", "maxAge"] : ["phoneNumber"])
        phoneNumber = try members.phoneNumber()
        guard let value = members["maxAge"] else { return }
        guard let age = value.wholeNumber else {
            // One that is whole and too large for any range is still a number of hours.
            guard case .number(let text) = value, let number = Double(text), number.rounded() == number else {
                throw Refusal(.parameterInvalid, "maxAge: must be a whole number of hours")
            }
            throw Refusal(.outOfRange, "maxAge: must be from 1 to 2400 hours")
        }
        guard Self.ages.contains(age) else { throw Refusal(.outOfRange, "maxAge: must be from 1 to 2400 hours") }
        maxAge = age
    }
}

extension JSON {
    /// An integer as JSON Schema has them: `24.0` is one, and `1.5` is none.
    fileprivate var wholeNumber: Int64? {
        if let integerValue { return integerValue }
        guard case .number(let text) = self, let number = Double(text) else { return nil }
        return Int64(exactly: number)
    }
}

/// The message and the number of a request to one-time-password-sms.
struct SendCodeBody {
    static let longestMessage = 160

    var phoneNumber: String
    var message: String

    init(_ json: JSON) throws(Refusal) {
        let members = try CAMARAMembers(json, known: ["phoneNumber", "message"])
        guard let number = try members.phoneNumber() else { throw Refusal(.parameterMissing, "phoneNumber: missing") }
        phoneNumber = number
        message = try members.text("message", longest: Self.longestMessage)
        guard message.contains(CodePlaceholder.text) else {
            throw Refusal(
                .parameterInvalid, "message: must say where the code goes, by \(CodePlaceholder.text)")
        }
        if let problem = TextGrammar.problem(in: message, allowsLineFeeds: true) {
            throw Refusal(.parameterInvalid, "message: \(problem)")
        }
    }
}

/// Which code somebody shows.
struct ValidateCodeBody {
    var authenticationID: String
    var code: String

    init(_ json: JSON) throws(Refusal) {
        let members = try CAMARAMembers(json, known: ["authenticationId", "code"])
        authenticationID = try members.text("authenticationId", longest: 36)
        code = try members.text("code", longest: 10)
    }
}
