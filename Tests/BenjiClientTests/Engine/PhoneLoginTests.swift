import Benji
import BenjiClient
import BenjiProtocol
import BenjiTesting
import Testing

/// The example in the documentation of `PhoneLogin`, word for word.
func logIn(
    transport: any Transport, keyStore: any DeviceKeyStore, page: any AuthorizationPresenter
) async throws -> String {
    let benji = PhoneLogin(
        configuration: try .init(
            appID: "300000000001", appKey: "the app's key", bundleID: "com.example.app",
            server: "https://gateway.example"),
        transport: transport, keyStore: keyStore)
    // As soon as a login is likely: the page then opens without waiting.
    _ = try? await benji.prefetch()
    // The app hands the token to its own server, which redeems it once.
    return try await benji.logIn(presenting: page).token
}

@Suite struct PhoneLoginTests {
    @Test("The documentation's example compiles and gives a token")
    func example() async throws {
        let transport = ScriptedTransport([.prefetched(), .authorized()])
        let token = try await logIn(transport: transport, keyStore: MemoryDeviceKeyStore(), page: FakePresenter())
        #expect(token == EngineLab.token)
        #expect(await transport.requests.count == 2)
    }

    private func configuration(
        appID: String = "300000000001", appKey: String? = "key", bundleID: String = "com.example.app",
        server: String = "https://gate.example",
        timeout: Duration = .seconds(60)
    ) throws(BenjiError) -> PhoneLogin.Configuration {
        try .init(appID: appID, appKey: appKey, bundleID: bundleID, server: server, timeout: timeout)
    }

    @Test("One call gives a token; its steps and its trace can be followed")
    func oneCall() async throws {
        let transport = ScriptedTransport([.prefetched(), .authorized(), .response(TransportResponse(status: 204))])
        let benji = PhoneLogin(
            configuration: try configuration(), transport: transport, keyStore: MemoryDeviceKeyStore())
        let events = await benji.events
        try await benji.prefetch()
        let token = try await benji.logIn(presenting: FakePresenter())
        #expect(token.token == EngineLab.token)
        #expect(await benji.trace == EngineLab.trace)
        #expect(await benji.networkStatus() == nil)
        #expect(await EngineLab.steps(events).map(\.step) == [.started, .prefetching, .prefetched, .finished])
        try await benji.forget()
        #expect(await transport.requests.count == 2, "the scrip was used up, so there is nothing to forget")
    }

    @Test("A wrong argument is named")
    func wrongArguments() {
        func refused(_ name: String, _ make: () throws(BenjiError) -> PhoneLogin.Configuration) {
            do throws(BenjiError) {
                _ = try make()
                Issue.record("\(name) must be refused")
            } catch {
                #expect(error.situation == .invalidArgument)
                #expect(error.detail.hasPrefix("\(name): "))
            }
        }
        refused("appID") { () throws(BenjiError) in try configuration(appID: "1") }
        refused("appKey") { () throws(BenjiError) in try configuration(appKey: "") }
        #expect(throws: Never.self) { try configuration(appKey: nil) }
        refused("bundleID") { () throws(BenjiError) in try configuration(bundleID: "") }
        refused("server") { () throws(BenjiError) in try configuration(server: "gate") }
        refused("server") { () throws(BenjiError) in try configuration(server: "http://gate.example") }
        refused("server") { () throws(BenjiError) in try configuration(server: "https://gate.example/?b") }
        refused("timeout") { () throws(BenjiError) in try configuration(timeout: .zero) }
        refused("timeout") { () throws(BenjiError) in try configuration(timeout: .seconds(61)) }
    }

    @Test(
        "Plain HTTP is taken for loopback only",
        arguments: ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"])
    func loopback(server: String) {
        #expect(throws: Never.self) { _ = try configuration(server: server) }
    }
}
