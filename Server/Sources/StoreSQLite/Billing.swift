import BenjiProtocol
import GRDB

/// The cost of an answer to an app: its quota of the day, and a line of the ledger.
enum Billing {
    /// An SQL condition: the app has answers left. The arguments name parameters; a NULL quota is no limit.
    static func hasRoom(app: String, day: String, daily: String, monthly: String) -> String {
        """
        (\(daily) IS NULL
            OR coalesce((SELECT answered FROM billing_day WHERE app = \(app) AND day = \(day)), 0) < \(daily))
            AND (\(monthly) IS NULL OR (\(ofMonth(app: app, day: day))) < \(monthly))
        """
    }

    /// An SQL query: the app's answers in a day's month.
    static func ofMonth(app: String, day: String) -> String {
        """
        SELECT coalesce(sum(answered), 0) FROM billing_day
        WHERE app = \(app) AND day BETWEEN \(day) / 100 * 100 AND \(day) / 100 * 100 + 99
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
