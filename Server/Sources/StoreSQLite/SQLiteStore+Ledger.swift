package import BenjiProtocol
import GRDB
import Sightings
package import Store
import StoreRows

extension SQLiteStore {
    package func redeem(
        _ redemption: Redemption,
        result: @escaping @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String,
        event: (@Sendable (TokenRecord, SubscriptionRecord, String) -> OutboxEvent?)?
    ) async throws(StoreError) -> RedemptionOutcome {
        try await write("redeem") { db in
            guard let (token, subscription) = try Redeeming.spend(redemption, db) else {
                return try Redeeming.refusal(redemption, db)
            }
            let answer = try result(token, subscription)
            let entry = try Billing.write(
                app: redemption.appID, trace: token.trace, interface: redemption.interface,
                result: answer, assurance: token.assurance, at: redemption.now,
                day: redemption.day,
                db)
            if let event = event?(token, subscription, answer) { try OutboxRows.insert(event, db) }
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
