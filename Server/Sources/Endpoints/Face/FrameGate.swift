import Authority
import BenjiProtocol
import Synchronization

/// Counts the requests with frames that are being read or looked at. Nothing about such a request is known before
/// megabytes of it have been read, so the crowd is bounded instead.
package final class FrameGate: Sendable {
    private let limit: Int
    private let inside = Mutex(0)

    package init(limit: Int) { self.limit = limit }

    /// `false` when the limit is reached. A caller that got `true` calls ``leave()`` afterwards.
    package func enter() -> Bool {
        inside.withLock { inside in
            guard inside < limit else { return false }
            inside += 1
            return true
        }
    }

    package func leave() { inside.withLock { $0 -= 1 } }

    /// Counts a request while `work` runs.
    /// - Throws: a refusal to try again when the limit is reached, and what `work` throws.
    package func admit<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        guard enter() else { throw Refusal(.overloaded, "too many frames at once; try again") }
        defer { leave() }
        return try await work()
    }
}
