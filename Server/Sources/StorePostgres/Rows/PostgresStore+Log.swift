package import Store
import StoreRows
import Synchronization

extension PostgresStore {
    package func settledLogRows(for reader: LogReader) async throws(StoreError) -> [LogKind: Int64]? {
        let memory = reader == .log ? horizon : markHorizon
        return try await read("look for the log's rows") { db in try memory.look(db) }
    }
}

/// Up to which rows everything is committed. Whoever asks again and again has one for itself: of two that look at once, the
/// later one may note what it saw earlier, as if the server were another one.
final class LogHorizon: Sendable {
    /// Rows that are settled once these transactions have ended.
    struct Waiting: Hashable, Sendable {
        var rows: [LogKind: Int64]
        var writers: Set<String>
    }

    private struct State {
        /// When the server began that this is known of.
        var server: String?
        var settled: [LogKind: Int64] = Dictionary(uniqueKeysWithValues: LogKind.allCases.map { ($0, 0) })
        var waiting: Waiting?
    }

    private let state = Mutex(State())

    /// Looks up to which rows everything is committed.
    ///
    /// Rows get their numbers before they are committed, so a smaller number may come later. Whoever takes a number holds a lock on the
    /// sequence from before it has it until its commit is seen, also if it inserts later: once all who held one are gone, nothing
    /// smaller can come. What it notes holds also if the transaction is taken back. Rows whose numbers the sequence has not
    /// reached are passed over: somebody else wrote them, and the sequence goes on before them.
    func look(_ db: Session) throws -> [LogKind: Int64] {
        let waiting = state.withLock { $0.waiting }
        // First the numbers, then who may still commit smaller ones.
        let found = try db.row(
            """
            SELECT coalesce((SELECT max(id) FROM consent WHERE id <= \(Session.lastNumber(of: "consent"))), 0),
                coalesce((SELECT max(id) FROM ledger WHERE id <= \(Session.lastNumber(of: "ledger"))), 0),
                extract(epoch FROM pg_postmaster_start_time())::text
            """, of: "ledger"
        ) { columns in
            let newest = [
                LogKind.consent: try columns.integer(Int64.self), .release: try columns.integer(Int64.self),
            ]
            return (newest: newest, server: try columns.text())
        }
        let writers = try db.rows(
            """
            SELECT DISTINCT virtualtransaction FROM pg_locks
            WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND relation IN (
                    '\(Schema.name).ledger'::regclass, pg_get_serial_sequence('\(Schema.name).ledger', 'id')::regclass,
                    '\(Schema.name).consent'::regclass, pg_get_serial_sequence('\(Schema.name).consent', 'id')::regclass)
            """, of: "pg_locks"
        ) { try $0.text() }
        let isOver = waiting?.writers.isDisjoint(with: writers) ?? false
        return note(found?.newest ?? [:], Set(writers), on: found?.server, waiting: isOver ? waiting : nil)
    }

    /// - Parameters:
    ///   - newest: the greatest rows that are committed, as of before `writers` were looked for.
    ///   - server: when it began: one that began at another moment is another.
    ///   - waiting: what has ended.
    /// - Returns: what is settled.
    private func note(
        _ newest: [LogKind: Int64], _ writers: Set<String>, on server: String?, waiting over: Waiting?
    ) -> [LogKind: Int64] {
        state.withLock { state in
            // Another primary may not have all of the one before: what that one had settled says nothing of its rows.
            if state.server != server || state.settled.contains(where: { (newest[$0.key] ?? 0) < $0.value }) {
                state = State(server: server)
            } else if let over {
                state.settled.merge(over.rows, uniquingKeysWith: max)
                if state.waiting == over { state.waiting = nil }
            }
            if writers.isEmpty {
                state.settled.merge(newest, uniquingKeysWith: max)
                state.waiting = nil
            } else if state.waiting == nil {
                state.waiting = Waiting(rows: newest, writers: writers)
            }
            return state.settled
        }
    }
}
