package import BenjiProtocol
import Synchronization

/// The clock that measures lifetimes of scrips, tokens, message names and remembered proofs. It is the wall clock, but
/// it does not go back when the wall clock is set back.
///
/// By the wall clock alone, setting it back by an hour would give a token one more hour and revive an expired one. A
/// clock that only measures distinguishes a step from passing time. Freshness of others' statements (proofs, sightings,
/// requests) is judged by the wall clock itself. Otherwise a clock that was wrong once would refuse every caller until
/// a restart.
package final class ExpiryClock: Sendable {
    private struct State {
        var wall: Timestamp
        var uptime: Duration
        /// How far lives are ahead of the wall clock since it was put back.
        var lead = Duration.zero
        package var trustedSince: Timestamp
    }

    /// Smaller steps are passed on: so much may reading two clocks one after the other differ.
    static let minimumStep = Duration.seconds(1)

    private let wall: any WallClock
    private let uptime: @Sendable () -> Duration
    private let state: Mutex<State>

    /// Distinguishes steps from passing time by the machine's uptime, or by the clock's own if it measures. Any other
    /// clock is trusted: a test sets it, and its time does not pass by itself.
    package convenience init(_ clock: any WallClock) {
        let begin = clock.now
        if let measuring = clock as? any MeasuringClock {
            self.init(wall: clock) { measuring.uptime }
        } else if clock is SystemWallClock {
            self.init(wall: clock, uptime: Self.systemUptime)
        } else {
            self.init(wall: clock) { clock.now - begin }
        }
    }

    /// - Parameter uptime: a measure of time that no one sets.
    package init(wall: any WallClock, uptime: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.uptime = uptime
        let now = wall.now
        state = Mutex(State(wall: now, uptime: uptime(), trustedSince: now))
    }

    package var now: Timestamp { read { $0.wall + $0.lead } }

    /// By the wall clock. Names dated before it may have been remembered and forgotten: by the previous process, or
    /// before the clock was set back.
    package var trustedSince: Timestamp { read { $0.trustedSince } }

    private func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
        state.withLock { state in
            let (wallNow, uptimeNow) = (wall.now, uptime())
            let step = (wallNow - state.wall) - (uptimeNow - state.uptime)
            state.wall = wallNow
            state.uptime = uptimeNow
            if step <= .zero - Self.minimumStep {
                state.lead -= step
                state.trustedSince = wallNow
            } else if step >= Self.minimumStep {
                state.lead = max(.zero, state.lead - step)
            }
            return body(state)
        }
    }

    private static let begin = ContinuousClock.now
    private static let systemUptime: @Sendable () -> Duration = { ContinuousClock.now - begin }
}

/// A clock that also measures time as no one sets it, so that its steps can be told from passing time.
package protocol MeasuringClock: WallClock {
    var uptime: Duration { get }
}
