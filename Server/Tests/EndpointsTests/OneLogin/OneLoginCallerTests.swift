@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import Endpoints
@testable import Requests

/// The habits of OneLogin's and OnePass's backends, and the checks of their identity.
@Suite("Callers of OneLogin's interfaces")
struct OneLoginCallerTests {
    private static let requests: [(OneLoginEndpoints.Path, JSON)] = [
        (.checkPhone, VendorRequests.checkPhone()), (.checkGateway, VendorRequests.checkGateway()),
    ]

    private let endpoints = OneLoginEndpoints(.only(VendorRequests.app()))

    @Test(
        "times may be JSON numbers, signs in upper case, unknown and empty members are left alone", arguments: [0, 1])
    func habits(index: Int) async {
        let (path, request) = Self.requests[index]
        let upper = request["sign"]?.stringValue?.uppercased() ?? ""
        for changed in [
            request.setting("timestamp", .number(VendorRequests.timestamp)), request.setting("sign", .string(upper)),
            request.setting("authcode", ""), request.setting("authcode", "0000"),
            request.setting("x", .object(["a": .array([])])),
            request.setting("app_id", .string(VendorRequests.oneLoginApp.rawValue)),
        ] {
            #expect(await endpoints.code(path, changed) == "200", "\(changed.text)")
        }
    }

    @Test("the process id goes with the token to the authority, and no message name does", arguments: [0, 1])
    func call(index: Int) async throws {
        let (path, request) = Self.requests[index]
        let service = ScriptedServerService(.only(VendorRequests.app()))
        _ = await OneLoginEndpoints(service: service).answer(path, request)
        let call = try #require(service.seen.calls.first)
        #expect(call.trace == Fixtures.trace)
        #expect(call.messageID == nil)
        #expect(call.peer == Fixtures.server)
        #expect(call.sentAt == Timestamp(milliseconds: 1_542_355_862_990))
        #expect(service.seen.capabilities == [path == .checkPhone ? .login : .verification])
    }

    @Test("a sign for another time, another app or under another key is wrong", arguments: [0, 1])
    func wrongSigns(index: Int) async {
        let (path, request) = Self.requests[index]
        let wrong = path == .checkPhone ? "12109" : "2104"
        for sign in [
            OneLoginSigning.sign(
                appID: VendorRequests.oneLoginApp.rawValue, timestamp: "1542355862991", appKey: VendorRequests.appKey),
            OneLoginSigning.sign(
                appID: VendorRequests.geYanApp.rawValue, timestamp: VendorRequests.timestamp,
                appKey: VendorRequests.appKey),
            OneLoginSigning.sign(
                appID: VendorRequests.oneLoginApp.rawValue, timestamp: VendorRequests.timestamp, appKey: "another"),
        ] {
            #expect(await endpoints.code(path, request.setting("sign", .string(sign))) == wrong)
        }
    }

    @Test("naming one's own app beside another's token leaves the answer to the authority", arguments: [0, 1])
    func foreignToken(index: Int) async {
        let (path, request) = Self.requests[index]
        var script = ScriptedServerService.Script.only(VendorRequests.app(), refusal: Refusal(.tokenWrongApp, ""))
        script.owner = VendorRequests.geYanApp
        let named = request.setting("app_id", .string(VendorRequests.oneLoginApp.rawValue))
        #expect(await OneLoginEndpoints(script).code(path, named) == (path == .checkPhone ? "12103" : "3200"))
    }

    @Test("a token that nobody knows is refused before any app is", arguments: [0, 1])
    func unknownToken(index: Int) async {
        let (path, request) = Self.requests[index]
        var script = ScriptedServerService.Script.only(VendorRequests.app())
        script.owner = nil
        let service = ScriptedServerService(script)
        #expect(
            await OneLoginEndpoints(service: service).code(path, request) == (path == .checkPhone ? "12200" : "3200"))
        #expect(service.seen.readings == 0)
    }

    @Test("a connection without an address reaches nothing, and what the authority does not admit redeems nothing")
    func admission() async {
        for (path, request) in Self.requests {
            let expected = path == .checkPhone ? "12007" : "3101"
            #expect(await endpoints.code(path, request, from: nil) == expected)
            var script = ScriptedServerService.Script.only(VendorRequests.app())
            script.admission = Refusal(.serverAddressNotAllowed, "")
            let service = ScriptedServerService(script)
            #expect(await OneLoginEndpoints(service: service).code(path, request) == expected)
            #expect(service.seen.tokens.isEmpty)
        }
    }
}
