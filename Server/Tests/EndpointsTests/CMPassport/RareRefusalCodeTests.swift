@_spi(Server) import BenjiProtocol
import ServerTestKit
import Testing

@testable import Endpoints
@testable import Requests

/// Refusals that seldom or never end a redemption, checked so that no caller meets an unchecked answer.
@Suite("Rare refusals as the documents' codes")
struct RareRefusalCodeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var situation: Situation
        var carrier: Carrier?
        var phone: String
        var verify: String
        var user: String
        var testDescription: String { "\(situation.rawValue) \(carrier?.rawValue ?? "")" }

        init(_ situation: Situation, _ phone: String, _ verify: String, _ user: String, on carrier: Carrier? = nil) {
            self.situation = situation
            self.carrier = carrier
            self.phone = phone
            self.verify = verify
            self.user = user
        }
    }

    /// Written from the documents' tables, not from the code that is tested.
    static let rows: [Row] = [
        Row(.subscriberUnsupported, "105002", "002", "105002", on: .mobile),
        Row(.subscriberUnsupported, "105001", "002", "105001", on: .unicom),
        Row(.subscriberUnsupported, "105003", "002", "105003", on: .telecom),
        Row(.carrierUnsupported, "105002", "002", "105002", on: .mobile),
        Row(.carrierUnsupported, "105013", "002", "105001", on: .unicom),
        Row(.carrierUnsupported, "105012", "002", "105003", on: .telecom),
        Row(.bundleMismatch, "103102", "003", "103112"),
        Row(.scripInvalid, "103902", "003", "103902"),
        Row(.sourceIDTaken, "103139", "003", "103139"),
        Row(.sourceIDLimit, "103408", "003", "103139"),
        Row(.encryptionFailed, "103404", "003", "103205"),
        // A situation that only a phone can detect has the tables' widest codes.
        Row(.noSIM, "103211", "003", "103112"),
    ]

    @Test(
        "a refusal has the document's code, with the carrier where the document tells carriers apart", arguments: rows)
    func refusal(row: Row) async throws {
        let refusal = Refusal(row.situation, "the reason", trace: Fixtures.trace, carrier: row.carrier)
        let endpoints = CMPassportEndpoints(ScriptedServerService(.init(refusal: refusal)))
        #expect(await endpoints.answer(.loginTokenValidate, Requests.login())["resultCode"] == .string(row.phone))
        let verification = await endpoints.answer(.numberVerification, Requests.verification())
        #expect(verification["header"]?["resultCode"] == .string(row.verify))
        let user = await endpoints.answer(.userInformation, try Requests.user())
        #expect(user["header"]?["resultCode"] == .string(row.user))
    }
}
