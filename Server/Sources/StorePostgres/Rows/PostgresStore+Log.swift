package import Store
import StoreRows
import Synchronization

extension PostgresStore {
    package func settledLogRows(for reader: LogReader) async throws(StoreError) -> [LogKind: Int64]? {
        let memory = reader == .log ? horizon : markHorizon
        return try await read("look for the log's rows") { db in try memory.look(db) }
    }
}

/// The rows up to which everything is committed. Each caller that asks repeatedly needs an instance of its own. With a
/// shared one, a caller could note an older result after a newer one, which looks like a change of the server.
final class LogHorizon: Sendable {
    /// Rows that are settled once these transactions have ended.
    struct Waiting: Hashable, Sendable {
        var rows: [LogKind: Int64]
        var writers: Set<String>
    }

    private struct State {
        /// The start time of the server that this state is about.
        var server: String?
        var settled: [LogKind: Int64] = Dictionary(uniqueKeysWithValues: LogKind.allCases.map { ($0, 0) })
        var waiting: Waiting?
    }

    private let state = Mutex(State())

    /// Looks up to which rows everything is committed.
    ///
    /// Rows get their numbers before they are committed, so a smaller number may come later. A transaction that takes a
    /// number locks the sequence before that, and until its commit is visible, also if it inserts later. Once all
    /// transactions that held such a lock have ended, no smaller number can come. The noted result also holds if this
    /// transaction is rolled back. Rows whose numbers the sequence has not reached are passed over. Benji did not write
    /// them, and the sequence continues below them.
    func look(_ db: Session) throws -> [LogKind: Int64] {
        let waiting = state.withLock { $0.waiting }
        // First the numbers, then the transactions that may still commit smaller ones.
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
                    '\(Schema.name).consent'::regclass, pg_get_serial_sequence('\(Schema.name).consent', \
            'id')::regclass)
            """, of: "pg_locks"
        ) { try $0.text() }
        let isOver = waiting?.writers.isDisjoint(with: writers) ?? false
        return note(found?.newest ?? [:], Set(writers), on: found?.server, waiting: isOver ? waiting : nil)
    }

    /// - Parameters:
    ///   - newest: the greatest rows that are committed, as of before `writers` were looked for.
    ///   - server: the start time of the server. Another start time means another server.
    ///   - waiting: the rows that waited for transactions which have ended.
    /// - Returns: the settled rows.
    private func note(
        _ newest: [LogKind: Int64], _ writers: Set<String>, on server: String?, waiting over: Waiting?
    ) -> [LogKind: Int64] {
        state.withLock { state in
            // Another primary may lack rows of the one before, so the settled rows of that one do not count.
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
