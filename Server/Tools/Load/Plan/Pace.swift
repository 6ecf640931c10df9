/// When each login of a steady rate begins: evenly spaced, whatever happened to the ones before.
///
/// Arrivals do not wait for answers. A server that stalls for a second finds a second's worth of logins after the
/// stall, as it would in the field. A generator that waits would hide it ("coordinated omission").
package struct Pace: Hashable, Sendable {
    /// Logins a second, more than 0.
    package let rate: Double

    package init(rate: Double) { self.rate = rate }

    /// The moment of the login of this index, counted from 0 at the start of the run.
    package func moment(of index: Int) -> Duration { .nanoseconds(Int64((Double(index) * 1e9 / rate).rounded())) }

    /// How many logins have begun `elapsed` after the start.
    package func due(after elapsed: Duration) -> Int {
        guard elapsed >= .zero else { return 0 }
        var count = Int((elapsed / .seconds(1) * rate).rounded(.down))
        // The division may land just below or above the moment of the next one.
        while moment(of: count) <= elapsed { count += 1 }
        while count > 0, moment(of: count - 1) > elapsed { count -= 1 }
        return count
    }
}
