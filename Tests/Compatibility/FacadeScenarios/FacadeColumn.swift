package import BenjiTesting
package import OneTapShell

/// One facade beside the scenarios: how an app calls it, and what it must answer.
package protocol FacadeColumn: Sendable {
    typealias Answer = @MainActor ([AnyHashable: Any]) -> Void

    var facade: Facade { get }

    /// As an app does when it starts. Not called in ``Scenario/Name/unregistered``.
    func register(appID: String?, appKey: String?)
    func prefetch(seconds: Double?, _ answer: @escaping Answer)
    func enter(_ answer: @escaping Answer)
    func verify(_ answer: @escaping Answer)
    func forget()
    /// The app takes down the page that the SDK has shown.
    func dismissPage(_ page: FakePresenter) async
    func cancel()

    /// The expected answers of each scenario. Every scenario is in it.
    var answers: [Scenario.Name: Expected] { get }
}

/// The answer that a facade must give in a scenario.
package enum Expected: Sendable {
    /// The dictionaries in the order of the calls, and how many requests were sent. `TOKEN`, `OPENID` and `TRACE` stand
    /// for what the carrier has given out.
    case answers([ResultFields], requests: Int)
    /// The same of an SDK that also asks by itself, at a moment that cannot be predicted.
    case kept([ResultFields], requests: ClosedRange<Int>)
    /// An app cannot get there with this SDK, because it lacks something that the scenario needs.
    case cannotHappen(lacking: Need)
}
