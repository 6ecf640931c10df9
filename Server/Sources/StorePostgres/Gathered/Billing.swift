import BenjiProtocol
import Store
import StoreRows
import Synchronization

/// Counts of answers that a transaction has locked.
///
/// A row counts an app's answers of a day. There is one once the app has a quota, and its lock lets one redemption through at a
/// time. For a day without a row, count in the ledger.
struct BillingCounts {
    struct Day: Hashable {
        var app: AppID
        var day: Int32
    }

    private let days: [Day]
    private var answered: [Day: Int] = [:]
    private var more: [Day: Int] = [:]

    init(_ days: some Sequence<Day>) {
        self.days = Set(days).sorted { ($0.app.rawValue, $0.day) < ($1.app.rawValue, $1.day) }
    }

    /// Locks the rows that there are, and reads them.
    var locking: Statement {
        Statement(
            """
            SELECT app, day, answered FROM billing_day WHERE (app, day) IN (SELECT * FROM unnest($1, $2))
            ORDER BY app, day FOR UPDATE
            """, Values(days.map(\.app.rawValue)), Values(days.map(\.day)))
    }

    mutating func read(_ answer: Answer) throws {
        for (day, count) in try answer.rows(
            of: "billing_day",
            read: { columns in
                (Day(app: try columns.raw(), day: try columns.integer()), try columns.integer(Int.self))
            })
        { answered[day] = count }
    }

    /// - Parameter quota: `nil` is no limit. With a limit there must be a row for the day (``BilledDays``).
    func hasRoom(_ day: Day, quota: Int?) -> Bool {
        guard let quota else { return true }
        guard let answered = answered[day] else { return false }
        return answered + (more[day] ?? 0) < quota
    }

    func hasRow(_ day: Day) -> Bool { answered[day] != nil }

    mutating func count(_ day: Day) { more[day, default: 0] += 1 }

    /// Nothing for days without a row.
    var writing: [Statement] {
        let counted = more.filter { answered[$0.key] != nil }
        guard !counted.isEmpty else { return [] }
        return [
            Statement(
                """
                UPDATE billing_day AS b SET answered = b.answered + n.more FROM unnest($1, $2, $3) AS n (app, day, more)
                WHERE b.app = n.app AND b.day = n.day
                """, Values(counted.map(\.key.app.rawValue)), Values(counted.map(\.key.day)),
                Values(counted.map(\.value)))
        ]
    }
}

/// Days of apps with a quota of which this process knows that they have a row.
final class BilledDays: Sendable {
    private let known = Mutex<Set<BillingCounts.Day>>([])

    /// Makes the row if there is none, with what the ledger has of the day. Alone, because whoever counts in the ledger must not do so
    /// meanwhile.
    func prepare(_ day: BillingCounts.Day, _ store: PostgresStore) async throws(StoreError) {
        if known.withLock({ $0.contains(day) }) { return }
        try await store.write("count answers", locks: [.bill(day.app)]) { db in
            try db.run(
                """
                INSERT INTO billing_day (app, day, answered)
                    SELECT $1, $2, count(*) FROM ledger WHERE app = $1 AND day = $2
                    HAVING NOT EXISTS (SELECT 1 FROM billing_day WHERE app = $1 AND day = $2)
                ON CONFLICT (app, day) DO NOTHING
                """, day.app.rawValue, day.day)
        }
        known.withLock { known in
            // Yesterday's are not asked for again.
            if known.count > 10_000 { known = [] }
            known.insert(day)
        }
    }

    /// The row is not there after all, as after a fail-over to a standby that did not have it.
    func forget(_ day: BillingCounts.Day) { known.withLock { _ = $0.remove(day) } }
}
