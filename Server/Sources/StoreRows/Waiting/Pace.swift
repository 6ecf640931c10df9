/// How fast operations of one kind are done.
package struct Pace<Time: InstantProtocol>: Sendable where Time.Duration == Duration {
    /// One slow operation says little of the next.
    private static var longest: Duration { .seconds(1) }

    /// A mean in which the last eight or so count most.
    private var mean: Duration = .zero
    /// When the operations that are under way began, by worker.
    private var begun: [Int: Time] = [:]

    package init() {}

    package mutating func begin(_ worker: Int, at now: Time) { begun[worker] = now }

    package mutating func end(_ worker: Int, at now: Time) {
        guard let start = begun.removeValue(forKey: worker) else { return }
        mean += (min(start.duration(to: now), Self.longest) - mean) / 8
    }

    /// How long one more operation waits behind others. If nothing ends, this grows with the age of what began last.
    ///
    /// - Parameter atOnce: how many are done at once.
    package func wait(behind others: Int, atOnce: Int, now: Time) -> Duration {
        let age = begun.values.max().map { $0.duration(to: now) } ?? .zero
        return max(mean, age) * others / atOnce
    }
}
