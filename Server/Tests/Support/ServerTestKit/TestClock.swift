package import BenjiProtocol
import Requests
import Synchronization

/// A wall clock that stands until a test moves it.
package final class TestClock: MeasuringClock {
    private let state: Mutex<(moment: Timestamp, uptime: Duration)>

    /// - Parameter start: 2026-09-21T14:13:20Z unless told.
    package init(_ start: Timestamp = Timestamp(seconds: 1_790_000_000)) { state = Mutex((start, .zero)) }

    /// A clock that is never moved, at the time of TYRZSDK's example answer: 2018-01-29 11:29:55.477 in China.
    package static let document = TestClock(Timestamp(milliseconds: 1_517_196_595_477))

    package var now: Timestamp { state.withLock { $0.moment } }
    package var uptime: Duration { state.withLock { $0.uptime } }

    /// Lets time pass.
    package func advance(by duration: Duration) {
        state.withLock { $0 = ($0.moment + duration, $0.uptime + duration) }
    }

    /// Sets the clock, forward or back. No time passes.
    package func set(by step: Duration) { state.withLock { $0.moment = $0.moment + step } }
}
