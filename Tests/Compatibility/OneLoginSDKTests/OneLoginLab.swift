import BenjiClient
import BenjiTesting

@testable import OneLoginSDK
@testable import OneTapShell

/// OneLogin's static calls with a scripted carrier behind them, for one test alone.
struct OneLoginLab {
    static let appID = "0123456789abcdef0123456789abcdef"

    let clock = ManualClock()
    let carrier: ScriptedCarrier
    let shell: OneTapShell

    init(_ number: String = "13800000000", facade: Facade = .oneLogin, registers: Bool = true) {
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
        _ call: (@escaping @MainActor ([AnyHashable: Any]?) -> Void) -> Void
    ) async -> ResultFields? {
        await run {
            await withCheckedContinuation { continuation in
                call { continuation.resume(returning: $0.flatMap { ResultFields($0) }) }
            }
        }
    }

    func prefetch() async -> ResultFields? { await heard { OneLogin.preGetToken(completion: $0) } }

    func logIn(_ person: FakePresenter.Person = .consents) async -> ResultFields? {
        await heard { OneLogin.logIn(on: FakePresenter(person), $0) }
    }
}

extension ResultFields {
    /// Without the sentence for developers, which is in nobody's table.
    var withoutDescription: ResultFields {
        var fields = self
        guard case .fields(var metadata)? = fields["metaData"] else { return self }
        metadata["description"] = nil
        fields["metaData"] = .fields(metadata)
        return fields
    }
}
