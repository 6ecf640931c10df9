#if DEBUG
import BenjiClient
import BenjiProtocol
import BenjiTesting
import Testing

@testable import Benji

@Suite("An app in the sandbox")
struct SandboxConfigurationTests {
    private static let app = JSON.object([
        "id": .string("300000000001"), "key": .string("the app's key"), "bundleId": .string("com.example.yours"),
        "gateway": .string("http://elsewhere.example"),
    ])

    @Test("it asks the sandbox for its app, and calls by the phone's path on the page's port")
    func configuration() async throws {
        let transport = ScriptedTransport([.json(.object(["id": .string("phone-2")])), .json(Self.app), .prefetched()])
        let configuration = try await PhoneLogin.Configuration.sandbox(
            "http://localhost:8090/", phone: "phone-2", over: transport)
        #expect(configuration.isSandbox)
        let benji = PhoneLogin(
            configuration: configuration, transport: SandboxTransport(transport), keyStore: MemoryDeviceKeyStore())
        try await benji.prefetch()
        #expect(
            await transport.requests.map(\.url.description) == [
                "http://localhost:8090/api/phones/phone-2", "http://localhost:8090/api/app",
                "http://localhost:8090/phones/phone-2/gateway/device/v1/prefetch",
            ])
    }

    @Test("a phone without mobile data ends as a real one does")
    func noMobileData() async throws {
        let off = TransportResponse(status: 503, headers: ["Benji-Sandbox-Error": "cellularUnavailable"])
        let transport = ScriptedTransport([.json(.object([:])), .json(Self.app), .response(off)])
        let configuration = try await PhoneLogin.Configuration.sandbox("http://localhost:8090", over: transport)
        let benji = PhoneLogin(
            configuration: configuration, transport: SandboxTransport(transport), keyStore: MemoryDeviceKeyStore())
        await #expect(throws: BenjiError(.cellularDataOff, "")) { try await benji.prefetch() }
    }

    @Test("an address without a sandbox and a phone that is not there are told")
    func nothingThere() async {
        for answer in [
            ScriptedTransport.Answer.json(.object([:]), status: 404),
            .response(TransportResponse(status: 200, body: [0x3c])),
        ] {
            await #expect(throws: BenjiError(.invalidArgument, "")) {
                try await PhoneLogin.Configuration.sandbox("http://localhost:8090", over: ScriptedTransport([answer]))
            }
        }
        await #expect(throws: BenjiError(.connectionRefused, "")) {
            try await PhoneLogin.Configuration.sandbox("http://localhost:8090", over: ScriptedTransport([]))
        }
    }
}
#endif
