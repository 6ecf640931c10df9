import Synchronization

/// Whether this process is being stopped: it still answers, and sends callers to other nodes.
///
/// Readiness fails, so that a balancer sends nothing new. Every answer closes its connection, so that callers which
/// keep connections make their next one to another node.
package final class Draining: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isUnderWay: Bool { state.load(ordering: .relaxed) }

    package func begin() { state.store(true, ordering: .relaxed) }
}
