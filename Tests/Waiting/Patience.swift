import Foundation

/// The one time limit for waits in tests. A wait ends with its event; the limit ends only a test whose event never
/// comes.
package enum Patience {
    /// `BENJI_PATIENCE` in seconds. Default: 180 s.
    package static let limit: Duration = .seconds(
        ProcessInfo.processInfo.environment["BENJI_PATIENCE"].flatMap { Int64($0) } ?? 180)
}

/// A condition did not hold within ``Patience/limit``.
package struct PatienceEnded: Error, CustomStringConvertible {
    package var description: String
}

/// Waits until `condition` holds. Polls every few milliseconds, so prefer an event if there is one.
///
/// - Throws: ``PatienceEnded``, `CancellationError`, or what `condition` throws.
package func until(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + Patience.limit  // gate: the one helper that polls
    while try await !condition() {
        guard ContinuousClock.now < end else {  // gate: the one helper that polls
            throw PatienceEnded(description: "\(file):\(line): the condition did not hold within \(Patience.limit)")
        }
        try await Task.sleep(for: .milliseconds(2))  // gate: the one helper that polls
    }
}
