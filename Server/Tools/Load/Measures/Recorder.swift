import BenjiProtocol
import Synchronization

/// Where players say what they asked and what they were answered: for the report, for the line of each second, and for
/// the history.
package final class Recorder: Sendable {
    private struct State {
        var whole = Tally()
        var second = Tally()
    }

    private let origin = ContinuousClock.now
    private let state = Mutex(State())
    private let history: HistoryFile?

    /// - Parameter history: is told of every operation, if given.
    package init(history: HistoryFile? = nil) { self.history = history }

    /// Microseconds since the recorder was made.
    package var now: Int64 { Self.microseconds(ContinuousClock.now - origin) }

    /// Notes an operation that was answered.
    func answered(_ operation: Operation, code: String, succeeded: Bool) {
        var operation = operation
        let end = now
        operation.end = end
        operation.outcome = code
        history?.append(operation)
        add(operation.step, microseconds: end - operation.start, failure: succeeded ? nil : code)
    }

    /// Notes an operation to which no answer came.
    func unanswered(_ operation: Operation, fault: ConnectionFault) {
        history?.append(operation)
        add(operation.step, microseconds: nil, failure: "(\(fault.rawValue))")
    }

    /// Counts a step that no history knows.
    func add(_ step: Step, microseconds: Int64?, failure: String?) {
        state.withLock {
            $0.whole.add(step, microseconds: microseconds, failure: failure)
            $0.second.add(step, microseconds: microseconds, failure: failure)
        }
    }

    /// Returns the counts since the last call.
    func takeSecond() -> Tally {
        state.withLock { state in
            defer { state.second = Tally() }
            return state.second
        }
    }

    /// Returns the counts since the last call of this function; the next step of a search begins with nothing.
    func takeWhole() -> Tally {
        state.withLock { state in
            defer { state.whole = Tally() }
            return state.whole
        }
    }

    static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
