import BenjiProtocol
import GRDB
import Sightings
package import Store
import StoreRows

extension SQLiteStore {
    package func issueToken(_ issue: TokenIssue) async throws(StoreError) -> TokenIssueOutcome {
        try await write("issue token") { db in
            guard try AppRows.isApp(issue.token.appID, at: issue.appRevision, db) else { return .appChanged }
            if let fence = issue.fence, try !PairRows.standing(of: fence.pair, db).isUnder(fence) {
                return .gatewayReplaced
            }
            try TokenIssuing.unlistSpent(issue, db)
            guard try TokenIssuing.useScrip(issue, db) else { return try TokenIssuing.refusal(issue, db) }
            try TokenRows.insert(issue.token, db)
            if let next = issue.nextScrip { try ScripRows.insert(next, db) }
            if let consent = issue.consent { try ConsentRows.insert(consent, of: issue.token.hash, db) }
            try TokenIssuing.makeRoom(issue, db)
            return .issued
        }
    }

    package func token(_ hash: CredentialHash) async throws(StoreError) -> TokenRecord? {
        try await look("read token") { db in try TokenRows.find(hash, db)?.token }
    }
}

/// The one statement that decides whether a scrip buys a token, and what explains its refusal afterwards.
private enum TokenIssuing {
    private static let holds = """
        \(SubscriptionRows.holds("scrip"))
            AND scrip.subscription = ?6 AND scrip.epoch = ?7 AND scrip.sim_generation = ?8
        """
    private static let keyHasRoom = """
        (SELECT count(*) FROM token WHERE subscription = ?6 AND issued_at > ?4 AND app = ?2 AND device_key = ?10
            AND listed = 1 AND spent_at IS NULL AND revoked = 0) < ?9
        """
    // A scrip of a revoked binding is itself marked, whichever came first; the token's binding may be another one.
    private static let alive = """
        hash = ?1 AND app = ?2 AND used = 0 AND revoked = 0 AND expires_at > ?3
            AND NOT \(RevokedBindings.contain("?5"))
        """

    // Both statements take the same arguments, so each names them all.
    private static let using = """
        UPDATE scrip SET used = 1 WHERE \(alive) AND \(holds) AND \(keyHasRoom)
        """
    private static let explaining = "SELECT \(keyHasRoom), \(holds) FROM scrip WHERE \(alive)"

    /// Takes what was spent out of the indexes that the others are counted by. Spending itself leaves them as they are.
    static func unlistSpent(_ issue: TokenIssue, _ db: Database) throws {
        try db.run(
            "UPDATE token SET listed = 0 WHERE subscription = ? AND listed = 1 AND spent_at IS NOT NULL",
            issue.token.subscription.subscription)
    }

    static func useScrip(_ issue: TokenIssue, _ db: Database) throws -> Bool {
        _ = try run(using, issue, db) { _ in }
        return db.changesCount == 1
    }

    static func refusal(_ issue: TokenIssue, _ db: Database) throws -> TokenIssueOutcome {
        let found = try run(explaining, issue, db) { columns in
            (keyHasRoom: try columns.bool(), holds: try columns.bool())
        }
        guard let scrip = found.first else { return .scripGone }
        if !scrip.keyHasRoom { return .tooManyForKey }
        guard !scrip.holds else { throw StoreError(.corrupt, "issue token: refused without a reason") }
        return .subscriptionChanged
    }

    private static func run<Value>(
        _ sql: String, _ issue: TokenIssue, _ db: Database, read: (inout ColumnReader) throws -> Value
    ) throws -> [Value] {
        try db.rows(
            sql, of: "scrip", issue.scrip.bytes, issue.token.appID.rawValue, issue.now.milliseconds,
            issue.unusedSince.milliseconds, issue.token.binding.rawValue, issue.token.subscription.subscription,
            issue.token.subscription.epoch, issue.token.subscription.simGeneration, issue.unusedPerKey,
            issue.token.deviceKey, read: read)
    }

    private static let counted =
        "subscription = ?1 AND app = ?2 AND assurance = ?3 AND listed = 1 AND spent_at IS NULL AND revoked = 0"
    private static let hasMore = "SELECT 1 FROM token WHERE \(counted) LIMIT 1 OFFSET ?4"
    // Each key's newest comes before any key's second: whoever has several of them loses those first.
    private static let excess = """
        SELECT hash, trace FROM (
            SELECT hash, trace, issued_at,
                row_number() OVER (PARTITION BY device_key ORDER BY issued_at DESC, hash <> ?5) AS place
            FROM token WHERE \(counted))
        ORDER BY place, issued_at DESC, hash <> ?5 LIMIT -1 OFFSET ?4
        """

    /// Puts out the unused tokens that are too many, with the evidence of what then bought nothing.
    static func makeRoom(_ issue: TokenIssue, _ db: Database) throws {
        let token = issue.token
        let isFull = try db.hasRow(
            hasMore, token.subscription.subscription,
            token.appID.rawValue, token.assurance.rawValue, issue.unusedPerNumber)
        guard isFull else { return }
        let out = try db.rows(
            excess, of: "token", token.subscription.subscription, token.appID.rawValue, token.assurance.rawValue,
            issue.unusedPerNumber, token.hash.bytes
        ) { columns in (hash: try columns.hash(), trace: try columns.text()) }
        for old in out {
            try db.run("DELETE FROM token WHERE hash = ?", old.hash.bytes)
            try db.run("DELETE FROM consent WHERE trace = ? AND token = ?", old.trace, old.hash.bytes)
        }
    }
}

enum TokenRows {
    private static let names = [
        "hash", "app", "purpose", "subscription", "epoch", "sim_generation", "carrier", "binding", "device_key",
        "assurance", "trace", "dialect", "issued_at", "expires_at",
    ]
    static let columns = names.joined(separator: ", ")
    /// The columns with the table's name before each.
    static func columns(_ table: String) -> String { names.map { "\(table).\($0)" }.joined(separator: ", ") }

    /// Bytes that a token is issued with and that its spending uses up: six for the time, the others for the name of a request.
    private static let room = 48
    /// What is left of them beside a name. A longer name makes the row grow.
    static func room(beside name: String) -> String {
        "zeroblob(max(0, \(room - 6) - coalesce(length(CAST(\(name) AS BLOB)), 0)))"
    }

    /// A token and what became of it.
    struct Found {
        var token: TokenRecord
        var spent: Bool
        /// The name of the request that spent it, if that had one.
        var message: String?
        var revoked: Bool
    }

    private static let inserting =
        "INSERT INTO token (\(columns), room) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?, zeroblob(\(room)))"

    static func insert(_ token: TokenRecord, _ db: Database) throws {
        try db.run(
            inserting, token.hash.bytes, token.appID.rawValue, token.purpose.rawValue, token.subscription.subscription,
            token.subscription.epoch, token.subscription.simGeneration, token.carrier.rawValue,
            token.binding.rawValue, token.deviceKey, token.assurance.rawValue, token.trace.rawValue,
            token.dialect.rawValue, token.issuedAt.milliseconds, token.expiresAt.milliseconds)
    }

    private static let finding = "SELECT \(columns), spent_at IS NOT NULL, message, revoked FROM token WHERE hash = ?"

    static func find(_ hash: CredentialHash, _ db: Database) throws -> Found? {
        try hash.either { hash in
            try db.row(finding, of: "token", hash.bytes) { columns in
                Found(
                    token: try decode(&columns), spent: try columns.bool(), message: try columns.optionalText(),
                    revoked: try columns.bool())
            }
        }
    }

    static func decode(_ columns: inout ColumnReader) throws -> TokenRecord {
        TokenRecord(
            hash: try columns.hash(), appID: try columns.raw(), purpose: try columns.raw(),
            subscription: try columns.reference(), carrier: try columns.raw(), binding: try columns.binding(),
            deviceKey: try columns.text(), assurance: try columns.raw(), trace: try columns.raw(),
            dialect: try columns.raw(), issuedAt: try columns.timestamp(), expiresAt: try columns.timestamp())
    }
}
