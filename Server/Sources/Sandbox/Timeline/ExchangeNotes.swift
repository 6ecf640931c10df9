import BenjiProtocol
import Synchronization

/// The facts that are learnt about one request while it is answered.
final class ExchangeNotes: Sendable {
    /// The request's own, by the task that answers it.
    @TaskLocal static var current: ExchangeNotes?

    private struct State {
        var phone: String?
        var trace: TraceID?
        var entries: [TimelineEntry] = []
    }

    private let state: Mutex<State>

    init(phone: String?) { state = Mutex(State(phone: phone)) }

    var phone: String? { state.withLock { $0.phone } }
    var trace: TraceID? { state.withLock { $0.trace } }

    func note(phone: String?) { state.withLock { $0.phone = $0.phone ?? phone } }
    func note(trace: TraceID) { state.withLock { $0.trace = trace } }

    /// Decisions made in the course of the request. They are recorded together with it, and it comes first.
    var entries: [TimelineEntry] { state.withLock { $0.entries } }
    func note(_ entry: TimelineEntry) { state.withLock { $0.entries.append(entry) } }
}
