import BenjiTesting
import FacadeScenarios
import OneTapShell

@testable import OneLoginSDK

/// OneLogin's document beside the scenarios.
struct OneLoginColumn: FacadeColumn {
    let facade = Facade.oneLogin

    func register(appID: String?, appKey: String?) { OneLogin.register(withAppID: appID) }

    func prefetch(seconds: Double?, _ answer: @escaping Answer) {
        if let seconds { OneLogin.setRequestTimeout(seconds) }
        OneLogin.preGetToken { answer(ResultFields.namingSentence(in: "metaData", of: $0)) }
    }

    func enter(_ answer: @escaping Answer) {
        // The stage's page takes the place of the SDK's.
        OneLogin.logIn(on: FakePresenter()) { answer(ResultFields.namingSentence(in: "metaData", of: $0)) }
    }

    func verify(_ answer: @escaping Answer) {}
    func forget() { OneLogin.deletePreResultCache() }
    func dismissPage(_ page: FakePresenter) async { await page.close() }
    func cancel() {}
}
