/// Times and outcomes of the steps of a run, or of one second of it.
package struct Tally: Hashable, Sendable {
    /// One step's.
    package struct Row: Hashable, Sendable {
        /// How long answers took, whatever they said.
        package var latency = LatencyHistogram()
        package var succeeded = 0
        /// By result code; in parentheses where there was no answer.
        package var failures: [String: Int] = [:]

        package var failed: Int { failures.values.reduce(0, +) }
        package var total: Int { succeeded + failed }
    }

    package private(set) var rows: [Step: Row] = [:]

    package init() {}

    package subscript(step: Step) -> Row { rows[step] ?? Row() }

    /// Counts one operation.
    /// - Parameters:
    ///   - microseconds: how long the answer took; `nil` if there was none.
    ///   - failure: what it failed with; `nil` if it succeeded.
    package mutating func add(_ step: Step, microseconds: Int64?, failure: String?) {
        if let microseconds { rows[step, default: Row()].latency.add(microseconds) }
        if let failure {
            rows[step, default: Row()].failures[failure, default: 0] += 1
        } else {
            rows[step, default: Row()].succeeded += 1
        }
    }
}
