package import BenjiProtocol
import Sightings
package import Store
import StoreRows

extension PostgresStore {
    package func redeem(
        _ redemption: Redemption,
        result: @escaping @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String,
        event: (@Sendable (TokenRecord, SubscriptionRecord, String) -> OutboxEvent?)?
    ) async throws(StoreError) -> RedemptionOutcome {
        if redemption.dailyQuota != nil {
            try await billedDays.prepare(BillingCounts.Day(app: redemption.appID, day: redemption.day), self)
        }
        return try await redemptions(RedemptionRequest(redemption: redemption, result: result, event: event))
    }

    package func ledgerCounts(app: AppID, days: ClosedRange<Int32>) async throws(StoreError) -> LedgerCounts {
        try await read("count ledger") { db in
            let lines = try db.rows(
                """
                SELECT day, interface, result, count(*) FROM ledger WHERE app = $1 AND day BETWEEN $2 AND $3
                GROUP BY day, interface, result ORDER BY day, interface, result
                """, of: "ledger", app.rawValue, days.lowerBound, days.upperBound
            ) { columns in
                LedgerCount(
                    day: try columns.integer(), interface: try columns.text(), result: try columns.text(),
                    answers: try columns.integer())
            }
            let billed = try db.rows(
                """
                SELECT day, answered FROM billing_day WHERE app = $1 AND day BETWEEN $2 AND $3 AND answered > 0
                UNION ALL
                SELECT day, count(*) FROM ledger WHERE app = $1 AND day BETWEEN $2 AND $3
                    AND day >= (SELECT min(b.day) FROM ledger_begin AS b)
                    AND NOT EXISTS (SELECT 1 FROM billing_day AS b WHERE b.app = ledger.app AND b.day = ledger.day)
                GROUP BY day
                """, of: "billing_day", app.rawValue, days.lowerBound, days.upperBound
            ) { columns in (try columns.integer(Int32.self), try columns.integer(Int.self)) }
            return LedgerCounts(lines: lines, billed: Dictionary(uniqueKeysWithValues: billed))
        }
    }

    package func billed(app: AppID, day: Int32) async throws(StoreError) -> Int {
        try await ledgerCounts(app: app, days: day...day).billed[day] ?? 0
    }

    package func deleteExpiredMessages(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete expired messages") { db in
            try db.run(
                """
                DELETE FROM message WHERE ctid = ANY (ARRAY
                    (SELECT ctid FROM message WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
                """, moment.milliseconds, max(limit, 0))
        }
    }
}

extension LedgerRows {
    /// A line to be written, with its number.
    struct New {
        var id: Int64
        var app: AppID
        var trace: TraceID
        var interface: String
        var result: String
        var assurance: Assurance?
        var at: Timestamp
        var day: Int32
    }

    static func inserting(_ lines: [New]) -> Statement {
        Statement(
            """
            INSERT INTO ledger (id, app, trace, interface, result, assurance, at, day)
                SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
            """, Values(lines.map(\.id)), Values(lines.map(\.app.rawValue)), Values(lines.map(\.trace.rawValue)),
            Values(lines.map(\.interface)), Values(lines.map(\.result)), Values(lines.map(\.assurance?.rawValue)),
            Values(lines.map(\.at.milliseconds)), Values(lines.map(\.day)))
    }
}
