import BenjiProtocol
import Store
import StoreRows
import Synchronization

/// Counts of answers that a transaction has locked.
///
/// A row counts an app's answers of a day. There is one once the app has a quota, and its lock lets one redemption
/// through at a time. For a day without a row, count in the ledger. A quota of a month locks the rows of all its days,
/// so two that are redeemed around midnight count each other.
struct BillingCounts {
    struct Day: Hashable {
        var app: AppID
        var day: Int32

        /// The days of its month.
        var month: [Day] { (1...31).map { Day(app: app, day: day / 100 * 100 + $0) } }

        /// The days whose answers a quota asks for.
        func asked(by quota: AnswerQuota) -> [Day] {
            if quota.monthly != nil { return month }
            return quota.daily == nil ? [] : [self]
        }
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

    /// - Parameter quota: for each day that it asks for there must be a row (``BilledDays``).
    func hasRoom(_ day: Day, quota: AnswerQuota) -> Bool {
        func isLess(_ days: [Day], than limit: Int?) -> Bool {
            guard let limit else { return true }
            return days.reduce(0) { $0 + (answered[$1] ?? 0) + (more[$1] ?? 0) } < limit
        }
        return hasRows(day, quota: quota) && isLess([day], than: quota.daily) && isLess(day.month, than: quota.monthly)
    }

    func hasRows(_ day: Day, quota: AnswerQuota) -> Bool {
        day.asked(by: quota).allSatisfy { answered[$0] != nil }
    }

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

    /// Inserts the rows that a quota needs and that are missing, with the ledger's counts of their days. Holds the lock
    /// alone, because no other transaction may count in the ledger meanwhile.
    func prepare(
        _ day: BillingCounts.Day, for quota: AnswerQuota, _ store: PostgresStore
    ) async throws(StoreError) {
        let days = day.asked(by: quota)
        guard let first = days.first?.day, let last = days.last?.day else { return }
        if known.withLock({ known in days.allSatisfy(known.contains) }) { return }
        try await store.write("count answers", locks: [.bill(day.app)]) { db in
            try db.run(
                """
                INSERT INTO billing_day (app, day, answered)
                    SELECT $1, d.day, coalesce(l.answered, 0) FROM generate_series($2, $3) AS d (day)
                    LEFT JOIN (SELECT day, count(*) AS answered FROM ledger WHERE app = $1 AND day BETWEEN $2 AND $3
                        AND id <= \(Session.lastNumber(of: "ledger")) GROUP BY day) AS l ON l.day = d.day
                    WHERE NOT EXISTS (SELECT 1 FROM billing_day AS b WHERE b.app = $1 AND b.day = d.day)
                ON CONFLICT (app, day) DO NOTHING
                """, day.app.rawValue, first, last)
        }
        known.withLock { known in
            // Yesterday's are not asked for again.
            if known.count > 10_000 { known = [] }
            known.formUnion(days)
        }
    }

    /// A row is not there after all, as after a fail-over to a standby that did not have it.
    func forget(_ day: BillingCounts.Day, for quota: AnswerQuota) {
        known.withLock { $0.subtract(day.asked(by: quota)) }
    }
}
