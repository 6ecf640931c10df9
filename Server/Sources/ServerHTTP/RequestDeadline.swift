/// Decides when a connection has taken too long to say what it wants.
///
/// An idle time-out alone is not enough: a client that sends a byte now and then is never idle. So the whole header,
/// and then the whole body, has a deadline. While an answer is being made there is none. But if the client does not
/// take its answers and they pile up, it has to take them in time.
struct RequestDeadline: Sendable {
    enum Event: Sendable {
        case opened, head, end, answered
        /// So many bytes of a body came.
        case body(Int)
        /// More than a bufferful of answers waits for the client to take it; or no more.
        case blocked, unblocked
    }

    enum Action: Hashable, Sendable {
        /// Close the connection if nothing else comes within this time.
        case arm(Duration)
        case disarm
        /// Close the connection now.
        case close
        case none
    }

    private let limits: ServerLimits
    private var isReadingBody = false
    private var isBlocked = false
    /// Bytes of the present body that came after its answer.
    private var excess = 0
    /// Requests whose answer is not written yet. More than one when the client does not wait for answers.
    private(set) var unanswered = 0

    init(limits: ServerLimits) { self.limits = limits }

    mutating func handle(_ event: Event) -> Action {
        let action = unblockedAction(event)
        // A client that sends requests and takes no answers must not put the deadline off with each request.
        if case .blocked = event { return action }
        return isBlocked && action != .close ? .none : action
    }

    private mutating func unblockedAction(_ event: Event) -> Action {
        switch event {
        case .opened: return .arm(limits.headTimeout)
        case .head:
            isReadingBody = true
            excess = 0
            unanswered += 1
            if unanswered > limits.requestsAhead { return .close }
            return .arm(limits.bodyTimeout)
        case .body(let count):
            // The request was answered before its body was read: it had an unknown path, or no proof. Without a limit
            // the rest would be read and thrown away for as long as it comes.
            guard unanswered == 0 else { return .none }
            excess += count
            return excess > limits.excessBytes ? .close : .none
        case .end:
            isReadingBody = false
            return unanswered > 0 ? .disarm : .arm(limits.idleTimeout)
        case .answered:
            unanswered -= 1
            // An answer may be given before the body has ended; the body's deadline stays.
            return isReadingBody || unanswered > 0 ? .none : .arm(limits.idleTimeout)
        case .blocked:
            isBlocked = true
            return .arm(limits.writeTimeout)
        case .unblocked:
            isBlocked = false
            if isReadingBody { return .arm(limits.bodyTimeout) }
            return unanswered > 0 ? .disarm : .arm(limits.idleTimeout)
        }
    }
}
