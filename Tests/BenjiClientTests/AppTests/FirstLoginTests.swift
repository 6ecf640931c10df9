// Samples of the iOS guides, TestALogin.md and docs/Apps.docc's tutorial: scripts/lib/check-snippets.py compares them.
import Benji
import BenjiTesting
import Testing

@Suite struct FirstLoginTests {
    private func login(_ number: String) throws -> PhoneLogin {
        ScriptedCarrier(number: number, clock: ManualClock()).phoneLogin(
            try PhoneLogin.Configuration(
                appID: "300000000001", appKey: "the app's key", bundleID: "com.example.app",
                server: "https://gateway.example"))
    }

    @Test("A person who taps gets a token")
    func tap() async throws {
        #expect(try await login("13800000000").logIn(presenting: FakePresenter()).token.isEmpty == false)
    }

    @Test("Without mobile data the app hears why")
    func withoutMobileData() async throws {
        let login = try login("13800001002")
        let error = await #expect(throws: BenjiError.self) { try await login.logIn(presenting: FakePresenter()) }
        #expect(error?.situation == .cellularDataOff)
    }
}
