import BenjiTesting
import FacadeScenarios
import OneTapShell

@testable import GeYanSdk

/// GyOneLoginPro beside the scenarios: it keeps a prefetch from its first call on.
struct GyOneLoginProColumn: FacadeColumn {
    let facade = Facade.geYanPro

    // An app starts GeYanSdk and sets its time-out, which configures both shells. Here the other shell belongs to tests
    // that run at the same time.
    func register(appID: String?, appKey: String?) { GyOneLoginPro.shell.register(appID: appID, appKey: nil) }

    func prefetch(seconds: Double?, _ answer: @escaping Answer) {
        if let seconds { GyOneLoginPro.shell.setTimeout(.seconds(seconds)) }
        GyOneLoginPro.getPreGetTokenResult { answer(ResultFields.namingSentence(in: "metadata", of: $0)) }
    }

    func enter(_ answer: @escaping Answer) {
        // The stage's page takes the place of the SDK's.
        GyOneLoginPro.logIn(on: FakePresenter()) { answer(ResultFields.namingSentence(in: "metadata", of: $0)) }
    }

    func verify(_ answer: @escaping Answer) {
        GyOneLoginPro.requestToken { answer(ResultFields.namingSentence(in: "metadata", of: $0)) }
    }

    func forget() { GyOneLoginPro.deletePreResultCache() }
    func dismissPage(_ page: FakePresenter) async { await page.close() }
    func cancel() {}

    var answers: [Scenario.Name: Expected] {
        let sdk = GeYanDictionaries(isPro: true)
        return GeYanColumn.table(sdk).merging([
            // It asks again by itself five seconds after a failure, which may be before or after the app's call has
            // ended.
            .timeOutInPrefetch: .kept(
                [sdk.failed(30005, "-50102", "timed_out", carrier: "0", traced: false)], requests: 2...3),

            // A call of release 3.0, which answers that release's codes.
            .verification: .answers([sdk.found(), sdk.verification(errorCode: "0")], requests: 2),

            .enterWithoutPrefetch: .answers([sdk.token("138****0000")], requests: 2),
            .prefetchExpired: .answers([sdk.found(), sdk.token("138****0000")], requests: 3),
            // The second request notifies the server that the prefetch was given up; the login then makes its own.
            .prefetchGivenUp: .answers([sdk.found(), sdk.token("138****0000")], requests: 4),
        ]) { $1 }
    }
}
