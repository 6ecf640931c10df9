package import BenjiTesting
package import OneTapShell
import OneTapTesting

extension ScriptedCarrier {
    /// Runs `body` with a shell of its own, on this carrier, behind the static calls of `facade`.
    package func alone<Result: Sendable>(
        with facade: Facade, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let shell = OneTapShell(facade, surroundings: surroundings(page: nil))
        return try await OneTapShell.$scoped.withValue(shell, operation: body, isolation: isolation)
    }
}
