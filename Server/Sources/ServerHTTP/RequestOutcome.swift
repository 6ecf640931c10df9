package import BenjiProtocol
import HTTPTypes
import Synchronization

/// The result code and the trace of one request, noted by its route for the access log and the counters.
package final class RequestOutcome: Sendable {
    private struct State {
        var code: String?
        var trace: TraceID?
        var actor: String?
        var route: (method: String, path: String)?
        var isUnable = false
    }

    private let state = Mutex(State())

    package init() {}

    /// - Parameter code: a code of one of the tables, never text from the request: it becomes a label of a counter.
    package func note(code: String, trace: TraceID? = nil) {
        state.withLock {
            $0.code = code
            $0.trace = trace ?? $0.trace
        }
    }

    /// - Parameter actor: who gave an order, as the audit log names them.
    package func note(actor: String) { state.withLock { $0.actor = actor } }

    /// - Parameter route: which route answers a forwarded request.
    package func note(route: EndpointRoute) { state.withLock { $0.route = (route.method.rawValue, route.path) } }

    /// Notes that the store cannot be used, where the code of a dialect does not show it.
    package func noteUnable() { state.withLock { $0.isUnable = true } }

    package var code: String? { state.withLock { $0.code } }
    package var trace: TraceID? { state.withLock { $0.trace } }
    package var actor: String? { state.withLock { $0.actor } }
    package var route: (method: String, path: String)? { state.withLock { $0.route } }
    /// Whether there is no answer because the store cannot be used.
    package var isUnable: Bool { state.withLock { $0.isUnable || $0.code == Situation.storeUnavailable.rawValue } }
}
