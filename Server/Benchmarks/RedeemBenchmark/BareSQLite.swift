import BenchmarkSupport
import GRDBSQLite
import Store

/// The least work of a durable redemption, without anything of Benji's. It finds a row by a random key, marks it,
/// writes a line, and commits many at once.
final class BareSQLite {
    private var database: OpaquePointer?

    init(path: String) throws {
        guard sqlite3_open(path, &database) == SQLITE_OK else { throw BenchmarkFailure("\(path) cannot be opened") }
        try run(
            """
            PRAGMA journal_mode = wal;
            PRAGMA synchronous = FULL;
            CREATE TABLE token (hash BLOB NOT NULL PRIMARY KEY, app TEXT NOT NULL, spent_at INTEGER) WITHOUT ROWID;
            CREATE TABLE ledger (id INTEGER PRIMARY KEY, app TEXT NOT NULL, trace TEXT NOT NULL, at INTEGER NOT NULL);
            """)
    }

    deinit { sqlite3_close(database) }

    /// Rows that it spends a second, `group` in a commit.
    func rate(seconds: Int, group: Int, rows: Int) throws -> Double {
        var keys = (0..<rows).map { TokenStock.hash("\($0)").bytes }
        try fill(keys)
        keys.shuffle()
        let spend = try prepare("UPDATE token SET spent_at = 1 WHERE hash = ? AND spent_at IS NULL")
        let note = try prepare("INSERT INTO ledger (app, trace, at) VALUES ('300000000001', ?, 1)")
        defer { for statement in [spend, note] { sqlite3_finalize(statement) } }
        let begin = ContinuousClock.now
        let end = begin + .seconds(seconds)
        var spent = 0
        // Where the rows run out early, the time that they took counts.
        while ContinuousClock.now < end, spent + group <= rows {
            try run("BEGIN IMMEDIATE")
            for key in keys[spent..<(spent + group)] {
                try step(spend, key)
                guard sqlite3_changes(database) == 1 else { throw BenchmarkFailure("a row was not there to be spent") }
                try step(note, Array(key.prefix(16)))
            }
            try run("COMMIT")
            spent += group
        }
        return Double(spent) / (ContinuousClock.now - begin).inSeconds
    }

    private func fill(_ keys: [[UInt8]]) throws {
        let insert = try prepare("INSERT INTO token (hash, app) VALUES (?, '300000000001')")
        defer { sqlite3_finalize(insert) }
        try run("BEGIN")
        for key in keys { try step(insert, key) }
        try run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
        return statement
    }

    /// Runs a statement with its one argument.
    private func step(_ statement: OpaquePointer?, _ bytes: [UInt8]) throws {
        // SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the bytes.
        sqlite3_bind_blob(statement, 1, bytes, Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
        sqlite3_reset(statement)
    }

    private var failure: BenchmarkFailure { BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(database)))") }
}
