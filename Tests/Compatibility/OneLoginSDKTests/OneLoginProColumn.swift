import BenjiTesting
import FacadeScenarios
import OneTapShell

@testable import OneLoginSDK

/// OneLoginPro beside the scenarios: it has a prefetch from registering on, so what an app asks for is its result.
struct OneLoginProColumn: FacadeColumn {
    let facade = Facade.oneLoginPro

    func register(appID: String?, appKey: String?) { OneLoginPro.register(withAppID: appID) }

    func prefetch(seconds: Double?, _ answer: @escaping Answer) {
        if let seconds { OneLoginPro.setRequestTimeout(seconds) }
        OneLoginPro.getPreGetTokenResult { answer(ResultFields.namingSentence(in: "metaData", of: $0)) }
    }

    func enter(_ answer: @escaping Answer) {
        // The stage's page takes the place of the SDK's.
        OneLoginPro.logIn(on: FakePresenter()) { answer(ResultFields.namingSentence(in: "metaData", of: $0)) }
    }

    func verify(_ answer: @escaping Answer) {}
    func forget() { OneLoginPro.deletePreResultCache() }
    func dismissPage(_ page: FakePresenter) async { await page.close() }
    func cancel() {}

    var answers: [Scenario.Name: Expected] {
        let sdk = OneLoginDictionaries(isPro: true)
        return OneLoginColumn.table(sdk).merging([
            // It asks again by itself five seconds after a failure, which may be before or after the app's call has
            // ended.
            .timeOutInPrefetch: .kept(
                [sdk.failed("-50102", "timed_out", "请求超时", cocoa: -1001, carrier: "", traced: false)], requests: 2...3),

            .enterWithoutPrefetch: .answers([sdk.token()], requests: 2),
            .prefetchExpired: .answers([sdk.found(), sdk.token()], requests: 3),
            // The second request notifies the server that the prefetch was given up; the login then makes its own.
            .prefetchGivenUp: .answers([sdk.found(), sdk.token()], requests: 4),

            // The request that it sent by itself before the time-out was set succeeded, and has named the carrier.
            .timeOutNegative: .answers(
                [sdk.failed("-50101", "invalid_argument", "参数不正确", traced: false)], requests: 1),
        ]) { $1 }
    }
}
