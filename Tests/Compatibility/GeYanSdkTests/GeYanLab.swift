import BenjiTesting

@testable import GeYanSdk
@testable import OneTapShell

/// GeYan's static calls with a scripted carrier behind them, for one test alone.
struct GeYanLab {
    static let appID = "0123456789abcdefghijkl"

    let clock = ManualClock()
    let carrier: ScriptedCarrier
    let shell: OneTapShell

    init(_ number: String = "13800000000", facade: Facade = .geYan, registers: Bool = true) {
        carrier = ScriptedCarrier(number: number, clock: clock)
        shell = OneTapShell(facade, surroundings: carrier.surroundings(page: nil))
        if registers { shell.register(appID: Self.appID, appKey: nil) }
    }

    /// Runs calls of the facade against this lab.
    func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ calls: () async throws -> Result
    ) async rethrows -> Result {
        try await OneTapShell.$scoped.withValue(shell, operation: calls)
    }

    /// What a block was given, in the types that the document has.
    func heard(
        isolation: isolated (any Actor)? = #isolation,
        _ call: (@escaping @MainActor ([AnyHashable: Any]) -> Void) -> Void
    ) async -> ResultFields? {
        await run {
            await withCheckedContinuation { continuation in
                call { continuation.resume(returning: ResultFields($0)) }
            }
        }
    }

    func prefetch() async -> ResultFields? { await heard { GeYanSdk.preGetToken($0) } }

    func logIn(_ person: FakePresenter.Person = .consents) async -> ResultFields? {
        await heard { GeYanSdk.logIn(on: FakePresenter(person), shell, $0) }
    }
}
