import Synchronization

/// Limits the requests with frames that are being read or looked at. Nothing about such a request is known before
/// megabytes of it have been read.
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
}
