package import BenjiProtocol
package import Store

/// Sums of the ledger's lines (decision 61): every line up to a mark is in one of them, and no line after it is.
package enum LedgerSumRows {
    /// Lines that come into the sums next.
    package struct Slice: Sendable {
        /// The last line before them.
        package var mark: Int64
        package var last: Int64
        package var lines: Int
    }

    /// Counts an app's days from the sums and the later lines. One statement reads both, as of one moment.
    package static func counts<DB: StatementRunner>(
        app: AppID, days: ClosedRange<Int32>, _ db: DB
    ) throws -> [LedgerCount] {
        // `day + 0` keeps the database from an index by day, which would read all apps' lines of the month.
        try db.rows(
            """
            SELECT day, interface, result, CAST(sum(answers) AS bigint) FROM
                (SELECT day, interface, result, answers FROM ledger_sum WHERE app = $1 AND day BETWEEN $2 AND $3
                UNION ALL
                SELECT day, interface, result, count(*) AS answers FROM ledger
                    WHERE app = $1 AND id > coalesce((SELECT line FROM ledger_mark), 0)
                        AND id <= \(DB.lastNumber(of: "ledger")) AND day + 0 BETWEEN $2 AND $3
                    GROUP BY day, interface, result) AS counted
            WHERE day + 0 >= (SELECT b.day FROM ledger_begin AS b)
            GROUP BY day, interface, result ORDER BY day, interface, result
            """, of: "ledger_sum", app.rawValue, days.lowerBound, days.upperBound, read: count)
    }

    /// 0 while no line is in the sums.
    package static func mark<DB: StatementRunner>(_ db: DB) throws -> Int64 {
        try db.row("SELECT line FROM ledger_mark", of: "ledger_mark") { try $0.integer(Int64.self) } ?? 0
    }

    package static func hasMore<DB: StatementRunner>(_ db: DB) throws -> Bool {
        try db.hasRow(
            "SELECT 1 FROM ledger WHERE id > $1 AND id <= \(DB.lastNumber(of: "ledger")) LIMIT 1", try mark(db))
    }

    /// - Parameter settled: the last line that may be taken: no smaller one is committed any more.
    package static func next<DB: StatementRunner>(settled: Int64, limit: Int, _ db: DB) throws -> Slice? {
        let mark = try mark(db)
        let found = try db.row(
            """
            SELECT max(id), count(*) FROM
                (SELECT id FROM ledger WHERE id > $1 AND id <= $2 AND id <= \(DB.lastNumber(of: "ledger"))
                    ORDER BY id LIMIT $3) AS next
            """, of: "ledger", mark, settled, max(limit, 0)
        ) { (last: try $0.optionalInteger(Int64.self), lines: try $0.integer(Int.self)) }
        return found?.last.map { Slice(mark: mark, last: $0, lines: found?.lines ?? 0) }
    }

    /// Adds lines to the sums, but those of days that the ledger has left, and moves the mark on.
    package static func add<DB: StatementRunner>(_ slice: Slice, _ db: DB) throws {
        try db.run(
            """
            INSERT INTO ledger_sum (app, day, interface, result, answers)
                SELECT app, day, interface, result, count(*) FROM ledger
                WHERE id > $1 AND id <= $2 AND day + 0 >= (SELECT b.day FROM ledger_begin AS b)
                GROUP BY app, day, interface, result
            ON CONFLICT (app, day, interface, result) DO UPDATE SET answers = ledger_sum.answers + excluded.answers
            """, slice.mark, slice.last)
        try moveMark(to: slice, db)
    }

    package static func moveMark<DB: StatementRunner>(to slice: Slice, _ db: DB) throws {
        try db.run(
            """
            INSERT INTO ledger_mark (id, line) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET line = excluded.line
            """, slice.last)
    }

    package static func count(_ columns: inout some Columns) throws -> LedgerCount {
        LedgerCount(
            day: try columns.integer(), interface: try columns.text(), result: try columns.text(),
            answers: try columns.integer())
    }
}
