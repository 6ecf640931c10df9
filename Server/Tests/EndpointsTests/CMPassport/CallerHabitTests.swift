@_spi(Server) import BenjiProtocol
import Testing

@testable import Endpoints
@testable import Requests

/// Habits of backends in production that a compatible server must keep accepting.
@Suite("Habits of real callers")
struct CallerHabitTests {
    private let endpoints = CMPassportEndpoints(ScriptedServerService())

    private func lowercased(_ json: JSON?) -> JSON { .string(json?.stringValue?.lowercased() ?? "") }

    @Test("signs and hashes may be written in lower case")
    func lowerCase() async throws {
        let login = Requests.login()
        #expect(await endpoints.code(.loginTokenValidate, login.setting("sign", lowercased(login["sign"]))) == "103000")
        var fields = Requests.verificationFields()
        fields["phoneNum"] = fields["phoneNum"]?.lowercased()
        let verification = Requests.verification(fields)
        let sign = lowercased(verification["body"]?["sign"])
        #expect(await endpoints.code(.numberVerification, verification.setting("body.sign", sign)) == "000")
        let user = try Requests.user()
        let lower = user.setting("header.sign", lowercased(user["header"]?["sign"]))
        #expect(await endpoints.code(.userInformation, lower) == "103000")
    }

    @Test("numbers may be JSON numbers")
    func numbers() async {
        let login = Requests.login().setting("appid", .number("300000000001")).setting("strictcheck", .number("0"))
            .setting("systemtime", .number("20180129112955435")).setting("version", .number("2.0"))
        #expect(await endpoints.code(.loginTokenValidate, login) == "103000")
        let verification = Requests.verification().setting("header.appId", .number("300000000001"))
            .setting("header.timestamp", .number("20180129105523519")).setting("body.openType", .number("1"))
            .setting("body.requesterType", .number("0"))
        let answer = await endpoints.answer(.numberVerification, verification)
        #expect(answer["header"]?["resultCode"] == "000")
        #expect(answer["header"]?["appId"] == "300000000001")
    }

    @Test("empty texts and null are absent")
    func empty() async throws {
        let login = Requests.login().setting("expandparams", "").setting("encryptionalgorithm", "")
        #expect(await endpoints.code(.loginTokenValidate, login) == "103000")
        #expect(await endpoints.code(.loginTokenValidate, login.setting("expandparams", .null)) == "103000")
        let verification = Requests.verification().setting("body.message", "").setting("body.expandParams", "")
            .setting("body.keyType", "")
        #expect(await endpoints.code(.numberVerification, verification) == "000")
        let user = try Requests.user(sourceID: "", targetSourceID: "").setting("header.expandparams", .object([]))
        let answer = await endpoints.answer(.userInformation, user)
        #expect(answer["header"]?["resultCode"] == "103000")
        #expect(answer["body"]?["fromsourceid"] == nil)
    }

    @Test(
        "a message id may be a UUID with dashes, without, or one character",
        arguments: ["335e06a2-8f06-4b99-9d6a-25e403991e4c", "335E06A28F064B999D6A25E403991E4C", "1"])
    func messageID(id: String) async {
        let answer = await endpoints.answer(.loginTokenValidate, Requests.login(Requests.loginFields(messageID: id)))
        #expect(answer["resultCode"] == "103000")
        #expect(answer["inresponseto"] == .string(id))
    }

    @Test("requesterType 1 needs no openType; requesterType 0 does")
    func openType() async {
        let web = Requests.verification().setting("body.requesterType", "1").setting("body.openType", nil)
        #expect(await endpoints.code(.numberVerification, web) == "000")
        let app = Requests.verification().setting("body.openType", nil)
        #expect(await endpoints.code(.numberVerification, app) == "102")
    }

    @Test("members that nobody knows are left alone")
    func unknownMembers() async throws {
        let extra = JSON.object(["a": .array([.bool(true)])])
        #expect(await endpoints.code(.loginTokenValidate, Requests.login().setting("x", extra)) == "103000")
        #expect(await endpoints.code(.numberVerification, Requests.verification().setting("body.x", extra)) == "000")
        #expect(await endpoints.code(.userInformation, try Requests.user().setting("header.x", extra)) == "103000")
    }

    @Test("strictcheck 1 is as good as 0: the address is checked whatever it says")
    func strictCheck() async {
        let request = Requests.login(Requests.loginFields(strictCheck: "1"))
        #expect(await endpoints.code(.loginTokenValidate, request) == "103000")
        for check in ["0", "1"] {
            let service = ScriptedServerService(.init(admission: Refusal(.serverAddressNotAllowed, "")))
            let request = Requests.login(Requests.loginFields(strictCheck: check))
            #expect(await CMPassportEndpoints(service).code(.loginTokenValidate, request) == "103511")
            #expect(service.seen.tokens.isEmpty)
        }
    }

    @Test("a connection without an address reaches nothing")
    func noAddress() async throws {
        #expect(await endpoints.code(.loginTokenValidate, Requests.login(), from: nil) == "103511")
        #expect(await endpoints.code(.numberVerification, Requests.verification(), from: nil) == "124")
        #expect(await endpoints.code(.userInformation, try Requests.user(), from: nil) == "103111")
    }
}
