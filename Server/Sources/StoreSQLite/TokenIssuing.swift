import BenjiProtocol
import GRDB
import Sightings
import Store
import StoreRows

/// The one statement that decides whether a scrip buys a token, and what explains its refusal afterwards.
enum TokenIssuing {
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
    private static let usingOfNumber = """
        \(using) AND coalesce((SELECT tokens FROM number_day WHERE subscription = ?6 AND app = ?2 AND day = ?11), 0) < \
        ?12
        """
    private static let counting = """
        INSERT INTO number_day (subscription, app, day, tokens) VALUES (?, ?, ?, 1)
        ON CONFLICT (subscription, app, day) DO UPDATE SET tokens = tokens + 1
        """
    private static let explaining = "SELECT \(keyHasRoom), \(holds) FROM scrip WHERE \(alive)"

    /// Takes spent tokens out of the indexes that count the others. Spending itself leaves them in.
    static func unlistSpent(_ issue: TokenIssue, _ db: Database) throws {
        try db.run(
            "UPDATE token SET listed = 0 WHERE subscription = ? AND listed = 1 AND spent_at IS NOT NULL",
            issue.token.subscription.subscription)
    }

    static func useScrip(_ issue: TokenIssue, _ db: Database) throws -> Bool {
        guard let limit = issue.numberLimit else {
            _ = try run(using, issue, db) { _ in }
            return db.changesCount == 1
        }
        let (token, number) = (issue.token, issue.token.subscription)
        let used = try db.run(
            usingOfNumber, issue.scrip.bytes, token.appID.rawValue, issue.now.milliseconds,
            issue.unusedSince.milliseconds, token.binding.rawValue, number.subscription, number.epoch,
            number.simGeneration, issue.unusedPerKey, token.deviceKey, limit.day, limit.tokens)
        guard used == 1 else { return false }
        try db.run(counting, number.subscription, token.appID.rawValue, limit.day)
        return true
    }

    static func refusal(_ issue: TokenIssue, _ db: Database) throws -> TokenIssueOutcome {
        let found = try run(explaining, issue, db) { columns in
            (keyHasRoom: try columns.bool(), holds: try columns.bool())
        }
        guard let scrip = found.first else { return .scripGone }
        if !scrip.keyHasRoom { return .tooManyForKey }
        if !scrip.holds { return .subscriptionChanged }
        guard issue.numberLimit != nil else { throw StoreError(.corrupt, "issue token: refused without a reason") }
        return .tooManyForNumber
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
    // Each key's newest comes before any key's second, so a key with several tokens loses those first.
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
        ) { columns in (hash: try columns.hash(), trace: try columns.raw(TraceID.self)) }
        for old in out {
            try db.run("DELETE FROM token WHERE hash = ?", old.hash.bytes)
            try ConsentRows.deletePending(of: old.hash, old.trace, at: issue.now, db)
        }
    }
}
