package import BenjiProtocol
import Synchronization

/// The result code and the trace of one request, noted by its route for the access log and the counters.
package final class RequestOutcome: Sendable {
    private let state = Mutex<(code: String?, trace: TraceID?, actor: String?)>((nil, nil, nil))

    init() {}

    /// - Parameter code: a code of one of the tables, never text from the request: it becomes a label of a counter.
    package func note(code: String, trace: TraceID? = nil) {
        state.withLock { $0 = (code, trace ?? $0.trace, $0.actor) }
    }

    /// - Parameter actor: who gave an order, as the audit log names them.
    package func note(actor: String) { state.withLock { $0.actor = actor } }

    package var code: String? { state.withLock { $0.code } }
    package var trace: TraceID? { state.withLock { $0.trace } }
    package var actor: String? { state.withLock { $0.actor } }
}
