/// Times and outcomes of the steps of a run, or of one second of it.
public struct Tally: Hashable, Sendable {
    /// One step's.
    public struct Row: Hashable, Sendable {
        /// Of those that were answered, whatever the answer.
        public var latency = LatencyHistogram()
        public var succeeded = 0
        /// By result code; in parentheses where there was no answer.
        public var failures: [String: Int] = [:]

        public var failed: Int { failures.values.reduce(0, +) }
        public var total: Int { succeeded + failed }
    }

    public private(set) var rows: [Step: Row] = [:]

    public init() {}

    public subscript(step: Step) -> Row { rows[step] ?? Row() }

    /// Counts one operation.
    /// - Parameters:
    ///   - microseconds: how long the answer took; `nil` if there was none.
    ///   - failure: what it failed with; `nil` if it succeeded.
    public mutating func add(_ step: Step, microseconds: Int64?, failure: String?) {
        if let microseconds { rows[step, default: Row()].latency.add(microseconds) }
        if let failure {
            rows[step, default: Row()].failures[failure, default: 0] += 1
        } else {
            rows[step, default: Row()].succeeded += 1
        }
    }
}
