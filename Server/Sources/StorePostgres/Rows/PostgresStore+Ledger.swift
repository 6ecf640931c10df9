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
        if redemption.quota != AnswerQuota() {
            let day = BillingCounts.Day(app: redemption.appID, day: redemption.day)
            try await billedDays.prepare(day, for: redemption.quota, self)
        }
        return try await redemptions(RedemptionRequest(redemption: redemption, result: result, event: event))
    }

    package func ledgerCounts(app: AppID, days: ClosedRange<Int32>) async throws(StoreError) -> LedgerCounts {
        try await read("count ledger") { db in
            let lines = try LedgerSumRows.counts(app: app, days: days, db)
            let rows = try db.rows(
                "SELECT day, answered FROM billing_day WHERE app = $1 AND day BETWEEN $2 AND $3", of: "billing_day",
                app.rawValue, days.lowerBound, days.upperBound
            ) { columns in (try columns.integer(Int32.self), try columns.integer(Int.self)) }
            let counted = Dictionary(uniqueKeysWithValues: rows)
            // For a day without a row, the ledger has the count.
            var billed = counted
            for line in lines where counted[line.day] == nil { billed[line.day, default: 0] += line.answers }
            return LedgerCounts(lines: lines, billed: billed.filter { $0.value > 0 })
        }
    }

    package func sumLedger(limit: Int) async throws(StoreError) -> Int {
        guard try await read("look for lines to sum", { db in try LedgerSumRows.hasMore(db) }) else { return 0 }
        let horizon = sumHorizon
        return try await write("sum ledger", locks: [.ledgerSums]) { db in
            // In this transaction, so that it is this server's lines that are settled.
            let settled = try horizon.look(db)[.release] ?? 0
            guard let slice = try LedgerSumRows.next(settled: settled, limit: limit, db) else { return 0 }
            try LedgerSumRows.add(slice, db)
            return slice.lines
        }
    }

    package func billed(app: AppID, day: Int32) async throws(StoreError) -> Int {
        try await ledgerCounts(app: app, days: day...day).billed[day] ?? 0
    }

    package func billed(app: AppID, inMonthOf day: Int32) async throws(StoreError) -> Int {
        let day = BillingCounts.Day(app: app, day: day)
        let days = day.month.map(\.day)
        try await billedDays.prepare(day, for: AnswerQuota(monthly: .max), self)
        return try await readOne("read billing") { db in
            try db.row(
                """
                SELECT coalesce(sum(answered), 0)::bigint FROM billing_day WHERE app = $1 AND day BETWEEN $2 AND $3
                """, of: "billing_day", app.rawValue, days.first, days.last
            ) { columns in try columns.integer() } ?? 0
        }
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
