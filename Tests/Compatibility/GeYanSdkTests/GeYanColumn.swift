import BenjiTesting
import FacadeScenarios
import OneTapShell

@testable import GeYanSdk

/// GeYan's document beside the scenarios.
struct GeYanColumn: FacadeColumn {
    let facade = Facade.geYan

    func register(appID: String?, appKey: String?) { GeYanSdk.start(withAppId: appID, withCallback: nil) }

    func prefetch(seconds: Double?, _ answer: @escaping Answer) {
        if let seconds { GeYanSdk.setEloginTimeout(seconds) }
        GeYanSdk.preGetToken { answer(ResultFields.namingSentence(in: "metadata", of: $0)) }
    }

    func enter(_ answer: @escaping Answer) {
        // The stage's page takes the place of the SDK's.
        GeYanSdk.logIn(on: FakePresenter(), .of(facade)) {
            answer(ResultFields.namingSentence(in: "metadata", of: $0))
        }
    }

    func verify(_ answer: @escaping Answer) {
        GeYanSdk.getPhoneVerifyTokenCallback { answer(ResultFields.namingSentence(in: "metadata", of: $0)) }
    }

    func forget() { GeYanSdk.deletePreResultCache() }
    func dismissPage(_ page: FakePresenter) async { await page.close() }
    func cancel() {}
}
