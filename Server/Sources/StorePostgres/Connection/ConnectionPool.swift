import Dispatch
import Logging
import Store
import Synchronization

/// Some connections, each used by one thread of its own at a time, so that no thread of Swift's tasks ever waits for PostgreSQL.
///
/// A connection that is lost is made again when it is next needed, and so are those that were made before the loss: after a fail-over
/// they may lead to a PostgreSQL that was primary once, and does not know of what was written since. While a connection cannot be made,
/// whoever asks hears so at once, and it is tried again after a moment.
///
/// None is made to a PostgreSQL that still has commits under way that were given up here, because its standby is gone for example: later
/// ones would be given up too, with what they have spent, and each would leave a connection of PostgreSQL's behind.
final class ConnectionPool: Sendable {
    /// How long after a failed attempt nobody tries again.
    private static let pause: Duration = .milliseconds(500)

    private struct Job {
        var isGathered: Bool
        var waitsUntil: ContinuousClock.Instant
        var run: @Sendable (Result<Connection, ServerFailure>) -> Void
    }

    /// What only the thread of the connection's turn touches.
    final class Connection: @unchecked Sendable {
        fileprivate var held: Session?
        /// How many sessions of the pool were lost when this one was made.
        private var lossesBefore = 0
        private let losses: Losses
        private let make: () throws(ServerFailure) -> Session

        fileprivate init(_ losses: Losses, make: @escaping @Sendable () throws(ServerFailure) -> Session) {
            self.losses = losses
            self.make = make
        }

        /// Whether there is a session that works, and none of the pool was lost since it was made.
        fileprivate var isReady: Bool { held?.isUsable == true && lossesBefore == losses.count }

        /// The session, made anew if there is none that is ready.
        func session() throws(ServerFailure) -> Session {
            if let held, isReady { return held }
            noteLoss()
            held = nil
            lossesBefore = losses.count
            let session = try make()
            try losses.refuseCommitsUnderWay(session)
            held = session
            return session
        }

        /// Notes that the session was lost, if it was. Those that were lost together count once.
        fileprivate func noteLoss() {
            if let held, !held.isUsable { losses.add(after: lossesBefore, held.processOfGivenUpCommit) }
        }
    }

    /// What was lost so far.
    fileprivate final class Losses: Sendable {
        private let counted = Atomic(0)
        /// PostgreSQL's processes of commits that were given up and may still be under way.
        private let givenUp = Mutex<Set<Int32>>([])

        /// How many sessions.
        var count: Int { counted.load(ordering: .acquiring) }
        /// One more, unless one was noted since.
        func add(after before: Int, _ givenUpCommit: Int32?) {
            if let givenUpCommit { givenUp.withLock { _ = $0.insert(givenUpCommit) } }
            _ = counted.compareExchange(expected: before, desired: before + 1, ordering: .acquiringAndReleasing)
        }

        /// Throws if a commit that was given up is still under way at this session's PostgreSQL. Another one, after a fail-over, has none.
        func refuseCommitsUnderWay(_ session: Session) throws(ServerFailure) {
            let asked = givenUp.withLock { $0 }
            if asked.isEmpty { return }
            let underWay: Set<Int32>
            do {
                underWay = Set(
                    try session.rows(
                        """
                        SELECT pid FROM pg_stat_activity
                        WHERE pid = ANY($1) AND pid <> pg_backend_pid() AND state = 'active'
                        """, of: "pg_stat_activity", Values(asked)
                    ) { try $0.integer() })
            } catch {
                throw error as? ServerFailure ?? .lost("\(type(of: error))")
            }
            givenUp.withLock { $0.subtract(asked.subtracting(underWay)) }
            guard underWay.isEmpty else {
                throw .lost(
                    "PostgreSQL does not end its commits: its disk is too slow, or a standby that they wait for is gone"
                )
            }
        }
    }

    /// Jobs in the order of asking.
    private struct JobQueue {
        private var jobs: [Job] = []
        private var place = 0

        var first: Job? { place < jobs.count ? jobs[place] : nil }
        mutating func append(_ job: Job) { jobs.append(job) }
        mutating func removeFirst() {
            place += 1
            if place == jobs.count || place > 1024 {
                jobs.removeFirst(place)
                place = 0
            }
        }
    }

    private struct State {
        var idle: [Int]
        var gathered = JobQueue()
        var others = JobQueue()
        /// Others under way.
        var othersRunning = 0
        var isOpen = true
        var busy = 0
        var closing: [CheckedContinuation<Void, Never>] = []
        var failed: (at: ContinuousClock.Instant, failure: ServerFailure)?
        var isComplaining = false

        /// What is to be done next, in the order of asking. Of others no more than `maximumOthers` are under way at once.
        mutating func next(maximumOthers: Int) -> Job? {
            let other = othersRunning < maximumOthers ? others.first : nil
            if let first = gathered.first, other.map({ first.waitsUntil <= $0.waitsUntil }) ?? true {
                gathered.removeFirst()
                return first
            }
            guard let other else { return nil }
            others.removeFirst()
            othersRunning += 1
            return other
        }
    }

    let deadlines: PostgresDeadlines
    private let connections: [Connection]
    private let queues: [DispatchQueue]
    private let state: Mutex<State>
    private let logger: Logger

    init(
        count: Int, deadlines: PostgresDeadlines, logger: Logger,
        make: @escaping @Sendable () throws(ServerFailure) -> Session
    ) {
        self.deadlines = deadlines
        let losses = Losses()
        connections = (0..<count).map { _ in Connection(losses, make: make) }
        queues = (0..<count).map { DispatchQueue(label: "benji.store.postgres.\($0)") }
        state = Mutex(State(idle: Array((0..<count).reversed())))
        self.logger = logger
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }
    var count: Int { connections.count }
    /// How many connections are for what is not gathered and may take long: two are left for logins, where there are so many.
    private var maximumOthers: Int { max(count - 2, 1) }

    /// Runs `body` with a connection, on its thread, in the order of asking.
    ///
    /// - Parameters:
    ///   - isGathered: whether it is many operations that wait for a short time. Others have fewer connections.
    ///   - body: gets the failure instead if there is no connection to be had.
    func perform<Value: Sendable>(
        _ name: String, isGathered: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let job = Job(isGathered: isGathered, waitsUntil: .now + deadlines.queue) { connection in
                do {
                    let value = try body(connection.get())
                    continuation.resume(returning: .success(value))
                } catch {
                    continuation.resume(returning: .failure(StoreError(error, during: name)))
                }
            }
            let start: Int?? = state.withLock { state in
                guard state.isOpen else { return nil }
                if isGathered { state.gathered.append(job) } else { state.others.append(job) }
                // With the last of these another one begins.
                if !isGathered, state.othersRunning >= maximumOthers { return .some(nil) }
                guard let index = state.idle.popLast() else { return .some(nil) }
                state.busy += 1
                return index
            }
            switch start {
            case .none: continuation.resume(returning: .failure(.closed(during: name)))
            case .some(.none): break
            case .some(.some(let index)): queues[index].async { self.work(index) }
            }
        }
        return try result.get()
    }

    /// Finishes what waits and closes the connections. Later calls return when that is done.
    func close() async {
        await withCheckedContinuation { continuation in
            let done = state.withLock { state in
                state.isOpen = false
                if state.busy == 0 { return true }
                state.closing.append(continuation)
                return false
            }
            if done { finish([continuation]) }
        }
    }

    private func finish(_ closing: [CheckedContinuation<Void, Never>]) {
        for (queue, connection) in zip(queues, connections) { queue.sync { connection.held = nil } }
        for continuation in closing { continuation.resume() }
    }

    // MARK: on a connection's queue

    private func work(_ index: Int) {
        var isOther = false
        while true {
            let (job, closing): (Job?, [CheckedContinuation<Void, Never>]) = state.withLock { state in
                if isOther { state.othersRunning -= 1 }
                if let job = state.next(maximumOthers: maximumOthers) { return (job, []) }
                state.idle.append(index)
                state.busy -= 1
                guard state.busy == 0, !state.isOpen else { return (nil, []) }
                defer { state.closing = [] }
                return (nil, state.closing)
            }
            guard let job else {
                // Closing waits for every queue, and so must not be done on one of them.
                if !closing.isEmpty { DispatchQueue.global().async { self.finish(closing) } }
                return
            }
            isOther = !job.isGathered
            guard job.waitsUntil > .now else {
                job.run(.failure(.lost("PostgreSQL is too slow: too many wait for it")))
                continue
            }
            job.run(ready(connections[index]))
            connections[index].noteLoss()
        }
    }

    /// The connection, connected.
    private func ready(_ connection: Connection) -> Result<Connection, ServerFailure> {
        let recent = state.withLock { state in
            state.failed.flatMap { $0.at + Self.pause > .now ? $0.failure : nil }
        }
        if connection.isReady { return .success(connection) }
        if let recent { return .failure(recent) }
        do {
            _ = try connection.session()
            noteSuccess()
            return .success(connection)
        } catch {
            noteFailure(error)
            return .failure(error)
        }
    }

    private func noteFailure(_ failure: ServerFailure) {
        let isNew = state.withLock { state in
            state.failed = (.now, failure)
            defer { state.isComplaining = true }
            return !state.isComplaining
        }
        if isNew {
            logger.error("the store cannot be reached; nothing is answered", metadata: ["reason": "\(failure.words)"])
        }
    }

    private func noteSuccess() {
        let wasComplaining = state.withLock { state in
            state.failed = nil
            defer { state.isComplaining = false }
            return state.isComplaining
        }
        if wasComplaining { logger.notice("the store is reached again") }
    }
}
