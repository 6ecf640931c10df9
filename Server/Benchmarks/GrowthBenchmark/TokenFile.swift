import Authority
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import GRDBSQLite
import Sightings
import Store

/// Writes tokens into a store's file by SQL, as they lie there after their issue: millions of them would take hours
/// over logins.
///
/// Nothing else may write to the file meanwhile.
final class TokenFile {
    /// One that is to be redeemed.
    struct Token {
        var text: String
        var app: AppID
        var subscription: SubscriptionReference
    }

    private var database: OpaquePointer?

    private static let columns = """
        hash, app, purpose, subscription, epoch, sim_generation, carrier, binding, device_key, assurance, trace, \
        dialect, \
        issued_at, expires_at, room
        """
    /// The values that all share: a token lives for a day here, so that no round finds its tokens expired.
    private static let day: Int64 = 86_400_000
    private static let key = String(repeating: "k", count: 43)

    /// - Parameter path: a file that a ``SQLiteStore`` has made, and closed.
    init(_ path: String) throws {
        guard sqlite3_open(path, &database) == SQLITE_OK else { throw BenchmarkFailure("\(path) cannot be opened") }
        try run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144")
    }

    /// As the store's own connections expect it.
    deinit {
        sqlite3_exec(database, "PRAGMA journal_mode = WAL", nil, nil, nil)
        sqlite3_close(database)
    }

    /// Makes `count` tokens that are to be redeemed, each for the app and the subscription that `holder` names.
    func issue(
        _ count: Int, holder: (Int) -> (app: AppID, subscription: SubscriptionReference)
    ) throws -> [Token] {
        let random = SystemRandomSource()
        let now = SystemWallClock().now
        let insert = try prepare(
            """
            INSERT INTO token (\(Self.columns))
            VALUES (?1, ?2, 'login', ?3, ?4, ?5, 'mobile', 1, '\(Self.key)', 'net', ?6, 'device', ?7, ?8, zeroblob(48))
            """)
        defer { sqlite3_finalize(insert) }
        try run("BEGIN")
        let tokens = try (0..<count).map { index in
            let (app, subscription) = holder(index)
            let text = CredentialGrammar.token.make(at: now, random: random)
            bind(insert, 1, CredentialHash(of: text, .token).bytes)
            bind(insert, 2, app.rawValue)
            sqlite3_bind_int64(insert, 3, subscription.subscription)
            sqlite3_bind_int64(insert, 4, Int64(subscription.epoch))
            sqlite3_bind_int64(insert, 5, Int64(subscription.simGeneration))
            bind(insert, 6, TraceID(at: now, random: random).rawValue)
            sqlite3_bind_int64(insert, 7, now.milliseconds)
            sqlite3_bind_int64(insert, 8, now.milliseconds + Self.day)
            guard sqlite3_step(insert) == SQLITE_DONE else { throw failure }
            sqlite3_reset(insert)
            return Token(text: text, app: app, subscription: subscription)
        }
        try run("COMMIT")
        return tokens
    }

    /// Makes `count` tokens, issued one after the other within the day before now, that have been spent: what an
    /// installation's past leaves in the file.
    func fillWithSpent(_ count: Int, app: AppID, subscription: SubscriptionReference) throws {
        let now = SystemWallClock().now.milliseconds
        // Seven characters in the order of time and a digest, as a credential's key is; the trace's name is as long as
        // a real one.
        try run(
            """
            WITH RECURSIVE number(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number LIMIT \(count))
            INSERT INTO token (\(Self.columns), spent_at, message, listed)
            SELECT CAST(printf('0%06X', i / 8) || randomblob(32) AS BLOB), '\(app.rawValue)', 'login',
                \(subscription.subscription), \(subscription.epoch), \(subscription.simGeneration), 'mobile', 1,
                '\(Self.key)', 'net', printf('%032d', i), 'device', \(now - Self.day) + i * \(Self.day) / \(count),
                \(now) + i * \(Self.day) / \(count), zeroblob(10),
                \(now - Self.day) + i * \(Self.day) / \(count), printf('%032d', i), 0
            FROM number
            """)
    }

    func run(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
        return statement
    }

    // SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the bound value.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func bind(_ statement: OpaquePointer?, _ index: Int32, _ bytes: [UInt8]) {
        sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), Self.transient)
    }

    private func bind(_ statement: OpaquePointer?, _ index: Int32, _ text: String) {
        sqlite3_bind_text(statement, index, text, -1, Self.transient)
    }

    private var failure: BenchmarkFailure { BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(database)))") }
}
