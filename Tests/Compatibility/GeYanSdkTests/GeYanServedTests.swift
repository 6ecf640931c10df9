import BenjiTesting
import FacadeScenarios
import GeYanSdk
import OneTapTesting
import Testing

#if canImport(UIKit)
import UIKit
#endif

/// GeYan in an app's own tests.
@MainActor @Suite(.serialized) struct GeYanServedTests {
    private let log = CallLog()

    @Test("A carrier that a test puts behind GeYan answers its calls, and its page takes the place of the SDK's")
    func served() async {
        ScriptedCarrier(number: "13300000000", clock: ManualClock()).serve(.geYan)
        GeYanSdk.start(withAppId: GeYanLab.appID) { [log] isReady, _, _ in if isReady { log.note("ready") } }
        await log.wait(for: "ready")
        GeYanSdk.preGetToken { [log] in log.note($0) }
        await log.wait(for: "result")
        #if canImport(UIKit)
        GeYanSdk.oneTapLogin(UIViewController(), with: nil) { [log] in log.note($0) }
        #else
        GeYanSdk.oneTapLogin(FakePresenter(.seesNoPage)) { [log] in log.note($0) }
        #endif
        await log.wait(for: "result", count: 2)
        #expect(log.results.map { $0["code"] } == [30000, 30000])
        #expect(log.results.last?["pn"] == "133****0000")
    }
}
