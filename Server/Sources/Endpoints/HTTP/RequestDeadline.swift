/// Decides when a connection has taken too long to say what it wants.
///
/// An idle time-out alone is not enough: a client that sends a byte now and then is never idle. So the whole header,
/// and then the whole body, has a deadline. While an answer is being made there is none.
struct RequestDeadline: Sendable {
    enum Event: Sendable { case opened, head, end, answered }

    enum Action: Hashable, Sendable {
        /// Close the connection if nothing else comes within this time.
        case arm(Duration)
        case disarm
        case none
    }

    private let limits: ServerLimits
    private var isReadingBody = false
    /// Requests whose answer is not written yet. More than one when the client does not wait for answers.
    private(set) var unanswered = 0

    init(limits: ServerLimits) { self.limits = limits }

    mutating func handle(_ event: Event) -> Action {
        switch event {
        case .opened: return .arm(limits.headTimeout)
        case .head:
            isReadingBody = true
            unanswered += 1
            return .arm(limits.bodyTimeout)
        case .end:
            isReadingBody = false
            return unanswered > 0 ? .disarm : .arm(limits.idleTimeout)
        case .answered:
            unanswered -= 1
            // An answer may be given before the body has ended; the body's deadline stays.
            return isReadingBody || unanswered > 0 ? .none : .arm(limits.idleTimeout)
        }
    }
}
