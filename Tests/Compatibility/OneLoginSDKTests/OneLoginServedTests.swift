import BenjiTesting
import FacadeScenarios
import OneLoginSDK
import OneTapShell
import OneTapTesting
import Testing

#if canImport(UIKit)
import UIKit
#endif

/// OneLogin in an app's own tests.
@MainActor @Suite(.serialized) struct OneLoginServedTests {
    private let log = CallLog()

    private func logIn(with sdk: OneLogin.Type) {
        #if canImport(UIKit)
        sdk.requestToken(with: UIViewController(), viewModel: nil) { [log] in log.note($0) }
        #else
        sdk.requestToken(with: FakePresenter(.seesNoPage)) { [log] in log.note($0) }
        #endif
    }

    @Test("A carrier that a test puts behind OneLogin answers its calls, and its page takes the place of the SDK's")
    func served() async {
        ScriptedCarrier(number: "13000000000", clock: ManualClock()).serve(.oneLogin)
        OneLogin.register(withAppID: OneLoginLab.appID)
        OneLogin.preGetToken { [log] in log.note($0) }
        await log.wait(for: "result")
        logIn(with: OneLogin.self)
        await log.wait(for: "result", count: 2)
        #expect(log.results.map { $0["operatorType"] } == ["CU", "CU"])
        #expect(log.results.last?["token"] != nil)
    }

    @Test("It answers OneLoginPro too, and the next one takes its place")
    func pro() async {
        ScriptedCarrier(clock: ManualClock()).serve(.oneLogin)
        ScriptedCarrier(clock: ManualClock()).serve(.oneLogin, page: FakePresenter(.switchesAccount))
        OneLoginPro.register(withAppID: OneLoginLab.appID)
        defer { OneTapShell.of(.oneLoginPro).stopKeeping() }
        logIn(with: OneLoginPro.self)
        await log.wait(for: "result")
        #expect(log.results.last?["errorCode"] == "-20303")
    }
}
