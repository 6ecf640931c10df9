import Benji
import BenjiTesting
import Testing

/// An app's own code.
struct LoginModel {
    let benji: PhoneLogin

    func logIn(on page: any AuthorizationPresenter) async -> String {
        do {
            return "token of \(try await benji.logIn(presenting: page).token.count) characters"
        } catch {
            switch error.situation {
            case .userCancelled, .switchAccount: return "log in another way"
            case .timedOut, .noNetwork: return "try again"
            default: return "ask for an SMS code"
            }
        }
    }
}

/// Its test.
@Suite struct LoginModelTests {
    private func model(_ carrier: ScriptedCarrier) throws -> LoginModel {
        let configuration = try PhoneLogin.Configuration(
            appID: "300000000001", appKey: "the app's key", bundleID: "com.example.app",
            server: "https://gateway.example")
        return LoginModel(benji: carrier.phoneLogin(configuration))
    }

    @Test(
        "Every ending leads somewhere",
        arguments: [
            ("13800000000", "token of 56 characters"), ("18600001010", "ask for an SMS code"),
            ("18900001001", "try again"), ("13800002027", "ask for an SMS code"),
        ])
    func endings(number: String, outcome: String) async throws {
        let carrier = ScriptedCarrier(number: number, clock: ManualClock())
        #expect(try await model(carrier).logIn(on: FakePresenter()) == outcome)
    }

    @Test("A person who closes the page logs in another way")
    func cancelling() async throws {
        let carrier = ScriptedCarrier(clock: ManualClock())
        #expect(try await model(carrier).logIn(on: FakePresenter(.cancels)) == "log in another way")
    }

    @Test("After eight seconds without an answer the person may try again")
    func timeOut() async throws {
        let clock = ManualClock()
        let carrier = ScriptedCarrier(number: "13800001007", clock: clock)
        let silences = await carrier.silences
        async let outcome = model(carrier).logIn(on: FakePresenter())
        for await _ in silences { break }
        clock.advance(by: .seconds(8))
        #expect(try await outcome == "try again")
    }
}
