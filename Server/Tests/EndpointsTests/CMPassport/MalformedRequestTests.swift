@_spi(Server) import BenjiProtocol
import Testing

@testable import Endpoints
@testable import ServerHTTP

/// Every malformed shape gets its code, and reaches no token.
@Suite("Malformed requests of app servers")
struct MalformedRequestTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        var name: String
        var change: String
        var value: JSON?
        var code: String
        var testDescription: String { "\(change): \(name) is \(code)" }

        init(_ change: String, _ name: String, _ value: JSON?, _ code: String) {
            self.name = name
            self.change = change
            self.value = value
            self.code = code
        }
    }

    static let loginShapes: [Shape] = [
        Shape("version", "missing", nil, "103414"), Shape("version", "1.0", "1.0", "103414"),
        Shape("version", "2", .number("2"), "103414"), Shape("version", "2.00", "2.00", "103414"),
        Shape("appid", "missing", nil, "103414"), Shape("appid", "empty", "", "103414"),
        Shape("appid", "short", "30000000001", "103119"), Shape("appid", "letters", "30000000000a", "103119"),
        Shape("appid", "full-width digits", "３00000000001", "103119"),
        Shape("appid", "an exponent", .number("3.00000000001e11"), "103119"),
        Shape("appid", "unknown", "300000000002", "103119"), Shape("appid", "an object", .object([]), "103414"),
        Shape("msgid", "missing", nil, "103414"),
        Shape("msgid", "37 long", .string(String(repeating: "a", count: 37)), "103414"),
        Shape("msgid", "a dot", "a.b", "103414"), Shape("msgid", "a space", "a b", "103414"),
        Shape("msgid", "true", true, "103414"), Shape("systemtime", "missing", nil, "103414"),
        Shape("systemtime", "16 digits", "2018012911295543", "103414"),
        Shape("systemtime", "no such day", "20180229112955435", "103414"),
        Shape("strictcheck", "missing", nil, "103414"), Shape("strictcheck", "7", "7", "103414"),
        Shape("strictcheck", "00", "00", "103414"), Shape("token", "missing", nil, "103811"),
        Shape("token", "empty", "", "103811"), Shape("token", "null", .null, "103811"),
        Shape("token", "another prefix", .string("SCrip" + Fixtures.loginToken.dropFirst(5)), "103113"),
        Shape("token", "one short", .string(String(Fixtures.loginToken.dropLast())), "103113"),
        Shape("token", "one long", .string(Fixtures.loginToken + "0"), "103113"),
        Shape("token", "a dash", .string(Fixtures.loginToken.dropLast() + "-"), "103113"),
        Shape("sign", "missing", nil, "103401"), Shape("sign", "empty", "", "103401"),
        Shape("sign", "not hexadecimal", "zz", "103101"),
        Shape("sign", "of another", .string(String(repeating: "0", count: 32)), "103101"),
        Shape("sign", "an array", .array([]), "103414"),
        Shape("sign", "huge", .string(String(repeating: "0", count: 4096)), "103101"),
        Shape("encryptionalgorithm", "RSA, where MD5 is registered", "RSA", "103101"),
        Shape("encryptionalgorithm", "a number, which is not RSA", .number("1"), "103000"),
        Shape("encryptionalgorithm", "an array", .array([]), "103414"),
    ]

    @Test("loginTokenValidate", arguments: loginShapes)
    func login(shape: Shape) async {
        let service = ScriptedServerService()
        let request = Requests.login().setting(shape.change, shape.value)
        let answer = await CMPassportEndpoints(service).answer(.loginTokenValidate, request)
        #expect(answer["resultCode"] == .string(shape.code))
        #expect(answer["resultcode"] == .string(shape.code))
        #expect(service.seen.tokens.isEmpty == (shape.code != "103000"))
        if shape.code != "103000" { #expect(answer["msisdn"] == nil) }
    }

    static let verificationShapes: [Shape] = [
        Shape("header", "missing", nil, "303"), Shape("header", "an array", .array([]), "303"),
        Shape("body", "missing", nil, "303"), Shape("body", "a string", "x", "303"),
        Shape("header.version", "2.0", "2.0", "102"), Shape("header.version", "missing", nil, "102"),
        Shape("header.appId", "missing", nil, "102"), Shape("header.appId", "short", "1", "102"),
        Shape("header.appId", "unknown", "300000000002", "124"), Shape("header.msgId", "missing", nil, "102"),
        Shape("header.msgId", "a slash", "a/b", "102"), Shape("header.timestamp", "missing", nil, "102"),
        Shape("header.timestamp", "words", "yesterday", "102"), Shape("body.requesterType", "missing", nil, "102"),
        Shape("body.requesterType", "2", "2", "102"), Shape("body.openType", "4", "4", "102"),
        Shape("body.keyType", "1", "1", "102"), Shape("body.phoneNum", "missing", nil, "102"),
        Shape("body.phoneNum", "a number in clear", "14700000000", "004"),
        Shape("body.phoneNum", "63 digits", .string(String(repeating: "A", count: 63)), "004"),
        Shape("body.phoneNum", "no hexadecimal", .string(String(repeating: "G", count: 64)), "004"),
        Shape("body.phoneNum", "of other letters", .string(String(repeating: "A", count: 64)), "302"),
        Shape("body.token", "missing", nil, "606"), Shape("body.token", "malformed", "x", "606"),
        Shape("body.sign", "missing", nil, "302"), Shape("body.sign", "wrong", "00", "302"),
        Shape("body.message", "an object", .object([]), "102"),
        Shape("body.expandParams", "an array", .array([]), "102"),
    ]

    @Test("tokenValidate of TYRZSDK's document", arguments: verificationShapes)
    func verification(shape: Shape) async {
        let service = ScriptedServerService()
        let request = Requests.verification().setting(shape.change, shape.value)
        let answer = await CMPassportEndpoints(service).answer(.numberVerification, request)
        #expect(answer["header"]?["resultCode"] == .string(shape.code))
        #expect(service.seen.tokens.isEmpty)
    }

    static let userShapes: [Shape] = [
        Shape("header", "missing", nil, "103112"), Shape("body", "missing", nil, "103112"),
        Shape("header.version", "2.0", "2.0", "103127"), Shape("header.appid", "short", "1", "103119"),
        Shape("header.appid", "unknown", "300000000002", "103119"), Shape("header.appid", "missing", nil, "103112"),
        Shape("header.msgid", "missing", nil, "103112"), Shape("header.systemtime", "bad", "1", "103112"),
        Shape("header.strictcheck", "2", "2", "103112"), Shape("header.apptype", "missing", nil, "103112"),
        Shape("header.apptype", "6", "6", "103112"), Shape("header.sourceid", "letters", "abc", "103133"),
        Shape("header.sourceid", "33 digits", .string(String(repeating: "1", count: 33)), "103133"),
        Shape("header.sourceid", "of nobody", "800120170818101448", "103118"),
        Shape("header.ssotosourceid", "of nobody", "800120170818101448", "103118"),
        Shape("header.ssotosourceid", "letters", "x", "103133"), Shape("header.sign", "missing", nil, "103101"),
        Shape("header.sign", "wrong", "00", "103101"), Shape("body.token", "missing", nil, "103113"),
        Shape("body.token", "malformed", "x", "103113"),
    ]

    @Test("tokenValidate of TYRZLogin's document", arguments: userShapes)
    func user(shape: Shape) async throws {
        let service = ScriptedServerService()
        let request = try Requests.user().setting(shape.change, shape.value)
        let answer = await CMPassportEndpoints(service).answer(.userInformation, request)
        #expect(answer["header"]?["resultCode"] == .string(shape.code))
        #expect(answer["body"] == .object([]))
        #expect(service.seen.tokens.isEmpty)
    }

    @Test(
        "what is not one JSON object is a malformed request",
        arguments: [
            "", " ", "null", "[]", "\"x\"", "{", "{}{}", "{\"a\":1,}", "appid=300000000001&token=x", "\u{feff}{}",
            "{'a':1}", "{\"a\":01}", "{\"a\":\"\\ud800\"}",
            String(repeating: "[", count: 100),
            String(repeating: "{\"a\":", count: 40) + "1" + String(repeating: "}", count: 40),
        ])
    func notJSON(text: String) async {
        let endpoints = CMPassportEndpoints(ScriptedServerService())
        for (path, code) in zip(CMPassportEndpoints.Path.allCases, ["103112", "303", "103112"]) {
            #expect(
                await endpoints.answer(path, body: EndpointRoute.parse(Array(text.utf8)), peer: Fixtures.server).code
                    == code)
        }
    }

    @Test("a member that occurs twice is refused, whichever copy the sign would fit")
    func duplicates() async {
        let service = ScriptedServerService()
        let honest = Requests.login().text
        for copy in [#""token":"x","#, #""token":"\#(Fixtures.loginToken)","#, #""to\u006ben":"x","#] {
            let text = "{" + copy + honest.dropFirst()
            let answer = await CMPassportEndpoints(service).answer(
                .loginTokenValidate, body: EndpointRoute.parse(Array(text.utf8)), peer: Fixtures.server)
            #expect(answer.code == "103112")
        }
        #expect(service.seen.tokens.isEmpty)
    }

    @Test("an answer repeats an id only if it keeps the grammar")
    func echo() async {
        let endpoints = CMPassportEndpoints(ScriptedServerService())
        let hostile = Requests.login().setting("msgid", "<script>")
        #expect(await endpoints.answer(.loginTokenValidate, hostile)["inresponseto"] == "")
        let wrong = Requests.login().setting("token", "x")
        #expect(
            await endpoints.answer(.loginTokenValidate, wrong)["inresponseto"] == "335e06a28f064b999d6a25e403991e4c")
    }
}
