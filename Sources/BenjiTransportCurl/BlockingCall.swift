import BenjiClient

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Work that blocks, on a thread of its own, awaited without blocking.
enum BlockingCall {
    /// Where the work leaves its outcome; the first one counts.
    final class Reply<Value: Sendable>: Sendable {
        private enum State {
            case open
            case awaited(CheckedContinuation<Result<Value, TransportError>, Never>)
            case given(Result<Value, TransportError>)
            case taken
        }

        private let state = Locked(State.open)

        func give(_ outcome: Result<Value, TransportError>) {
            let waiting = state.withLock { state -> CheckedContinuation<Result<Value, TransportError>, Never>? in
                switch state {
                case .open:
                    state = .given(outcome)
                    return nil
                case .awaited(let continuation):
                    state = .taken
                    return continuation
                case .given, .taken: return nil
                }
            }
            waiting?.resume(returning: outcome)
        }

        /// Called once.
        func outcome() async -> Result<Value, TransportError> {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Result<Value, TransportError>? in
                    if case .given(let outcome) = state {
                        state = .taken
                        return outcome
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }

    /// Runs `work` on a new thread until it gives a reply; it may clean up afterwards. When the task is cancelled the
    /// caller continues at once, and `onCancel` makes the work end.
    static func run<Value: Sendable>(
        at place: String, onCancel: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable (Reply<Value>) -> Void
    ) async throws(TransportError) -> Value {
        let cancelled = TransportError(.cancelled, at: place, "the task was cancelled")
        if Task.isCancelled { throw cancelled }
        let reply = Reply<Value>()
        guard startThread({ work(reply) }) else {
            throw TransportError(.internalFailure, at: place, "the system has no thread left")
        }
        let outcome = await withTaskCancellationHandler {
            await reply.outcome()
        } onCancel: {
            reply.give(.failure(cancelled))
            onCancel()
        }
        return try outcome.get()
    }

    /// The same for work that has nothing to clean up.
    static func run<Value: Sendable>(
        at place: String, _ work: @escaping @Sendable () -> Result<Value, TransportError>
    ) async throws(TransportError) -> Value {
        try await run(at: place) { (reply: Reply<Value>) in reply.give(work()) }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        guard pthread_create(&thread, &attributes, { BlockingCall.serve($0) }, context) == 0 else {
            Unmanaged<Body>.fromOpaque(context).release()
            return false
        }
        return true
    }

    private static func serve(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        // A TLS library may write to a connection that the server has closed. SIGPIPE goes to the writing thread; here
        // it is blocked and gone with the thread, and the write reports EPIPE.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}
