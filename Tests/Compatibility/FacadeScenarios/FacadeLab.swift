package import OneTapShell

/// A facade's static calls with a scripted carrier behind them, for one test alone.
package protocol FacadeLab {
    var shell: OneTapShell { get }
}

extension FacadeLab {
    /// Runs calls of the facade against this lab.
    package func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ calls: () async throws -> Result
    ) async rethrows -> Result {
        try await OneTapShell.$scoped.withValue(shell, operation: calls)
    }

    /// The argument of a block, in the types that the document has.
    package func heard(
        isolation: isolated (any Actor)? = #isolation,
        _ call: (@escaping @MainActor ([AnyHashable: Any]?) -> Void) -> Void
    ) async -> ResultFields? {
        await run {
            await withCheckedContinuation { continuation in
                call { continuation.resume(returning: $0.flatMap { ResultFields($0) }) }
            }
        }
    }
}
