internal import BenjiProtocol
internal import Synchronization

/// What is learnt about one request while it is answered.
final class ExchangeNotes: Sendable {
    /// The request's own, by the task that answers it.
    @TaskLocal static var current: ExchangeNotes?

    private let state: Mutex<(phone: String?, trace: TraceID?)>

    init(phone: String?) { state = Mutex((phone, nil)) }

    var phone: String? { state.withLock { $0.phone } }
    var trace: TraceID? { state.withLock { $0.trace } }

    func note(phone: String?) { state.withLock { $0.phone = $0.phone ?? phone } }
    func note(trace: TraceID) { state.withLock { $0.trace = trace } }
}
