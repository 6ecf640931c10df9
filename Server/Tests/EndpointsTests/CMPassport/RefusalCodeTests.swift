@_spi(Server) import BenjiProtocol
import Testing

@testable import Endpoints
@testable import Requests

/// Each refusal of the authority reaches the caller as the document's code, on each of the three interfaces.
@Suite("The authority's refusals as the documents' codes")
struct RefusalCodeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var situation: Situation
        var phone: String
        var verify: String
        var user: String
        var testDescription: String { situation.rawValue }
    }

    /// Written from the documents' tables, not from the code that is tested.
    static let tokens: [Row] = [
        Row(situation: .tokenUnknown, phone: "104201", verify: "606", user: "103115"),
        Row(situation: .tokenExpired, phone: "104201", verify: "606", user: "103114"),
        Row(situation: .tokenSpent, phone: "104201", verify: "606", user: "103116"),
        Row(situation: .tokenWrongApp, phone: "103113", verify: "606", user: "103113"),
        Row(situation: .tokenWrongPurpose, phone: "105018", verify: "606", user: "103104"),
        Row(situation: .subscriptionChanged, phone: "104201", verify: "606", user: "103114"),
        Row(situation: .assuranceTooLow, phone: "105018", verify: "606", user: "103104"),
        Row(situation: .messageReplayed, phone: "103505", verify: "103505", user: "103107"),
        Row(situation: .quotaExceeded, phone: "103911", verify: "102315", user: "103901"),
        Row(situation: .storeUnavailable, phone: "103214", verify: "999", user: "103214"),
        Row(situation: .internalError, phone: "103205", verify: "999", user: "103205"),
    ]

    static let admissions: [Row] = [
        Row(situation: .appSuspended, phone: "105018", verify: "124", user: "103104"),
        Row(situation: .appNotAllowed, phone: "105302", verify: "124", user: "103104"),
        Row(situation: .capabilityMissing, phone: "105019", verify: "124", user: "103104"),
        Row(situation: .serverAddressNotAllowed, phone: "103511", verify: "124", user: "103111"),
        Row(situation: .messageStale, phone: "103412", verify: "102", user: "103226"),
    ]

    private func expect(_ row: Row, from script: ScriptedServerService.Script) async throws -> ScriptedServerService {
        let service = ScriptedServerService(script)
        let endpoints = CMPassportEndpoints(service)
        let login = await endpoints.answer(.loginTokenValidate, Requests.login())
        #expect(login["resultCode"] == .string(row.phone))
        #expect(login["msisdn"] == nil)
        let verification = await endpoints.answer(.numberVerification, Requests.verification())
        #expect(verification["header"]?["resultCode"] == .string(row.verify))
        let user = await endpoints.answer(.userInformation, try Requests.user())
        #expect(user["header"]?["resultCode"] == .string(row.user))
        #expect(user["body"] == .object([]))
        for answer in [login, verification, user] { #expect(!answer.text.contains("the reason")) }
        return service
    }

    @Test("what is found about the token", arguments: tokens)
    func token(row: Row) async throws {
        let refusal = Refusal(row.situation, "the reason", trace: Fixtures.trace)
        let service = try await expect(row, from: .init(refusal: refusal))
        #expect(service.seen.tokens.count == 3)
        let answer = await CMPassportEndpoints(service).answer(.loginTokenValidate, Requests.login())
        #expect(answer["taskId"] == .string(Fixtures.trace.rawValue))
    }

    @Test("what is found about the call, before any token is touched", arguments: admissions)
    func admission(row: Row) async throws {
        let service = try await expect(row, from: .init(admission: Refusal(row.situation, "the reason")))
        #expect(service.seen.tokens.isEmpty)
    }
}
