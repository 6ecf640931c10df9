import Foundation

/// A clock that moves only when a test moves it, so that a test of a time-out takes no time.
public final class ManualClock: Clock, @unchecked Sendable {
    // Sendable: `state` is only touched while `lock` is held.
    private let lock = NSLock()
    private var state = State()

    public struct Instant: InstantProtocol {
        /// Since the clock was made.
        public var offset: Duration
        public init(offset: Duration) { self.offset = offset }
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextSleeper = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        /// Cancelled before they lay down.
        var cancelled: Set<Int> = []
        var watchers: [AsyncStream<Duration>.Continuation] = []
    }

    public init() {}

    public var now: Instant { lock.withLock { state.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The duration of each sleep from now on: a test that receives one may move the clock.
    public var sleeps: AsyncStream<Duration> {
        let (stream, continuation) = AsyncStream.makeStream(of: Duration.self)
        lock.withLock { state.watchers.append(continuation) }
        return stream
    }

    /// Moves the clock forward and wakes the sleepers that are due.
    public func advance(by duration: Duration) {
        let awake = lock.withLock {
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }.sorted {
                $0.value.deadline < $1.value.deadline
            }
            for (id, _) in due { state.sleepers[id] = nil }
            return due.map(\.value.continuation)
        }
        for continuation in awake { continuation.resume() }
    }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = lock.withLock {
            state.nextSleeper += 1
            return state.nextSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = lock.withLock {
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = (deadline, continuation)
                    for watcher in state.watchers { watcher.yield(state.now.duration(to: deadline)) }
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = lock.withLock {
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
        // A sleeper that was woken and cancelled at once leaves its mark behind.
        lock.withLock { _ = state.cancelled.remove(id) }
    }
}
