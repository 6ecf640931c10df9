import Dispatch
import Store
import StoreRows
import Synchronization

/// Operations of one kind, many in one commit (decision 9).
///
/// Those that come while a group is under way gather for the next one. A group is a few statements, each for all of its operations;
/// what is refused is a row of an answer, not an error. If a statement fails all the same, each operation of the group is tried alone.
final class Gatherer<Operation: Sendable, Outcome: Sendable>: Sendable {
    typealias Perform = @Sendable ([Operation], Session) throws -> [Result<Outcome, StoreError>]

    private struct Waiting {
        var operation: Operation
        var answer: CheckedContinuation<Result<Outcome, StoreError>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Groups under way.
        var running = 0
    }

    private let name: String
    private let pool: ConnectionPool
    private let locks: (@Sendable ([Operation]) -> [StoreLock])?
    private let perform: Perform
    /// So that the next group gathers while these are under way.
    private let atOnce: Int
    private let largest = 256
    private let state = Mutex(State())

    /// - Parameters:
    ///   - locks: what a group waits for; `nil` for what changes nothing, and needs no transaction.
    ///   - perform: does a group, and answers in its order. It may run twice, the first time taken back.
    init(
        _ name: String, _ pool: ConnectionPool, locks: (@Sendable ([Operation]) -> [StoreLock])?,
        perform: @escaping Perform
    ) {
        self.name = name
        self.pool = pool
        self.locks = locks
        self.perform = perform
        atOnce = min(2, pool.count)
    }

    func callAsFunction(_ operation: Operation) async throws(StoreError) -> Outcome {
        let result: Result<Outcome, StoreError> = await withCheckedContinuation { continuation in
            let isToStart = state.withLock { state in
                state.waiting.append(Waiting(operation: operation, answer: continuation))
                guard state.running < atOnce else { return false }
                state.running += 1
                return true
            }
            if isToStart { Task { await run() } }
        }
        return try result.get()
    }

    /// Group after group, until nothing waits.
    private func run() async {
        while true {
            let group: [Waiting] = state.withLock { state in
                let group = Array(state.waiting.prefix(largest))
                state.waiting.removeFirst(group.count)
                if group.isEmpty { state.running -= 1 }
                return group
            }
            if group.isEmpty { return }
            for (waiting, result) in zip(group, await results(group.map(\.operation))) {
                waiting.answer.resume(returning: result)
            }
        }
    }

    private func results(_ operations: [Operation]) async -> [Result<Outcome, StoreError>] {
        do {
            return try await pool.perform(name) { [locks, perform] connection in
                let performing = { (db: Session) in
                    try db.with(patience: Session.callersPatience) { try perform(operations, db) }
                }
                guard let locks else { return try connection.withoutTransaction(performing) }
                return try connection.inTransaction("BEGIN", locks: locks(operations), performing)
            }
        } catch {
            // `unavailable`: the group may have been committed, so nothing of it is tried again.
            guard error.code != .unavailable, operations.count > 1 else {
                return operations.map { _ in .failure(error) }
            }
            var all: [Result<Outcome, StoreError>] = []
            for operation in operations { all += await results([operation]) }
            return all
        }
    }
}
