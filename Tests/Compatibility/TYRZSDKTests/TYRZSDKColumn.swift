import BenjiTesting
import FacadeScenarios
import OneTapShell
import TYRZSDK
import Testing

/// TYRZSDK's document beside the scenarios.
struct TYRZSDKColumn: FacadeColumn {
    let facade = Facade.tyrzSDK

    func register(appID: String?, appKey: String?) { TYRZSDK.registerAppId(appID, appKey: appKey) }

    func prefetch(seconds: Double?, _ answer: @escaping Answer) {
        TYRZSDK.getPhoneNumber(withTimeout: (seconds ?? 8) * 1000, completion: answer)
    }

    func enter(_ answer: @escaping Answer) {
        // The stage's page takes the place of the app's.
        TYRZSDK.authorize(on: FakePresenter(), completion: answer)
    }

    func verify(_ answer: @escaping Answer) { TYRZSDK.authorize(on: nil, completion: answer) }
    func forget() { #expect(TYRZSDK.delectScrip()) }
    func dismissPage(_ page: FakePresenter) {}
    func cancel() {}
}
