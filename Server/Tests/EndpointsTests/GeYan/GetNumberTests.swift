@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import Endpoints
@testable import Requests

@Suite("GeYan's gy_get_pn")
struct GetNumberTests {
    private static let app = VendorRequests.app(VendorRequests.geYanApp)

    private static let unsignedApp = VendorRequests.app(VendorRequests.geYanApp) {
        $0.unsignedRequests = true
        $0.serverAddresses = ["203.0.113.7"]
    }

    private let endpoints = GeYanEndpoints(.only(Self.app))

    @Test("the answer has the documented members, and the number in clear", arguments: GeYanEndpoints.Path.allCases)
    func success(path: GeYanEndpoints.Path) async {
        let answer = await endpoints.answer(path, VendorRequests.longSigned())
        #expect(answer["errno"] == 0)
        #expect(answer["data"]?["result"] == "20000")
        #expect(answer["data"]?["msg"]?.stringValue != nil)
        #expect(answer["data"]?["data"] == .object(["pn": "14700000000"]))
    }

    @Test("clients of version 2 sign the time, name no process, and get the number encrypted as they decrypt it")
    func shortSign() async throws {
        let answer = await endpoints.answer(.version2, VendorRequests.shortSigned())
        let number = answer["data"]?["data"]?["pn"]?.stringValue
        let cipher = try #require(ZeroVectorCipher(appKey: VendorRequests.appKey, keyBytes: 16))
        #expect(number == (try cipher.encrypt("14700000000")))
        #expect(
            await endpoints.code(.version1, VendorRequests.shortSigned()) == "60008", "version 1 knows no such sign")
    }

    @Test("a refusal holds no data", arguments: GeYanEndpoints.Path.allCases)
    func refusal(path: GeYanEndpoints.Path) async {
        let answer = await endpoints.answer(path, VendorRequests.getNumber())
        #expect(answer["errno"] == 0)
        #expect(answer["data"]?["result"] == "60008")
        #expect(answer["data"]?["data"] == nil)
    }

    @Test("the unsigned form is for apps that are granted it, and a wrong sign is wrong there too")
    func unsigned() async {
        let request = VendorRequests.getNumber()
        #expect(await endpoints.code(.version1, request) == "60008")
        let granted = GeYanEndpoints(.only(Self.unsignedApp))
        for path in GeYanEndpoints.Path.allCases {
            #expect(await granted.code(path, request) == "20000")
            #expect(await granted.code(path, VendorRequests.longSigned(request, key: "guess")) == "60008")
            #expect(await granted.code(path, request.setting("sign", "")) == "20000", "empty is absent")
        }
    }

    @Test("members that nobody knows are left alone in the unsigned form", arguments: GeYanEndpoints.Path.allCases)
    func unknownMembers(path: GeYanEndpoints.Path) async {
        let request = VendorRequests.getNumber().setting("more", "1").setting("other", .object(["a": .array([])]))
        #expect(await GeYanEndpoints(.only(Self.unsignedApp)).code(path, request) == "20000")
    }

    @Test(
        "the grant does not count where the addresses leave room for strangers",
        arguments: [[], ["0.0.0.0/0"], ["203.0.113.0/28"], ["203.0.113.7", "203.0.113.0/24"], ["2001:db8::/63"]])
    func wideAddresses(addresses: [String]) async {
        let app = VendorRequests.app(VendorRequests.geYanApp) {
            $0.unsignedRequests = true
            $0.serverAddresses = addresses
        }
        #expect(await GeYanEndpoints(.only(app)).code(.version1, VendorRequests.getNumber()) == "60008")
    }

    @Test(
        "what is missing or malformed has the code of its own row",
        arguments: [
            ("appId", nil, "40005"), ("appId", "", "40005"), ("appId", "short", "40004"),
            ("token", nil, "40032"), ("token", "STsid", "40032"), ("processId", "0011", "40032"),
            ("timestamp", "1542355862", "40032"), ("gyuid", .string(String(repeating: "g", count: 129)), "40032"),
            ("gyuid", .array([]), "40032"),
        ] as [(String, JSON?, String)])
    func grammar(name: String, value: JSON?, code: String) async {
        let service = ScriptedServerService(.only(Self.unsignedApp))
        let request = VendorRequests.getNumber().setting(name, value)
        #expect(await GeYanEndpoints(service: service).code(.version2, request) == code)
        #expect(service.seen.tokens.isEmpty)
    }

    @Test("no member that the long sign covers can be changed, added or left out")
    func tampering() async {
        let request = VendorRequests.longSigned()
        for (name, value) in [
            ("token", .string(Fixtures.userToken)), ("processId", nil), ("gyuid", "GY_2"), ("more", "1"),
            ("timestamp", .string(VendorRequests.timestamp)), ("more", .array([])),
        ] as [(String, JSON?)] {
            #expect(await endpoints.code(.version2, request.setting(name, value)) == "60008", "\(name)")
        }
    }

    @Test("an app with a time tolerance must hear a time, in every form")
    func tolerance() async {
        for change in [{ _ in }, { $0.unsignedRequests = true }] as [(inout AppRecord) -> Void] {
            let app = VendorRequests.app(VendorRequests.geYanApp) {
                $0.requestTimeTolerance = 60
                $0.serverAddresses = ["203.0.113.7"]
                change(&$0)
            }
            let endpoints = GeYanEndpoints(.only(app))
            let timed = VendorRequests.getNumber().setting("timestamp", .string(VendorRequests.timestamp))
            #expect(await endpoints.code(.version2, VendorRequests.longSigned()) == "40032")
            #expect(await endpoints.code(.version2, VendorRequests.longSigned(timed)) == "20000")
            guard app.mayCallUnsigned else { continue }
            #expect(await endpoints.code(.version2, VendorRequests.getNumber()) == "40032")
            #expect(await endpoints.code(.version2, timed) == "20000")
        }
    }

    @Test("every refusal of the authority has its code")
    func codes() async {
        for (situation, code) in [
            (.tokenSpent, "60001"), (.tokenWrongProcess, "60001"), (.tokenExpired, "60001"), (.quotaExceeded, "60002"),
            (.capabilityMissing, "60004"), (.storeUnavailable, "50001"), (.internalError, "50000"),
        ] as [(Situation, String)] {
            let endpoints = GeYanEndpoints(.only(Self.app, refusal: Refusal(situation, "")))
            #expect(await endpoints.code(.version2, VendorRequests.longSigned()) == code, "\(situation)")
        }
        #expect(await endpoints.code(.version2, VendorRequests.longSigned(), from: nil) == "40031")
        let stranger = VendorRequests.longSigned(VendorRequests.getNumber(app: "zzzzzzzzzzzzzzzzzzzzzz"))
        #expect(await endpoints.code(.version2, stranger) == "40004")
    }
}
