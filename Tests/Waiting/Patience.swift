import Foundation

/// The one time limit for waits in tests. A wait ends with its event; the limit ends only a test whose event never
/// comes.
package enum Patience {
    /// `BENJI_PATIENCE` in seconds. Default: 180 s.
    package static let limit: Duration = .seconds(
        ProcessInfo.processInfo.environment["BENJI_PATIENCE"].flatMap { Int64($0) } ?? 180)

    /// A deadline of the product that no test reaches, not even one that waits long for a processor: ten times
    /// ``limit``.
    package static let deadline: Duration = limit * 10
}

/// A condition did not hold within ``Patience/limit``.
package struct PatienceEnded: Error, CustomStringConvertible {
    package var description: String
}

/// Waits until `condition` holds. Polls every few milliseconds, so prefer an event if there is one.
///
/// The limit counts polls and reads no clock. On a busy machine hundreds of tests share two threads. A test may then
/// wait for minutes for its turn, and so may the event that it waits for.
///
/// - Throws: ``PatienceEnded``, or what `condition` throws.
package func until(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    let interval = Duration.milliseconds(5)
    var left = Int(Patience.limit / interval)
    while try await !condition() {
        guard left > 0 else {
            throw PatienceEnded(description: "\(file):\(line): the condition did not hold within \(Patience.limit)")
        }
        left -= 1
        try await Task.sleep(for: interval)  // gate: the one helper that polls
    }
}
