import Authority
import BenjiProtocol
import Foundation
import GRDB
import Store
import StoreSQLite

/// How much each table of a database has.
package struct TableSizes: Equatable, Sendable {
    package struct Size: Equatable, Sendable {
        package var rows: Int
        /// Of the values, without indexes and pages: 8 for each number, else the value's length.
        package var bytes: Int
    }

    /// By the table's name. A table without rows is not in it.
    package var tables: [String: Size]

    /// The rows and bytes that were added since `before`. Leaves out tables without more rows.
    package func more(than before: TableSizes) -> TableSizes {
        var more: [String: Size] = [:]
        for (name, size) in tables {
            let earlier = before.tables[name] ?? Size(rows: 0, bytes: 0)
            let left = Size(rows: size.rows - earlier.rows, bytes: max(0, size.bytes - earlier.bytes))
            if left.rows > 0 { more[name] = left }
        }
        return TableSizes(tables: more)
    }

    package func rows(_ table: String) -> Int { tables[table]?.rows ?? 0 }
}

extension AuthorityWorld {
    /// How much is in each table, with what waited to be written.
    package func sizes() async throws -> TableSizes {
        _ = try await store.traceEvents(TraceID(random: SystemRandomSource()))
        let queue = try DatabaseQueue(path: directory + "/benji.sqlite")
        defer { try? queue.close() }
        return try await queue.read { db in
            let names = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            var tables: [String: TableSizes.Size] = [:]
            for name in names {
                let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
                let bytes = columns.map { column in
                    """
                    CASE typeof("\(column)") WHEN 'null' THEN 0 WHEN 'integer' THEN 8 WHEN 'real' THEN 8
                    ELSE length(CAST("\(column)" AS BLOB)) END
                    """
                }.joined(separator: " + ")
                let rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(name)\"") ?? 0
                let sum = try Int.fetchOne(db, sql: "SELECT coalesce(sum(\(bytes)), 0) FROM \"\(name)\"") ?? 0
                if rows > 0 { tables[name] = TableSizes.Size(rows: rows, bytes: sum) }
            }
            return TableSizes(tables: tables)
        }
    }
}

/// The rows that an hour of calls left: at its end, a day and two hours later, and eight days later.
package struct Leftovers: Equatable, Sendable {
    package var hour: TableSizes
    package var day: TableSizes
    package var week: TableSizes

    package init(hour: TableSizes, day: TableSizes, week: TableSizes) {
        (self.hour, self.day, self.week) = (hour, day, week)
    }

    /// Without the rows that an hour without calls left, too: a head of the public log, for example.
    package func more(than idle: Leftovers) -> Leftovers {
        Leftovers(hour: hour.more(than: idle.hour), day: day.more(than: idle.day), week: week.more(than: idle.week))
    }

    /// The tables with more rows a day or a week later than the other hour left.
    package func grown(since fewer: Leftovers) -> Set<String> {
        Set(day.tables.keys.filter { day.rows($0) > fewer.day.rows($0) })
            .union(week.tables.keys.filter { week.rows($0) > fewer.week.rows($0) })
    }
}

/// One way in which a caller at a phone's address, or at an address that is no phone's, can have rows written.
package struct RowBudgetWay<World>: Sendable {
    /// Method and path: `POST /device/v1/prefetch`.
    package var route: String
    /// The caller and its calls, in words.
    package var words: String
    /// Tables that keep more for longer than a day if more is called. `docs/generated/row-budget.md` says why for each.
    package var growing: Set<String>
    /// Prepares the hour and returns one call of it.
    package var prepare: @Sendable (World) async throws -> () async throws -> Void

    package init(
        _ route: String, _ words: String, growing: Set<String> = [],
        _ prepare: @escaping @Sendable (World) async throws -> () async throws -> Void
    ) {
        self.route = route
        self.words = words
        self.growing = growing
        self.prepare = prepare
    }
}

package enum RowBudget {
    /// Calls in the hour: one in 7.5 s. Budgets of the worlds are smaller in proportion, and all are used up by so
    /// many.
    package static let calls = 480
    /// Calls in the hour that is compared with it.
    package static let moreCalls = 720

    /// Plays an hour of calls, and sweeps as a server does.
    package static func play(
        _ world: AuthorityWorld, calls: Int, _ call: () async throws -> Void
    ) async throws -> Leftovers {
        let clock = world.clock
        let before = try await world.sizes()
        let begin = clock.now
        let end = begin + .seconds(3600)
        var swept = begin
        func wait(until moment: Timestamp) { if clock.now < moment { clock.advance(by: moment - clock.now) } }
        for number in 0..<calls {
            wait(until: begin + .milliseconds(Int64(number) * 3_600_000 / Int64(calls)))
            guard clock.now < end else { break }
            try await call()
            guard clock.now - swept >= .seconds(500) else { continue }
            try await sweep(world)
            swept = clock.now
        }
        func left() async throws -> TableSizes {
            try await sweep(world)
            return try await world.sizes().more(than: before)
        }
        wait(until: end)
        let hour = try await left()
        for _ in 0..<12 {
            clock.advance(by: .seconds(500))
            try await sweep(world)
        }
        wait(until: end + .seconds(26 * 3600))
        let day = try await left()
        wait(until: end + .seconds(8 * 86400))
        return Leftovers(hour: hour, day: day, week: try await left())
    }

    private static func sweep(_ world: AuthorityWorld) async throws {
        try await world.authority.writeLoginCounts()
        while try await world.authority.appendToLog() {}
        try await world.authority.deleteExpired()
    }
}

/// `docs/generated/row-budget.md`: what each way leaves, in a section for each list of ways.
package struct RowBudgetReport {
    /// One line of a table: a way, and a table of the database; an empty name for a way that leaves nothing.
    package struct Line: Equatable, Sendable {
        package var route: String
        package var words: String
        package var table: String
        /// After the hour, a day later, a week later.
        package var sizes: [TableSizes.Size]
    }

    package static let path = "docs/generated/row-budget.md"

    /// Whether tests write the report instead of comparing with it.
    package static var isWritten: Bool { ProcessInfo.processInfo.environment["BENJI_ROW_BUDGET"] == "write" }

    private static var file: URL {
        // Server/Tests/Support/ServerTestKit/…, four folders below the repository.
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return root.appendingPathComponent(path)
    }

    package static func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// The routes that have a line, in any section.
    package static func routes() throws -> Set<String> {
        Set(try text().split(separator: "\n").compactMap { line(of: $0)?.route })
    }

    /// How many rows of a table a way leaves a day later; `nil` if no section says it.
    package static func rowsADayLater(_ route: String, _ words: String, of table: String) throws -> Int? {
        try text().split(separator: "\n").compactMap { line(of: $0) }
            .first { $0.route == route && $0.words == words && $0.table == table }?.sizes[1].rows
    }

    package static func lines(_ route: String, _ words: String, _ left: Leftovers) -> [Line] {
        let moments = [left.hour, left.day, left.week]
        let tables = Set(moments.flatMap { $0.tables.keys }).sorted()
        let nothing = TableSizes.Size(rows: 0, bytes: 0)
        return (tables.isEmpty ? [""] : tables).map { table in
            Line(route: route, words: words, table: table, sizes: moments.map { $0.tables[table] ?? nothing })
        }
    }

    /// Compares a section with the measurement, or writes it.
    /// - Returns: every difference, in words.
    package static func differences(_ section: String, _ lines: [Line]) throws -> [String] {
        let (begin, end) = ("<!-- row budget: \(section) -->\n", "<!-- end of \(section) -->\n")
        var text = try Self.text()
        guard let from = text.range(of: begin)?.upperBound, let to = text.range(of: end)?.lowerBound, from <= to else {
            return ["\(path) has no section \(section)"]
        }
        if isWritten {
            text.replaceSubrange(from..<to, with: table(lines))
            try text.write(to: file, atomically: true, encoding: .utf8)
            return []
        }
        let written = text[from..<to].split(separator: "\n").compactMap { line(of: $0) }
        func name(_ line: Line) -> String {
            "\(line.route), \(line.words): \(line.table.isEmpty ? "nothing" : line.table)"
        }
        var differences = written.filter { line in !lines.contains { name($0) == name(line) } }.map {
            "\(name($0)): in the report only"
        }
        for line in lines {
            guard let known = written.first(where: { name($0) == name(line) }) else {
                differences.append("\(name(line)): not in the report: \(line.sizes.map(cell))")
                continue
            }
            let isSame = zip(known.sizes, line.sizes).allSatisfy { known, found in
                known.rows == found.rows && abs(known.bytes - found.bytes) <= max(256, known.bytes / 10)
            }
            if !isSame {
                differences.append("\(name(line)): \(line.sizes.map(cell)) and not \(known.sizes.map(cell))")
            }
        }
        return differences
    }

    private static func table(_ lines: [Line]) -> String {
        let rows = lines.map { line in
            "| `\(line.route)` | \(line.words) | \(line.table.isEmpty ? "" : "`\(line.table)`") | "
                + line.sizes.map(cell).joined(separator: " | ") + " |\n"
        }
        return """
            | route | who calls | table | after the hour | a day later | a week later |
            |---|---|---|--:|--:|--:|

            """ + rows.joined()
    }

    private static func cell(_ size: TableSizes.Size) -> String {
        size.rows == 0 ? "0" : "\(size.rows), \(String(format: "%.1f", Double(size.bytes) / 1024)) KiB"
    }

    private static func size(_ cell: String) -> TableSizes.Size? {
        let parts = cell.split(separator: " ")
        guard let rows = parts.first.flatMap({ Int($0.filter { $0 != "," }) }) else { return nil }
        guard parts.count == 3 else { return parts.count == 1 ? TableSizes.Size(rows: rows, bytes: 0) : nil }
        return Double(parts[1]).map { TableSizes.Size(rows: rows, bytes: Int($0 * 1024)) }
    }

    private static func line(of text: Substring) -> Line? {
        let cells = text.split(separator: "|", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard cells.count == 8, cells[1].hasPrefix("`") else { return nil }
        let sizes = cells[4...6].compactMap(size)
        guard sizes.count == 3 else { return nil }
        return Line(
            route: cells[1].filter { $0 != "`" }, words: cells[2], table: cells[3].filter { $0 != "`" }, sizes: sizes)
    }
}
