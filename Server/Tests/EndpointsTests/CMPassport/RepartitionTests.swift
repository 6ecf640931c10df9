@_spi(Server) import BenjiProtocol
import Testing

@testable import Authority
@testable import Endpoints
@testable import Requests

/// The old signs join their fields without separators, so a naive server accepts a signed text cut elsewhere. Ours
/// reads it one way only.
@Suite("Moving characters between signed fields")
struct RepartitionTests {
    struct Interface: Sendable {
        var name: String
        /// Names of the signed fields in the order in which they are joined.
        var order: [String]
        var fields: [String: String]
        var grammar: [@Sendable (Substring) -> Bool]
        /// Whether the product accepts these fields under the sign of the original.
        var accepts: @Sendable ([String: String]) -> Bool

        var values: [String] { order.map { fields[$0]! } }
    }

    static let login = Interface(
        name: "loginTokenValidate", order: ["appid", "version", "msgid", "systemtime", "strictcheck", "token"],
        fields: Requests.loginFields(),
        grammar: [
            CMPassportGrammar.isAppID, { $0 == "2.0" }, CMPassportGrammar.isMessageID,
            { CMPassportTime.parse($0) != nil },
            CMPassportGrammar.isStrictCheck, CredentialGrammar.token.matches,
        ],
        accepts: { fields in
            let sign = Requests.login()["sign"]
            guard let request = try? LoginTokenValidateRequest(Requests.login(fields).setting("sign", sign)) else {
                return false
            }
            return request.isSigned(with: Fixtures.app().key)
        })

    static let verification = Interface(
        name: "tokenValidate", order: ["appId", "msgId", "phoneNum", "timestamp", "token", "version"],
        fields: Requests.verificationFields(),
        grammar: [
            CMPassportGrammar.isAppID, CMPassportGrammar.isMessageID, CMPassportGrammar.isNumberHash,
            { CMPassportTime.parse($0) != nil }, CredentialGrammar.token.matches, { $0 == "1.0" },
        ],
        accepts: { fields in
            let sign = Requests.verification()["body"]?["sign"]
            let json = Requests.verification(fields).setting("body.sign", sign)
            guard let request = try? NumberVerificationRequest(json) else { return false }
            return request.isSigned(with: Fixtures.app().key)
        })

    static let interfaces = [login, verification]

    /// Cuts the joined text at other places: each boundary moved by the given number of characters.
    static func moved(_ interface: Interface, by shifts: [Int]) -> [String: String]? {
        let text = Array(interface.values.joined())
        var cuts = [0]
        for value in interface.values { cuts.append(cuts.last! + value.count) }
        for (index, shift) in shifts.enumerated() { cuts[index + 1] += shift }
        guard zip(cuts, cuts.dropFirst()).allSatisfy({ $0 <= $1 }), cuts.last == text.count else { return nil }
        var fields: [String: String] = [:]
        for (index, name) in interface.order.enumerated() { fields[name] = String(text[cuts[index]..<cuts[index + 1]]) }
        return fields
    }

    /// A server without a grammar: it joins what it got and compares.
    static func naiveAccepts(_ interface: Interface, _ fields: [String: String]) -> Bool {
        func sign(_ fields: [String: String]) -> JSON? {
            interface.name == "loginTokenValidate"
                ? Requests.login(fields)["sign"] : Requests.verification(fields)["body"]?["sign"]
        }
        return sign(fields) == sign(interface.fields)
    }

    @Test("the request as it was signed is accepted", arguments: [0, 1])
    func honest(index: Int) {
        let interface = Self.interfaces[index]
        #expect(interface.accepts(interface.fields))
        #expect(Self.naiveAccepts(interface, interface.fields))
    }

    @Test(
        "one boundary moved by any distance is refused, and a server without a grammar accepts every one",
        arguments: [0, 1])
    func oneBoundary(index: Int) {
        let interface = Self.interfaces[index]
        let length = interface.values.joined().count
        var tried = 0
        for boundary in 0..<interface.order.count - 1 {
            for shift in -length...length where shift != 0 {
                var shifts = [Int](repeating: 0, count: interface.order.count - 1)
                shifts[boundary] = shift
                guard let fields = Self.moved(interface, by: shifts) else { continue }
                tried += 1
                #expect(!interface.accepts(fields), "boundary \(boundary) moved by \(shift)")
                #expect(Self.naiveAccepts(interface, fields))
            }
        }
        #expect(tried > 150)
    }

    @Test("several boundaries moved at once are refused", arguments: [0, 1])
    func severalBoundaries(index: Int) {
        let interface = Self.interfaces[index]
        let boundaries = interface.order.count - 1
        var tried = 0
        for number in 0..<Int((0..<boundaries).reduce(1) { product, _ in product * 5 }) {
            var rest = number
            let shifts = (0..<boundaries).map { _ in
                defer { rest /= 5 }
                return rest % 5 - 2
            }
            guard shifts.contains(where: { $0 != 0 }), let fields = Self.moved(interface, by: shifts) else { continue }
            tried += 1
            if interface.accepts(fields) { Issue.record("boundaries moved by \(shifts) were accepted") }
        }
        #expect(tried > 1000)
    }

    @Test("of all the ways to cut the joined text, the grammar reads exactly one", arguments: [0, 1])
    func exhaustive(index: Int) {
        let interface = Self.interfaces[index]
        let text = interface.values.joined()
        let positions = Array(text.indices) + [text.endIndex]
        // ways[p]: in how many ways the fields so far can end at position p. Every cut is counted, none is tried one
        // by one.
        var ways = [Int](repeating: 0, count: positions.count)
        ways[0] = 1
        for matches in interface.grammar {
            var next = [Int](repeating: 0, count: positions.count)
            for start in positions.indices where ways[start] > 0 {
                for end in start..<positions.count where matches(text[positions[start]..<positions[end]]) {
                    next[end] += ways[start]
                }
            }
            ways = next
        }
        #expect(ways[positions.count - 1] == 1)
    }

    @Test("characters of the token cannot pass into the app key")
    func keyBoundary() {
        var fields = Requests.loginFields()
        fields["token"] = Fixtures.loginToken + String(DemoKeys.appKey.prefix(1))
        #expect(!Self.login.accepts(fields))
    }

    @Test("the attacks on record fail: a version that lends to the message id, a time that turns the address check off")
    func onRecord() {
        // Measured against a lenient parser: version 2.0 and id "b…" become version 2 and id ".0b…", which a memory
        // of ids does not know.
        var fields = Requests.loginFields()
        fields["version"] = "2"
        fields["msgid"] = ".0" + fields["msgid"]!
        #expect(Self.naiveAccepts(Self.login, fields))
        #expect(!Self.login.accepts(fields))
        fields = Requests.loginFields(strictCheck: "1")
        let original = fields
        fields["systemtime"] = String(fields["systemtime"]!.dropLast())
        fields["strictcheck"] = String(original["systemtime"]!.suffix(1))
        fields["token"] = "1" + fields["token"]!
        #expect(Requests.login(fields)["sign"] == Requests.login(original)["sign"])
        #expect(throws: Refusal.self) { try LoginTokenValidateRequest(Requests.login(fields)) }
    }
}
