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
            let lines = try LedgerSumRows.counts(app: app, days: days, db)
            let billed = try db.rows(
                "SELECT day, answered FROM billing_day WHERE app = ? AND day BETWEEN ? AND ?", of: "billing_day",
                app.rawValue, days.lowerBound, days.upperBound
            ) { columns in (try columns.integer(Int32.self), try columns.integer(Int.self)) }
            return LedgerCounts(lines: lines, billed: Dictionary(uniqueKeysWithValues: billed))
        }
    }

    /// Lines are counted beside the writer, which then adds what they come to: it must not be kept from redemptions.
    package func sumLedger(limit: Int) async throws(StoreError) -> Int {
        let next = try await read("sum ledger") { db in
            // There is one writer, so an entry with a later number was committed later.
            try LedgerSumRows.next(settled: .max, limit: limit, db).map { ($0, try CountedLines.read($0, db)) }
        }
        guard let (slice, counted) = next else { return 0 }
        return try await write("sum ledger") { db in
            // Another process may have added them since.
            guard try LedgerSumRows.mark(db) == slice.mark else { return 0 }
            for each in counted { try each.add(db) }
            try LedgerSumRows.moveMark(to: slice, db)
            return slice.lines
        }
    }

    package func billed(app: AppID, day: Int32) async throws(StoreError) -> Int {
        try await read("read billing") { db in
            try db.row(
                "SELECT answered FROM billing_day WHERE app = ? AND day = ?", of: "billing_day", app.rawValue, day
            ) { columns in try columns.integer() } ?? 0
        }
    }

    package func billed(app: AppID, inMonthOf day: Int32) async throws(StoreError) -> Int {
        try await read("read billing") { db in
            try db.row(Billing.ofMonth(app: "?1", day: "?2"), of: "billing_day", app.rawValue, day) { columns in
                try columns.integer()
            } ?? 0
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

/// Lines of the ledger that are alike, counted before they are added to their sum.
private struct CountedLines {
    var app: String
    var count: LedgerCount

    static func read(_ slice: LedgerSumRows.Slice, _ db: Database) throws -> [CountedLines] {
        try db.rows(
            """
            SELECT app, day, interface, result, count(*) FROM ledger WHERE id > ? AND id <= ?
            GROUP BY app, day, interface, result
            """, of: "ledger", slice.mark, slice.last
        ) { CountedLines(app: try $0.text(), count: try LedgerSumRows.count(&$0)) }
    }

    /// But for a day that the ledger has left meanwhile.
    func add(_ db: Database) throws {
        try db.run(
            """
            INSERT INTO ledger_sum (app, day, interface, result, answers)
                SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?2 >= (SELECT day FROM ledger_begin)
            ON CONFLICT (app, day, interface, result) DO UPDATE SET answers = answers + excluded.answers
            """, app, count.day, count.interface, count.result, count.answers)
    }
}
