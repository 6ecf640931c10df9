/// Measures and bounds time on whatever clock the engine was given.
///
/// A `Clock` of unknown type is hard to store, so the two functions needed of it are kept as closures.
package struct Timer: Sendable {
    /// Time since the timer was made.
    package let elapsed: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until ``elapsed`` is `moment`. `false` when the task was cancelled before.
    package func reaches(_ moment: Duration) async -> Bool {
        do {
            try await sleepUntil(moment)
            return true
        } catch {
            return false
        }
    }
}
