import BenjiTesting
import FacadeScenarios
import OneTapShell
import TYRZLogin

/// TYRZLogin's document beside the scenarios. It has no page and no prefetch: every call is the one.
struct TYRZLoginColumn: FacadeColumn {
    let facade = Facade.tyrzLogin

    func register(appID: String?, appKey: String?) { TYRZLogin.registerAppId(appID, appKey: appKey) }
    func prefetch(seconds: Double?, _ answer: @escaping Answer) { enter(answer) }
    func enter(_ answer: @escaping Answer) {
        TYRZLogin.loginImplicitly { answer($0 as? [AnyHashable: Any] ?? [:]) }
    }
    func verify(_ answer: @escaping Answer) { enter(answer) }
    func forget() {}
    func dismissPage(_ page: FakePresenter) {}
    func cancel() { TYRZLogin.cancel() }
}
