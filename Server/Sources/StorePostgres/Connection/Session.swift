import CLibPQ
import Store

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection to PostgreSQL, used by one thread at a time. Blocks while it waits, but for no answer longer than
/// ``patience``.
///
/// Statements are prepared once a connection. Several go in one message, and so do their answers (libpq's pipeline).
/// When one fails, the later ones are not run.
package final class Session {
    /// How long an answer may take. Afterwards the connection counts as lost.
    private var patience: Duration

    private let connection: OpaquePointer
    private let notices = Notices()
    private var names: [String: String] = [:]
    /// Goes with the next statements.
    private var announced: [Statement] = []
    private(set) var isInTransaction = false
    private var mayWrite = false
    /// Whether a commit is pending: until its answer comes, its outcome is unknown.
    private(set) var commitIsUnderWay = false
    private(set) var isUsable = true
    /// PostgreSQL's process of a commit that was given up. It may wait for a standby for ever.
    private(set) var processOfGivenUpCommit: Int32?

    /// - Parameter patience: how long an answer may take.
    /// - Throws: ``ServerFailure``.
    init(_ parameters: ConnectionParameters, patience: Duration) throws(ServerFailure) {
        self.patience = patience
        connection = try parameters.connect()
        notices.listen(to: connection)
        guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
            PQfinish(connection)
            throw .lost("the connection cannot be used")
        }
    }

    deinit { PQfinish(connection) }

    /// PostgreSQL's version as in `server_version_num`: 150018 is 15.18.
    var serverVersion: Int32 { PQserverVersion(connection) }

    // MARK: statements

    /// Runs statements in this order, all of one message, and hands each one's answer to `read` of its place.
    func run(_ statements: [Statement], read: (_ place: Int, _ answer: Answer) throws -> Void = { _, _ in }) throws {
        let ahead = announced.count
        let all = announced + statements
        announced = []
        var toRead: (any Error)?
        let failure = exchange(all) { place, answer in
            guard place >= ahead, toRead == nil else { return }
            do { try read(place - ahead, answer) } catch { toRead = error }
        }
        if let failure {
            if failure.isLost { isUsable = false }
            throw failure
        }
        if let toRead { throw toRead }
    }

    /// Begins a transaction with the next statement.
    ///
    /// - Parameter first: what it does before that: its locks, in the order of ``StoreLock``.
    func begin(_ mode: String = beginToWrite, first: [Statement] = []) {
        announced = [Statement(mode)] + first
        isInTransaction = true
        mayWrite = mode == Self.beginToWrite
    }

    /// How a transaction begins that may write.
    static let beginToWrite = "BEGIN"
    /// All reads of the transaction see the database as of one moment.
    static let beginToRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Writes a message to the write-ahead log, which its readers ignore, unless the transaction has written something.
    ///
    /// PostgreSQL ends a transaction without writes without waiting for its standby. A former primary that has not
    /// noticed its replacement would then report the replacement's rows as missing.
    private static let writeSomething = Statement(
        """
        SELECT pg_logical_emit_message(true, 'benji', '') WHERE pg_current_xact_id_if_assigned() IS NULL
        """)

    /// Ends the transaction, after these last statements of it. When this returns, what it wrote is durable, and what
    /// it saw was the newest state.
    func commit(after last: [Statement] = [], read: (_ place: Int, _ answer: Answer) throws -> Void = { _, _ in })
        throws
    {
        if last.isEmpty, announced.first?.sql.hasPrefix("BEGIN") == true {
            // It did nothing.
            announced = []
            isInTransaction = false
            return
        }
        commitIsUnderWay = true
        notices.hasWarning = false
        var isCommitted = false
        var isRead = true
        let last = last.isEmpty && mayWrite ? [Self.writeSomething] : last
        try run(last + [Statement("COMMIT")]) { place, answer in
            if place == last.count {
                isCommitted = answer.tag == "COMMIT"
            } else if isRead {
                do { try read(place, answer) } catch { isRead = false }
            }
        }
        if isCommitted, !isRead { throw ServerFailure.lost("it was committed, and its answer cannot be read") }
        // Somebody ended the wait for the standby: it is committed here, and may be gone when the standby takes over.
        if isCommitted, notices.hasWarning { throw ServerFailure.lost("PostgreSQL no longer waited for its standby") }
        isInTransaction = false
        commitIsUnderWay = false
        guard isCommitted else { throw ServerFailure(state: "40000", words: "the transaction was taken back") }
    }

    /// Takes back what the transaction did. Whatever it was, the session is free afterwards, or no longer usable.
    func rollBack() {
        announced = []
        defer {
            isInTransaction = false
            commitIsUnderWay = false
        }
        guard isInTransaction, isUsable else { return }
        do { try run([Statement("ROLLBACK")]) } catch { isUsable = false }
    }

    /// Runs what may take long, or what may not: each answer of it.
    func with<Value>(patience wanted: Duration, _ body: () throws -> Value) rethrows -> Value {
        let usual = patience
        patience = wanted
        defer { patience = usual }
        return try body()
    }

    // MARK: the exchange

    /// A sent item that gets an answer of its own.
    enum PendingReply {
        case preparation(sql: String)
        case statement(place: Int)
        case synchronisation
    }

    private func exchange(_ statements: [Statement], read: (Int, Answer) -> Void) -> ServerFailure? {
        var asked: [PendingReply]
        do { asked = try queue(statements) } catch { return error }
        guard PQpipelineSync(connection) == 1 else { return sendingFailed }
        asked.append(.synchronisation)
        var failure: ServerFailure?
        for one in asked {
            switch next() {
            case .failure(let lost): return lost
            case .success(let result):
                defer { PQclear(result) }
                switch (PQresultStatus(result), one) {
                case (PGRES_COMMAND_OK, .preparation(let sql)): unproven.remove(sql)
                case (PGRES_COMMAND_OK, .statement(let place)), (PGRES_TUPLES_OK, .statement(let place)):
                    read(place, Answer(result))
                case (PGRES_PIPELINE_ABORTED, _), (PGRES_PIPELINE_SYNC, _): break
                default: failure = failure ?? Self.failure(result)
                }
            }
            // Each answer but a synchronisation's is ended by nothing.
            if case .synchronisation = one { continue }
            if let lost = end() { return lost }
        }
        for sql in unproven { names[sql] = nil }
        unproven = []
        return failure
    }

    /// The size at which libpq sends the queue by itself.
    private static let sentByItself = 8192

    /// Queues statements, and sends them when they become too many.
    ///
    /// PostgreSQL runs a statement on arrival, and none of its time-outs limits a wait for the rest of a message. A
    /// process that is stopped while sending must not keep its locks. So each part within a transaction ends with a
    /// synchronisation, after which `idle_in_transaction_session_timeout` runs. Half a statement does not stop that.
    func queue(_ statements: [Statement]) throws(ServerFailure) -> [PendingReply] {
        var asked: [PendingReply] = []
        var queued = 0
        for (place, statement) in statements.enumerated() {
            let size = statement.size + (names[statement.sql] == nil ? statement.sql.utf8.count : 0)
            if isInTransaction, queued > 0, queued + size > Self.sentByItself {
                guard PQpipelineSync(connection) == 1 else { throw sendingFailed }
                asked.append(.synchronisation)
                if let lost = wait(untilSent: true) { throw lost }
                queued = 0
            }
            queued += size
            guard send(statement, prepared: { asked.append(.preparation(sql: $0)) }) else { throw sendingFailed }
            asked.append(.statement(place: place))
        }
        return asked
    }

    /// Statements of which the server has not yet said that it has prepared them.
    private var unproven: Set<String> = []
    private var counter = 0

    /// False if it could not be sent.
    private func send(_ statement: Statement, prepared: (_ sql: String) -> Void) -> Bool {
        let name: String
        if let known = names[statement.sql] {
            name = known
        } else {
            counter += 1
            name = "s\(counter)"
            let types = statement.arguments.map { $0.type as Oid }
            guard PQsendPrepare(connection, name, statement.sql, Int32(types.count), types) == 1 else { return false }
            names[statement.sql] = name
            unproven.insert(statement.sql)
            prepared(statement.sql)
        }
        return sendPrepared(name, statement.arguments)
    }

    private func sendPrepared(_ name: String, _ arguments: [Statement.Argument]) -> Bool {
        // One piece of memory for all values, because each is passed by its address.
        var bytes: [UInt8] = []
        var places: [Int?] = []
        var lengths: [Int32] = []
        for argument in arguments {
            places.append(argument.value.map { _ in bytes.count })
            lengths.append(Int32(argument.value?.count ?? 0))
            if let value = argument.value { bytes += value }
        }
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: arguments.count)
        return bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                let values = places.map { place in place.flatMap { characters.baseAddress?.advanced(by: $0) } }
                return PQsendQueryPrepared(
                    connection, name, Int32(arguments.count), values, lengths, formats, 1) == 1
            }
        }
    }

    private var sendingFailed: ServerFailure {
        isUsable = false
        return .lost("the connection to PostgreSQL is lost")
    }

    private func end() -> ServerFailure? {
        switch wait() {
        case .some(let lost): return lost
        case .none:
            guard let more = PQgetResult(connection) else { return nil }
            PQclear(more)
            isUsable = false
            return .lost("PostgreSQL answered more than was asked")
        }
    }

    /// The next answer; it must be cleared.
    private func next() -> Result<OpaquePointer, ServerFailure> {
        if let lost = wait() { return .failure(lost) }
        guard let result = PQgetResult(connection) else {
            isUsable = false
            return .failure(.lost("the connection to PostgreSQL is lost"))
        }
        if PQresultStatus(result) == PGRES_FATAL_ERROR, PQstatus(connection) == CONNECTION_BAD {
            defer { PQclear(result) }
            isUsable = false
            return .failure(Self.failure(result).isLost ? Self.failure(result) : .lost("the connection is lost"))
        }
        return .success(result)
    }

    private static func failure(_ result: OpaquePointer) -> ServerFailure {
        guard let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map({ String(cString: $0) }) else {
            return .lost("the connection to PostgreSQL is lost")
        }
        return ServerFailure(state: state)
    }

    /// Until an answer is there, or until everything is sent.
    private func wait(untilSent: Bool = false) -> ServerFailure? {
        let deadline = ContinuousClock.now + patience
        while true {
            let unsent = PQflush(connection)
            if unsent < 0 { break }
            if untilSent ? unsent == 0 : PQisBusy(connection) == 0 { return nil }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else {
                isUsable = false
                if commitIsUnderWay { processOfGivenUpCommit = PQbackendPID(connection) }
                return .lost("PostgreSQL does not answer")
            }
            var descriptor = pollfd(
                fd: PQsocket(connection), events: Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0), revents: 0)
            let milliseconds = Int32(min(left / .milliseconds(1), 60_000)) + 1
            guard poll(&descriptor, 1, milliseconds) >= 0 || errno == EINTR else { break }
            if descriptor.revents & ~Int16(POLLOUT) != 0, PQconsumeInput(connection) == 0 { break }
        }
        // The server's last message may still be there, which says why it ended the connection.
        if PQisBusy(connection) == 0 { return nil }
        isUsable = false
        return .lost("the connection to PostgreSQL is lost")
    }
}
