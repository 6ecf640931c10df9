package import BenjiProtocol
import GRDB
import Sightings
package import Store
import StoreRows

extension SQLiteStore {
    package func redeem(
        _ redemption: Redemption,
        result: @escaping @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String
    ) async throws(StoreError) -> RedemptionOutcome {
        try await write("redeem") { db in
            guard let (token, subscription) = try Redeeming.spend(redemption, db) else {
                return try Redeeming.refusal(redemption, db)
            }
            let entry = try Billing.write(
                app: redemption.appID, trace: token.trace, interface: redemption.interface,
                result: try result(token, subscription), assurance: token.assurance, at: redemption.now,
                day: redemption.day,
                db)
            if token.purpose == .login { try FamiliarKeys.note(token, at: redemption.now, db) }
            return .spent(token, subscription, entry: entry)
        }
    }

    package func ledgerCounts(app: AppID, days: ClosedRange<Int32>) async throws(StoreError) -> LedgerCounts {
        try await read("count ledger") { db in
            let lines = try db.rows(
                """
                SELECT day, interface, result, count(*) FROM ledger WHERE app = ? AND day BETWEEN ? AND ?
                GROUP BY day, interface, result ORDER BY day, interface, result
                """, of: "ledger", app.rawValue, days.lowerBound, days.upperBound
            ) { columns in
                LedgerCount(
                    day: try columns.integer(), interface: try columns.text(), result: try columns.text(),
                    answers: try columns.integer())
            }
            let billed = try db.rows(
                "SELECT day, answered FROM billing_day WHERE app = ? AND day BETWEEN ? AND ?", of: "billing_day",
                app.rawValue, days.lowerBound, days.upperBound
            ) { columns in (try columns.integer(Int32.self), try columns.integer(Int.self)) }
            return LedgerCounts(lines: lines, billed: Dictionary(uniqueKeysWithValues: billed))
        }
    }

    package func billed(app: AppID, day: Int32) async throws(StoreError) -> Int {
        try await read("read billing") { db in
            try db.row(
                "SELECT answered FROM billing_day WHERE app = ? AND day = ?", of: "billing_day", app.rawValue, day
            ) { columns in try columns.integer() } ?? 0
        }
    }

    package func deleteExpiredMessages(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete expired messages") { db in
            try db.run(
                """
                DELETE FROM message WHERE (app, name) IN
                    (SELECT app, name FROM message WHERE expires_at < ? LIMIT ?)
                """, moment.milliseconds, max(limit, 0))
        }
    }
}

/// The steps of one redemption. Each decides by its own statement, never by what an earlier one read (decision 4).
private enum Redeeming {
    private static let holds = SubscriptionRows.holds("token")

    // Lists of fixed length keep the statement the same, and so prepared once; NULL equals nothing. For a RETURNING, and for an IN
    // of more than two, SQLite makes a table each time: half of what the statement took.
    private static let spending = """
        UPDATE token SET spent_at = ?3, message = ?13, room = \(TokenRows.room(beside: "?13"))
        WHERE hash = ?1 AND app = ?2 AND spent_at IS NULL AND revoked = 0 AND expires_at > ?3
            AND purpose IN (?6, ?7) AND (assurance = ?8 OR assurance = ?9 OR assurance = ?10 OR assurance = ?11)
            AND (?12 IS NULL OR trace = ?12) AND \(holds)
            AND (?14 IS NULL OR EXISTS (SELECT 1 FROM app WHERE id = ?2 AND revision = ?14))
            AND \(Billing.hasRoom(app: "?2", day: "?4", quota: "?5"))
        """

    private static let finding = """
        SELECT \(TokenRows.columns("token")), \(SubscriptionRows.columns("s"))
        FROM token JOIN subscription AS s ON s.id = token.subscription WHERE token.hash = ?
        """

    /// Spends the token if everything holds in this instant; `nil` if not, and then nothing was changed.
    static func spend(_ redemption: Redemption, _ db: Database) throws -> (TokenRecord, SubscriptionRecord)? {
        try redemption.token.either { hash in
            guard try spend(hash, redemption, db) else { return nil }
            let found = try db.row(finding, of: "token", hash.bytes) { columns in
                (try TokenRows.decode(&columns), try SubscriptionRows.decode(&columns))
            }
            guard let found else {
                throw StoreError(.corrupt, "redeem: a subscription that was just compared is missing")
            }
            return found
        }
    }

    private static func spend(_ hash: CredentialHash, _ redemption: Redemption, _ db: Database) throws -> Bool {
        func purpose(_ purpose: TokenPurpose) -> String? {
            redemption.purposes.contains(purpose) ? purpose.rawValue : nil
        }
        func assurance(_ assurance: Assurance) -> String? {
            assurance >= redemption.leastAssurance ? assurance.rawValue : nil
        }
        return try db.run(
            spending, hash.bytes, redemption.appID.rawValue, redemption.now.milliseconds,
            redemption.day, redemption.dailyQuota, purpose(.login), purpose(.verification),
            assurance(.net), assurance(.netApp), assurance(.netAppAddress), assurance(.sim),
            redemption.trace?.rawValue, redemption.messageID, redemption.appRevision) == 1
    }

    /// Why ``spend(_:_:)`` did not: the first reason in the order that ``RedemptionOutcome`` documents.
    static func refusal(_ redemption: Redemption, _ db: Database) throws -> RedemptionOutcome {
        guard try AppRows.isApp(redemption.appID, at: redemption.appRevision, db) else { return .appChanged }
        guard let found = try TokenRows.find(redemption.token, db) else { return .unknown }
        let token = found.token
        if token.appID != redemption.appID { return .wrongApp(token) }
        if !redemption.purposes.contains(token.purpose) { return .wrongPurpose(token) }
        if let trace = redemption.trace, token.trace != trace { return .wrongLogin(token) }
        if let name = found.message, name == redemption.messageID { return .messageReplayed }
        if found.spent { return .alreadySpent(token) }
        if redemption.now >= token.expiresAt { return .expired(token) }
        if token.assurance < redemption.leastAssurance { return .tooWeak(token) }
        let subscription = try SubscriptionRows.find(token.subscription.subscription, db)
        if found.revoked || subscription?.reference != token.subscription { return .subscriptionChanged(token) }
        guard redemption.dailyQuota != nil else { throw StoreError(.corrupt, "redeem: refused without a reason") }
        return .quotaExceeded(token)
    }
}

/// What an answer costs an app: its quota of the day, and a line of the ledger.
enum Billing {
    /// An SQL condition: the app has answers left. The arguments name parameters; a NULL quota is no limit.
    static func hasRoom(app: String, day: String, quota: String) -> String {
        """
        (\(quota) IS NULL
            OR coalesce((SELECT answered FROM billing_day WHERE app = \(app) AND day = \(day)), 0) < \(quota))
        """
    }

    /// Counts the answer and writes the ledger's line, whose row number it returns.
    @discardableResult
    static func write(
        app: AppID, trace: TraceID, interface: String, result: String, assurance: Assurance? = nil,
        at moment: Timestamp,
        day: Int32, _ db: Database
    ) throws -> Int64 {
        try db.run(
            """
            INSERT INTO billing_day (app, day, answered) VALUES (?, ?, 1)
            ON CONFLICT (app, day) DO UPDATE SET answered = answered + 1
            """, app.rawValue, day)
        try db.run(
            "INSERT INTO ledger (app, trace, interface, result, assurance, at, day) VALUES (?,?,?,?,?,?,?)",
            app.rawValue, trace.rawValue, interface, result, assurance?.rawValue, moment.milliseconds, day)
        return db.lastInsertedRowID
    }
}
