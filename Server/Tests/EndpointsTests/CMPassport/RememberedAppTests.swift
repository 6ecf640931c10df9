@_spi(Server) import BenjiProtocol
import Foundation
import Logging
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import Endpoints
@testable import Requests

@Suite("Apps that the server remembers")
struct RememberedAppTests {
    private static let requests: [(CMPassportEndpoints.Path, JSON, success: String)] = [
        (.loginTokenValidate, Requests.login(), "103000"), (.numberVerification, Requests.verification(), "000"),
    ]

    private func older(_ change: (inout AppRecord) -> Void = { _ in }, key: String = DemoKeys.appKey) -> RegisteredApp {
        var record = Fixtures.app().record
        record.revision = 0
        change(&record)
        return RegisteredApp(record: record, key: AppKey(key))
    }

    @Test("an app that is remembered as it is now is not read again", arguments: [0, 1])
    func present(index: Int) async {
        let (path, request, success) = Self.requests[index]
        let service = ScriptedServerService(.init(remembered: Fixtures.app()))
        #expect(await CMPassportEndpoints(service).code(path, request) == success)
        #expect(service.seen.readings == 0)
        #expect(service.seen.tokens.count == 1)
    }

    @Test("a request judged by an outdated record is judged again by the present one", arguments: [0, 1])
    func outdated(index: Int) async {
        let (path, request, success) = Self.requests[index]
        for remembered in [older(), older(key: "another"), older { $0.signAlgorithm = .rsa }] {
            let service = ScriptedServerService(.init(remembered: remembered))
            #expect(await CMPassportEndpoints(service).code(path, request) == success)
            #expect(service.seen.readings == 1)
            #expect(service.seen.tokens.count == 1)
        }
    }

    @Test("a key that was changed no longer signs, although the old one is remembered")
    func rotatedKey() async {
        let rotated = RegisteredApp(record: Fixtures.app().record, key: AppKey("the new key"))
        let service = ScriptedServerService(.init(apps: [Fixtures.appID: rotated], remembered: older()))
        #expect(await CMPassportEndpoints(service).code(.loginTokenValidate, Requests.login()) == "103101")
        #expect(service.seen.tokens.isEmpty)
    }

    @Test("what the authority refuses for another reason is not asked a second time")
    func refusedOnce() async {
        let service = ScriptedServerService(.init(refusal: Refusal(.tokenSpent, ""), remembered: Fixtures.app()))
        #expect(await CMPassportEndpoints(service).code(.loginTokenValidate, Requests.login()) != "103000")
        #expect(service.seen.tokens.count == 1)
        #expect(service.seen.readings == 0)
    }

    @Test("a server secret that another process has ended signs nothing here, and neither does what phones carry")
    func rotatedElsewhere() async throws {
        try await inWorld { world in
            func redeem(_ token: String, signedWith key: AppKey) async -> String {
                let fields = Requests.loginFields(
                    appID: world.app.record.id.rawValue, messageID: UUID().uuidString, token: token)
                return await world.endpoints.code(.loginTokenValidate, Requests.login(fields, appKey: key.reveal()))
            }
            let (first, id) = (world.app.serverSecret, world.app.record.id)
            #expect(await redeem(try await world.token(.login), signedWith: first) == "103000")
            let elsewhere = Authority(
                configuration: world.authority.configuration, store: world.store,
                vault: Vault(masterKey: MasterKey(bytes: Array(0..<32))), clock: world.clock,
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
            let second = try await elsewhere.apps.rotateKey(.server, of: id).serverSecret
            #expect(await redeem(try await world.token(.login), signedWith: first) == "103000", "beside the new one")
            #expect(await redeem(try await world.token(.login), signedWith: second) == "103000")
            try await elsewhere.apps.retireKey(.server, of: id)
            let token = try await world.token(.login)
            for key in [first, world.app.key] {
                #expect(await redeem(token, signedWith: key) == "103101")
            }
            #expect(await redeem(token, signedWith: second) == "103000", "it was not spent")
        }
    }
}
