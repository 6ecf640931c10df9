@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import Testing

@testable import Endpoints
@testable import Requests
@testable import ServerHTTP

@Suite("OneLogin's check_phone")
struct CheckPhoneTests {
    private let endpoints = OneLoginEndpoints(.only(VendorRequests.app()))

    @Test("the answer has the documented members, and the number in clear")
    func success() async {
        let answer = await endpoints.answer(.checkPhone, VendorRequests.checkPhone())
        #expect(answer == .object(["status": 200, "error_msg": "", "result": "14700000000", "charge": true]))
    }

    @Test("a refusal has the same members, an empty result, and is not charged")
    func refusal() async {
        let answer = await endpoints.answer(
            .checkPhone, VendorRequests.checkPhone().setting("sign", .string(String(repeating: "0", count: 64))))
        #expect(answer["status"] == 12109)
        #expect(answer["result"] == "")
        #expect(answer["charge"] == false)
        #expect(answer["error_msg"]?.stringValue != nil)
    }

    @Test(
        "is_phone_encode encrypts the number, however the wish is written",
        arguments: [JSON.bool(true), "true", "1", .number("1")])
    func encrypted(wish: JSON) async {
        let request = VendorRequests.checkPhone().setting("is_phone_encode", wish)
        let result = await endpoints.answer(.checkPhone, request)["result"]?.stringValue
        let cipher = ZeroVectorCipher(appKey: VendorRequests.appKey, keyBytes: 32)
        #expect(result == (try? cipher?.encrypt("14700000000")))
        #expect(result?.utf8.count == 32)
    }

    @Test(
        "without the wish the number comes in clear",
        arguments: [JSON.bool(false), "false", "0", .number("0"), "", .null])
    func clear(wish: JSON) async {
        let request = VendorRequests.checkPhone().setting("is_phone_encode", wish)
        #expect(await endpoints.answer(.checkPhone, request)["result"] == "14700000000")
    }

    @Test("a key that is too short to encrypt with leaves the token unspent")
    func shortKey() async {
        let service = ScriptedServerService(.only(VendorRequests.app(key: "short")))
        let request = VendorRequests.checkPhone(key: "short").setting("is_phone_encode", true)
        #expect(await OneLoginEndpoints(service: service).code(.checkPhone, request) == "500")
        #expect(service.seen.tokens.isEmpty)
    }

    @Test(
        "what is missing or malformed has the code of its own row",
        arguments: [
            ("process_id", nil, "12000"), ("process_id", "", "12000"), ("process_id", "0011", "12003"),
            ("process_id", .string("00112233445566778899AABBCCDDEEFF"), "12003"), ("process_id", .bool(true), "12003"),
            ("token", nil, "12001"), ("token", "", "12001"), ("token", "STsid", "12200"), ("sign", nil, "12002"),
            ("sign", "", "12002"), ("sign", "zz", "12109"),
            ("sign", .string(String(repeating: "a", count: 2049)), "12109"),
            ("timestamp", nil, "12005"), ("timestamp", "1542355862", "12005"), ("timestamp", "154235586299x", "12005"),
            ("timestamp", .number("1.542355862990e12"), "12005"), ("timestamp", .array([]), "12005"),
            ("is_phone_encode", "yes", "12004"), ("is_phone_encode", .array([]), "12004"),
            ("app_id", "no", "12102"),
        ] as [(String, JSON?, String)])
    func grammar(name: String, value: JSON?, code: String) async {
        let service = ScriptedServerService(.only(VendorRequests.app()))
        let request = VendorRequests.checkPhone().setting(name, value)
        #expect(await OneLoginEndpoints(service: service).code(.checkPhone, request) == code)
        #expect(service.seen.tokens.isEmpty)
    }

    @Test("what is no JSON object is refused, and so is a member that occurs twice")
    func noObject() async {
        for text in ["", "[]", "1", "{", #"{"token":"a","token":"b"}"#] {
            let answer = await endpoints.answer(
                .checkPhone, body: EndpointRoute.parse(Array(text.utf8)), peer: Fixtures.server)
            #expect(answer.code == "12000", "\(text)")
        }
    }

    @Test("every refusal of the authority has its code")
    func codes() async {
        for (situation, code) in [
            (.tokenSpent, "12101"), (.processIDUnknown, "12100"), (.tokenWrongApp, "12103"), (.quotaExceeded, "12104"),
            (.tokenExpired, "12200"), (.subscriptionChanged, "12200"), (.tokenWrongProcess, "12200"),
            (.tokenWrongPurpose, "12200"), (.storeUnavailable, "500"),
        ] as [(Situation, String)] {
            let endpoints = OneLoginEndpoints(.only(VendorRequests.app(), refusal: Refusal(situation, "")))
            #expect(await endpoints.code(.checkPhone, VendorRequests.checkPhone()) == code, "\(situation)")
        }
    }
}
