import Foundation

/// Runs `body`, which blocks, on a thread of its own. Swift's tasks share one thread per core, so a test that blocks
/// one delays the others.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
