/// Rounds in which every contestant runs once, one after the other.
///
/// The order turns by one from round to round, so that none always runs on the machine that another has warmed.
package struct Rounds: Sendable {
    package typealias Contestant = (name: String, measure: () async throws -> Double)

    package let count: Int

    package init(_ count: Int) { self.count = max(count, 1) }

    /// Measures all contestants in every round and gives each one's figures, in the order in which they were passed.
    package func run(_ contestants: [Contestant], progress: (String) -> Void = { _ in }) async throws -> [Figures] {
        var values = [[Double]](repeating: [], count: contestants.count)
        for round in 0..<count {
            for step in contestants.indices {
                let index = (round + step) % contestants.count
                let value = try await contestants[index].measure()
                values[index].append(value)
                progress("round \(round + 1)/\(count)  \(contestants[index].name): \(value.short)")
            }
        }
        return values.map { Figures($0) }
    }
}
