import Dispatch
import GRDB
import Logging
import Store
import StoreRows
import Synchronization

/// Many durable operations, one commit (decision 9).
///
/// While one group is being made durable, the next gathers. It then runs inside one transaction, and no caller gets a
/// result before the commit has returned. If an operation fails, the transaction is rolled back. It runs again with a
/// savepoint for each operation, so that only the failed one is rolled back. If the commit fails, every operation of
/// the group fails, whatever its result: it may have read another's write.
final class GroupedWriter: Sendable {
    struct Job: Sendable {
        var name: String
        /// Works inside the transaction, a second time if the first was taken back, and returns what hands the result
        /// over once it is durable.
        var run: @Sendable (Database) throws -> @Sendable () -> Void
        var fail: @Sendable (StoreError) -> Void
    }

    private typealias Backlog = WriteBacklog<Job, TraceEvent>

    private struct State {
        var backlog = Backlog()
        var closed = false
        var trouble = DiskTrouble()
        var waitingForClose: [CheckedContinuation<Void, Never>] = []
    }

    private let pool: DatabasePool
    /// Closed before the pool, whose writer must be the last on the file.
    private let looks: (any DatabaseReader)?
    private let logger: Logger
    private let flushDelay: DispatchTimeInterval
    private let state = Mutex(State())
    /// Wakes the writer while it gathers a group.
    private let gathered = DispatchSemaphore(value: 0)

    init(
        pool: DatabasePool, looks: (any DatabaseReader)? = nil, logger: Logger,
        flushDelay: DispatchTimeInterval = .milliseconds(200)
    ) {
        self.pool = pool
        self.looks = looks
        self.logger = logger
        self.flushDelay = flushDelay
    }

    var isOpen: Bool { state.withLock { $0.backlog.isOpen } }
    /// Operations that no group has taken yet.
    var waitingJobs: Int { state.withLock { $0.backlog.waitingJobs } }

    /// Runs `body` in the next group that has room for its ``StoreRows/Urgency``; returns after that group's commit. It
    /// may run twice, the first time taken back, so it must have no effects but on the database.
    func perform<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let job = Job(
                name: name,
                run: { db in
                    let value = try body(db)
                    return { continuation.resume(returning: .success(value)) }
                },
                fail: { continuation.resume(returning: .failure($0)) })
            let urgency = Urgency(of: name)
            switch state.withLock({ $0.backlog.add(job, urgency) }) {
            case .start: start()
            case .gathered: gathered.signal()
            case .closed: job.fail(.closed(during: name))
            case .full: job.fail(StoreError(.unavailable, "\(name): SQLite is too slow: too many wait for it"))
            case .waits, .flushLater: break
            }
        }
        return try result.get()
    }

    /// Takes events along with a group after a short while, or alone. Does not wait for the disk.
    func piggyback(_ events: [TraceEvent]) throws(StoreError) {
        switch state.withLock({ $0.backlog.add(events: events) }) {
        case .start: start()
        case .flushLater: flushLater()
        case .waits, .gathered: break
        case .closed: throw .closed(during: "append trace events")
        case .full: throw StoreError(.unavailable, "append trace events: too many wait for the disk")
        }
    }

    /// Writes the events that wait; returns after their commit.
    func flush() async throws(StoreError) {
        if case .start = state.withLock({ $0.backlog.flush() }) { start() }
        // No group overtakes another.
        try await perform("flush trace events") { _ in }
    }

    /// Finishes pending jobs and closes the file. Later calls return when that is done.
    func close() async {
        await withCheckedContinuation { continuation in
            let (done, admission) = state.withLock { state in
                if state.closed { return (true, Backlog.Admission.closed) }
                state.waitingForClose.append(continuation)
                return (false, state.backlog.close())
            }
            if done { continuation.resume() }
            if case .start = admission { start() }
        }
    }

    // MARK: on the writer's queue

    private func start() {
        pool.asyncWriteWithoutTransaction { [self] db in
            var last = Duration.zero
            var hasWaited = false
            while true {
                let next = state.withLock { $0.backlog.next(hasWaited: hasWaited) }
                hasWaited = false
                switch next {
                case .write(let group): last = ContinuousClock().measure { write(group, db) }
                case .gather:
                    // No longer than the last group took, nor than a disk usually does: they may never come.
                    let patience = min(last, .milliseconds(10))
                    _ = gathered.wait(timeout: .now() + .nanoseconds(Int(patience / .nanoseconds(1))))
                    hasWaited = true
                case .rest: return
                case .finish:
                    // The file cannot be closed from the writer's own queue: closing waits for it.
                    DispatchQueue.global().async { [self] in finish() }
                    return
                }
            }
        }
    }

    private func write(_ group: Backlog.Group, _ db: Database) {
        do {
            if state.withLock({ $0.trouble.distrustsLog }) {
                try WriteAheadLog.empty(db)
                state.withLock { $0.trouble.logWasEmptied() }
            }
            let changes = db.totalChangesCount
            let answers = try commitTogether(group, db) ?? commitApart(group, db)
            // An empty commit, as of refusals alone, proves nothing about the disk.
            if db.totalChangesCount != changes, state.withLock({ $0.trouble.commitSucceeded() }) {
                logger.notice("writes succeed again")
            }
            for answer in answers { answer() }
        } catch {
            if db.isInsideTransaction { try? db.rollback() }
            let failure = StoreError(error, during: "commit")
            if state.withLock({ $0.trouble.commitFailed(failure, error) }) {
                logger.error(
                    "writes fail; nothing is answered that is not safe",
                    metadata: ["reason": "\(failure.detail)", "advice": "\(StoreError.advice(error))"])
            }
            for job in group.jobs { job.fail(StoreError(.unavailable, "\(job.name): \(failure.detail)")) }
            giveBack(group.events)
        }
    }

    /// Commits the group as one; `nil`, and nothing written, if any of its operations fails, which is rare. A savepoint
    /// makes SQLite copy each page that a neighbour has changed before it is changed again.
    private func commitTogether(_ group: Backlog.Group, _ db: Database) throws -> [@Sendable () -> Void]? {
        try Self.transaction("BEGIN IMMEDIATE", db)
        var answers: [@Sendable () -> Void] = []
        answers.reserveCapacity(group.jobs.count)
        do {
            try TraceRows.insert(group.events, db)
            for job in group.jobs { answers.append(try job.run(db)) }
        } catch {
            if db.isInsideTransaction { try db.rollback() }
            // A disk that fails is for the caller to remember, not to be tried again at once.
            if DiskTrouble.isInputOutput(error) { throw error }
            return nil
        }
        try Self.transaction("COMMIT", db)
        return answers
    }

    /// Commits the group with a savepoint for each operation, so that one that fails takes back its own work only.
    private func commitApart(_ group: Backlog.Group, _ db: Database) throws -> [@Sendable () -> Void] {
        var answers: [@Sendable () -> Void] = []
        try Self.transaction("BEGIN IMMEDIATE", db)
        do {
            try Self.inSavepoint(db) { try TraceRows.insert(group.events, db) }
        } catch {
            guard db.isInsideTransaction else { throw error }
            let failure = StoreError(error, during: "write trace events")
            answers.append { [self, events = group.events] in keep(events, after: failure) }
        }
        for job in group.jobs {
            do {
                answers.append(try Self.inSavepoint(db) { try job.run(db) })
            } catch {
                // On a full disk SQLite may take back the whole transaction, and with it the neighbours' work.
                guard db.isInsideTransaction else { throw error }
                let failure = StoreError(error, during: job.name)
                answers.append { job.fail(failure) }
            }
        }
        try Self.transaction("COMMIT", db)
        return answers
    }

    /// GRDB's own functions parse the words each time.
    private static func transaction(_ sql: String, _ db: Database) throws {
        try db.cachedStatement(sql: sql).execute()
    }

    private static func inSavepoint<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
        try db.run("SAVEPOINT operation")
        do {
            let value = try body()
            try db.run("RELEASE operation")
            return value
        } catch {
            if db.isInsideTransaction {
                try db.run("ROLLBACK TO operation")
                try db.run("RELEASE operation")
            }
            throw error
        }
    }

    /// Events that could not be written go again if the disk was at fault; events that no disk will take are dropped.
    private func keep(_ events: [TraceEvent], after failure: StoreError) {
        if failure.code == .unavailable { return giveBack(events) }
        logger.error("trace events dropped", metadata: ["reason": "\(failure.detail)", "events": "\(events.count)"])
    }

    private func giveBack(_ events: [TraceEvent]) {
        if case .flushLater = state.withLock({ $0.backlog.giveBack(events) }) { flushLater() }
    }

    // MARK: elsewhere

    private func flushLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + flushDelay) { [weak self] in
            guard let self else { return }
            if case .start = state.withLock({ $0.backlog.flush() }) { start() }
        }
    }

    private func finish() {
        do {
            try looks?.close()
            // Leaves one complete file behind: readers that close last could not do it. If another process is at work
            // it is not done, and not waited for, because a wait would block all writers.
            if !pool.configuration.readonly {
                _ = try? pool.writeWithoutTransaction { db in try WriteAheadLog.emptyAtOnce(db) }
            }
            try pool.close()
        } catch {
            logger.error("closing failed", metadata: ["reason": "\(StoreError(error, during: "close").detail)"])
        }
        let waiting = state.withLock { state in
            state.closed = true
            defer { state.waitingForClose = [] }
            return state.waitingForClose
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension StoreError {
    static func closed(during operation: String) -> StoreError {
        StoreError(.unavailable, "\(operation): the store is closed")
    }
}
