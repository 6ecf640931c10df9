import Dispatch
import Logging
import Store
import StoreRows
import Synchronization

/// Some connections, each used by one thread of its own at a time, so that no thread of Swift's tasks ever waits for
/// PostgreSQL.
///
/// A lost connection is made again when it is next needed, and so are those that were made before the loss. After a
/// fail-over they may lead to a former primary, which lacks later writes. While no connection can be made, callers fail
/// at once, and the next attempt follows after a moment.
///
/// No connection is used that leads to a database that went back (``ConfirmedHeartbeat``).
///
/// None is made to a PostgreSQL where commits that were given up here are still under way, as when its standby is gone.
/// Later commits would be given up too, with what they have spent. Each would leave a PostgreSQL connection behind.
final class ConnectionPool: Sendable {
    /// The pause between a failed attempt and the next.
    private static let pause: Duration = .milliseconds(500)

    private struct Job {
        /// `nil` of gathered work. Vital work has a connection that nothing else uses.
        var urgency: Urgency?
        var waitsUntil: ContinuousClock.Instant
        var run: @Sendable (Result<Connection, ServerFailure>) -> Void
    }

    /// A connection, accessed only by the thread whose turn it is.
    final class Connection: @unchecked Sendable {
        fileprivate var held: Session?
        /// How many sessions of the pool were lost when this one was made.
        private var lossesBefore = 0
        private let losses: Losses
        private let heartbeat: ConfirmedHeartbeat?
        private let make: () throws(ServerFailure) -> Session

        fileprivate init(
            _ losses: Losses, _ heartbeat: ConfirmedHeartbeat?,
            make: @escaping @Sendable () throws(ServerFailure) -> Session
        ) {
            self.losses = losses
            self.heartbeat = heartbeat
            self.make = make
        }

        /// Whether there is a session that works, and none of the pool was lost since it was made.
        fileprivate var isReady: Bool { held?.isUsable == true && lossesBefore == losses.count }

        /// Returns the session, or makes one if none is ready.
        func session() throws(ServerFailure) -> Session {
            if let held, isReady { return held }
            noteLoss()
            held = nil
            lossesBefore = losses.count
            let session = try make()
            try losses.refuseCommitsUnderWay(session)
            do throws(ServerFailure) { try heartbeat?.refuseEarlier(session) } catch {
                giveUpAll()
                throw error
            }
            held = session
            return session
        }

        /// Closes and reopens all sessions before their next use. Open sessions may lead to a database that was set
        /// back.
        func giveUpAll() { losses.add(after: losses.count, nil) }

        /// Notes that the session was lost, if it was. Those that were lost together count once.
        fileprivate func noteLoss() {
            if let held, !held.isUsable { losses.add(after: lossesBefore, held.processOfGivenUpCommit) }
        }
    }

    /// The losses so far.
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

        /// Throws if a commit that was given up is still under way at this session's PostgreSQL. Another one, after a
        /// fail-over, has none.
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

    private struct State {
        var idle: [Int]
        var isReserveIdle = true
        var vital = JobQueue<Job>()
        var gathered = JobQueue<Job>()
        var others = JobQueue<Job>()
        var unproven = JobQueues<Job>()
        /// Jobs under way that are neither vital nor gathered, and how many of these are of callers who have proved
        /// nothing.
        var othersRunning = 0
        var unprovenRunning = 0
        var paceOfOthers = Pace<ContinuousClock.Instant>()
        var unprovenPace = Pace<ContinuousClock.Instant>()
        var isOpen = true
        var busy = 0
        var closing: [CheckedContinuation<Void, Never>] = []
        var failed: (at: ContinuousClock.Instant, failure: ServerFailure)?
        var isComplaining = false

        /// The next job: vital jobs first, then gathered and other jobs in the order of asking, then those of callers
        /// who have proved nothing. At most `limit` jobs that are neither vital nor gathered are under way at once.
        /// Callers who have proved nothing have a third of that.
        mutating func next(onReserve: Bool, limit: Int) -> Job? {
            if vital.first != nil { return vital.removeFirst() }
            if onReserve { return nil }
            let other = othersRunning < limit ? others.first : nil
            if let first = gathered.first, other.map({ first.waitsUntil <= $0.waitsUntil }) ?? true {
                return gathered.removeFirst()
            }
            if other != nil {
                othersRunning += 1
                return others.removeFirst()
            }
            guard mayBeginUnproven(limit: limit), let job = unproven.removeFirst() else { return nil }
            othersRunning += 1
            unprovenRunning += 1
            return job
        }

        func mayBeginUnproven(limit: Int) -> Bool {
            othersRunning < limit && unprovenRunning < ConnectionPool.maximumUnproven(limit)
        }

        mutating func began(_ urgency: Urgency?, on index: Int, at now: ContinuousClock.Instant) {
            switch urgency {
            case nil, .vital: break
            case .other: paceOfOthers.begin(index, at: now)
            case .unproven: unprovenPace.begin(index, at: now)
            }
        }

        mutating func ended(_ urgency: Urgency?, on index: Int, at now: ContinuousClock.Instant) {
            switch urgency {
            case nil, .vital: return
            case .other: break
            case .unproven: unprovenRunning -= 1
            }
            othersRunning -= 1
            paceOfOthers.end(index, at: now)
            unprovenPace.end(index, at: now)
        }
    }

    let deadlines: PostgresDeadlines
    private let connections: [Connection]
    private let queues: [DispatchQueue]
    private let state: Mutex<State>
    private let logger: Logger

    /// - Parameter heartbeat: what the database of a new session is compared with.
    init(
        count: Int, deadlines: PostgresDeadlines, heartbeat: ConfirmedHeartbeat? = nil, logger: Logger,
        make: @escaping @Sendable () throws(ServerFailure) -> Session
    ) {
        self.deadlines = deadlines
        let losses = Losses()
        connections = (0...count).map { _ in Connection(losses, heartbeat, make: make) }
        queues = (0...count).map { DispatchQueue(label: "benji.store.postgres.\($0)") }
        state = Mutex(State(idle: Array((0..<count).reversed())))
        self.logger = logger
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }
    /// Without the one that only vital work uses, the last.
    var count: Int { connections.count - 1 }
    /// The connections for work that is not gathered and may take long. Two stay free for logins, if there are enough.
    private var maximumOthers: Int { max(count - 2, 1) }
    /// How many of `others` callers who have proved nothing may use: a third, so that a flood of theirs changes little
    /// for the rest.
    private static func maximumUnproven(_ others: Int) -> Int { max(others / 3, 1) }

    /// Runs `body` with a connection, on its thread, in the order of asking.
    ///
    /// - Parameters:
    ///   - isBatched: whether it is many operations that wait for a short time. Others have fewer connections.
    ///   - body: gets the failure instead if there is no connection to be had.
    func perform<Value: Sendable>(
        _ name: String, isBatched: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let urgency = isBatched ? nil : Urgency(of: name)
            let now = ContinuousClock.now
            let job = Job(urgency: urgency, waitsUntil: now + deadlines.queue) { connection in
                do {
                    let value = try body(connection.get())
                    continuation.resume(returning: .success(value))
                } catch {
                    continuation.resume(returning: .failure(StoreError(error, during: name)))
                }
            }
            let start: Start = state.withLock { state in
                guard state.isOpen else { return .closed }
                var index: Int?
                switch urgency {
                case nil: state.gathered.append(job)
                case .vital:
                    state.vital.append(job)
                    if state.isReserveIdle {
                        state.isReserveIdle = false
                        index = count
                    }
                case .other:
                    let wait = state.paceOfOthers.wait(
                        behind: state.others.count, atOnce: maximumOthers, now: now)
                    guard wait < deadlines.queue else { return .tooMany }
                    state.others.append(job)
                    // With the last of these another one begins.
                    if state.othersRunning >= maximumOthers { return .later }
                case .unproven(let listener):
                    let wait = state.unprovenPace.wait(
                        behind: state.unproven.jobs(before: listener), atOnce: Self.maximumUnproven(maximumOthers),
                        now: now)
                    guard wait < deadlines.queue, state.unproven.count(of: listener) < Self.waitingUnproven else {
                        return .tooMany
                    }
                    state.unproven.append(job, of: listener)
                    if !state.mayBeginUnproven(limit: maximumOthers) { return .later }
                }
                guard let index = index ?? state.idle.popLast() else { return .later }
                state.busy += 1
                return .on(index)
            }
            switch start {
            case .closed: continuation.resume(returning: .failure(.closed(during: name)))
            case .tooMany: continuation.resume(returning: .failure(StoreError(Self.tooMany, during: name)))
            case .later: break
            case .on(let index): queues[index].async { self.work(index) }
            }
        }
        return try result.get()
    }

    private enum Start {
        case closed, tooMany, later
        case on(Int)
    }

    /// How many jobs of one listener's callers who have proved nothing may wait.
    private static let waitingUnproven = 1024

    /// More work waits than can be done before those who wait give up.
    private static let tooMany = ServerFailure.lost("PostgreSQL is too slow: too many wait for it")

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
        var urgency: Urgency?
        while true {
            let now = ContinuousClock.now
            let (job, closing): (Job?, [CheckedContinuation<Void, Never>]) = state.withLock { state in
                state.ended(urgency, on: index, at: now)
                if let job = state.next(onReserve: index == count, limit: maximumOthers) {
                    state.began(job.urgency, on: index, at: now)
                    return (job, [])
                }
                if index == count { state.isReserveIdle = true } else { state.idle.append(index) }
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
            urgency = job.urgency
            guard job.waitsUntil > now else {
                job.run(.failure(Self.tooMany))
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
