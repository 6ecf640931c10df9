import Dispatch
import Store
import StoreRows
import Synchronization

/// Operations of one kind, many in one commit (decision 9).
///
/// Those that come while a group is under way gather for the next one. A group is a few statements, each for all of its
/// operations. A refusal is a row of an answer, not an error. If a statement fails all the same, the group is halved,
/// again and again, until the failing operation is alone.
final class Batcher<Operation: Sendable, Outcome: Sendable>: Sendable {
    typealias Perform = @Sendable ([Operation], Session) throws -> [Result<Outcome, StoreError>]

    private struct Waiting {
        var operation: Operation
        var waitsUntil: ContinuousClock.Instant
        var answer: CheckedContinuation<Result<Outcome, StoreError>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Runners that do no group now.
        var idle: [Int]
        /// How many operations were asked for so far.
        var asked = 0
        var pace = Pace<ContinuousClock.Instant>()
    }

    private let name: String
    private let pool: ConnectionPool
    private let locks: (@Sendable ([Operation]) -> [StoreLock])?
    private let readsSnapshot: Bool
    private let perform: Perform
    /// So that the next group gathers while these are under way.
    private let atOnce: Int
    private let maximumGroup = 256
    private let state: Mutex<State>

    /// - Parameters:
    ///   - locks: what a group waits for; `nil` for what changes nothing, and needs no transaction to write.
    ///   - readsSnapshot: whether what several statements read is as of one moment.
    ///   - perform: does a group, and answers in its order. It may run twice, the first time taken back.
    init(
        _ name: String, _ pool: ConnectionPool, locks: (@Sendable ([Operation]) -> [StoreLock])?,
        readsSnapshot: Bool = false, perform: @escaping Perform
    ) {
        self.name = name
        self.pool = pool
        self.locks = locks
        self.readsSnapshot = readsSnapshot
        self.perform = perform
        atOnce = min(2, pool.count)
        state = Mutex(State(idle: Array(0..<atOnce)))
    }

    /// How many operations were asked for so far.
    var asked: Int { state.withLock { $0.asked } }

    func callAsFunction(_ operation: Operation) async throws(StoreError) -> Outcome {
        let result: Result<Outcome, StoreError> = await withCheckedContinuation { continuation in
            let now = ContinuousClock.now
            let start: Start = state.withLock { state in
                state.asked += 1
                let wait = state.pace.wait(behind: state.waiting.count / maximumGroup, atOnce: atOnce, now: now)
                guard wait < pool.deadlines.gathering else { return .tooMany }
                state.waiting.append(
                    Waiting(operation: operation, waitsUntil: now + pool.deadlines.gathering, answer: continuation))
                return state.idle.popLast().map { .on($0) } ?? .later
            }
            switch start {
            case .tooMany: continuation.resume(returning: .failure(Self.tooMany(name)))
            case .later: break
            case .on(let runner): Task { await run(runner) }
            }
        }
        return try result.get()
    }

    private enum Start {
        case tooMany, later
        case on(Int)
    }

    /// More operations wait than can be done before their callers give up.
    private static func tooMany(_ name: String) -> StoreError {
        StoreError(.unavailable, "\(name): PostgreSQL is too slow: too many wait for it")
    }

    /// Group after group, until nothing waits.
    private func run(_ runner: Int) async {
        while true {
            let group: [Waiting] = state.withLock { state in
                let now = ContinuousClock.now
                state.pace.end(runner, at: now)
                let group = Array(state.waiting.prefix(maximumGroup))
                state.waiting.removeFirst(group.count)
                if group.isEmpty { state.idle.append(runner) } else { state.pace.begin(runner, at: now) }
                return group
            }
            if group.isEmpty { return }
            for (waiting, result) in zip(group, await results(group)) {
                waiting.answer.resume(returning: result)
            }
        }
    }

    /// - Parameter hasWaited: whether these have already waited for a lock that did not come, as long as anybody does.
    private func results(_ group: [Waiting], hasWaited: Bool = false) async -> [Result<Outcome, StoreError>] {
        var hasWaited = hasWaited
        do {
            let answers: [Result<Outcome, StoreError>]? = try await pool.perform(name, isBatched: true) {
                [hasWaited] connection in
                do { return try self.attempt(group, over: connection, hasWaited) } catch let failure as ServerFailure
                    where failure.maybeOfOne && group.count > 1
                { return nil }
            }
            if let answers { return answers }
            hasWaited = true
        } catch {
            // `unavailable`: the group may have been committed, or none can be.
            guard error.code != .unavailable, group.count > 1 else { return group.map { _ in .failure(error) } }
        }
        let half = group.count / 2
        return await results(Array(group[..<half]), hasWaited: hasWaited)
            + results(Array(group[half...]), hasWaited: hasWaited)
    }

    private func attempt(
        _ group: [Waiting], over connection: ConnectionPool.Connection, _ hasWaited: Bool
    ) throws -> [Result<Outcome, StoreError>] {
        let performing = { (db: Session) -> [Result<Outcome, StoreError>] in
            // Computed at each attempt, since a lost connection causes another one. The oldest come first.
            let now = ContinuousClock.now
            let late = group.prefix { $0.waitsUntil <= now }.map { _ in
                Result<Outcome, StoreError>.failure(Self.tooMany(self.name))
            }
            let operations = group.dropFirst(late.count).map(\.operation)
            if operations.isEmpty { return late }
            return try late + db.with(patience: self.pool.deadlines.answer) { try self.perform(operations, db) }
        }
        guard let locks else {
            return readsSnapshot
                ? try connection.inTransaction(Session.beginToRead, performing)
                : try connection.withoutTransaction(performing)
        }
        return try connection.inTransaction(
            Session.beginToWrite, locks: locks(group.map(\.operation)), lockTimeout: hasWaited ? "100ms" : nil,
            performing)
    }
}
