import GRDB
import Logging
import Store
import StoreRows
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("A table is read page by page and compared value by value")
struct TableCopyTests {
    private static let columns = [
        CopiedTable.Column(name: "n", kind: .int64), .init(name: "m", kind: .int32), .init(name: "flag", kind: .bool),
        .init(name: "word", kind: .text), .init(name: "data", kind: .bytes),
    ]

    private static func table(_ name: String, key: [Int]) -> CopiedTable {
        CopiedTable(name: name, columns: columns, key: key, series: nil)
    }

    private static func number(_ value: SQLValue) -> Int64? {
        switch value {
        case .int64(let number): number
        case .int32(let number): number.map(Int64.init)
        case .bool(let isSet): isSet.map { $0 ? 1 : 0 }
        case .text, .bytes: nil
        }
    }

    /// Two tables, `t` and `copy`, in memory.
    private static func with<Value>(_ rows: String, _ others: String, _ body: (Database) throws -> Value) throws
        -> Value
    {
        try DatabaseQueue().write { db in
            for (name, values) in [("t", rows), ("copy", others)] {
                try db.execute(sql: "CREATE TABLE \(name) (n, m, flag, word, data)")
                if !values.isEmpty { try db.execute(sql: "INSERT INTO \(name) VALUES \(values)") }
            }
            return try body(db)
        }
    }

    /// The result of a comparison: rows, rows of the copy, missing, added, different, and in which columns.
    private static func compare(_ rows: String, _ others: String, key: [Int]) throws -> String {
        try with(rows, others) { db in
            var told = 0
            let found = try TableComparison(
                of: table("t", key: key), from: TableRows(of: table("t", key: key), in: db),
                to: TableRows(of: table("copy", key: key), in: db)
            ) { told += 1 }
            #expect(found.table == "t" && told == found.rows && !found.repeatsNumbers)
            #expect(found.isEqual == (found.missing + found.added + found.different == 0))
            let counts = [found.rows, found.rowsOfCopy, found.missing, found.added, found.different]
            return (counts.map { "\($0)" } + found.columns.sorted()).joined(separator: " ")
        }
    }

    @Test("rows with one key are compared in every column, byte by byte, and NULL is no other value")
    func values() throws {
        let row = "(1, 2, 1, 'e', x'01')"
        let cases = [
            (row, row, "1 1 0 0 0"), ("", "", "0 0 0 0 0"),
            ("(1, NULL, 1, NULL, NULL)", "(1, NULL, 1, NULL, NULL)", "1 1 0 0 0"),
            (row, "(1, 3, 1, 'e', x'01')", "1 1 0 0 1 m"), (row, "(1, NULL, 1, 'e', x'01')", "1 1 0 0 1 m"),
            (row, "(1, 2, 0, 'e', x'01')", "1 1 0 0 1 flag"),
            ("(1, 0, 1, 'e', x'')", "(1, NULL, 1, 'e', NULL)", "1 1 0 0 1 data m"),
            (row, "(1, 2, 1, 'f', x'01')", "1 1 0 0 1 word"), (row, "(1, 2, 1, 'e', x'0100')", "1 1 0 0 1 data"),
            ("(1, 2, 1, '', x'01')", "(1, 2, 1, NULL, x'01')", "1 1 0 0 1 word"),
            // One letter to a reader, two ways to write it.
            (
                "(1, 2, 1, char(233), x'01'), (2, 2, 1, 'e', x'01')",
                "(1, 2, 1, char(101, 769), x'01'), (2, 2, 1, 'e', x'01')",
                "2 2 0 0 1 word"
            ),
            (
                "(1, 2, 1, 'e', x'01'), (2, 2, 1, 'e', x'01')", "(1, 9, 1, 'f', x'01'), (2, 2, 0, 'e', x'01')",
                "2 2 0 0 2 flag m word"
            ),
        ]
        for (rows, others, expected) in cases {
            #expect(try Self.compare(rows, others, key: [0]) == expected, "\(rows) and \(others)")
        }
    }

    @Test("a row that only one store has is found where its key stands in the order, of whatever type the key is")
    func keys() throws {
        // Of each type: the values in the order of both databases.
        let orders: [(key: Int, values: [String])] = [
            (0, ["NULL", "-9223372036854775808", "-1", "0", "7", "9223372036854775807"]),
            (1, ["NULL", "-2147483648", "-1", "0", "7", "2147483647"]), (2, ["0", "1"]),
            (3, ["NULL", "''", "'B'", "'a'", "'a' || char(0)", "'ab'", "'b'", "char(101, 769)", "char(233)"]),
            (4, ["NULL", "x''", "x'00'", "x'0000'", "x'01'", "x'7f'", "x'80'", "x'ff'"]),
        ]
        for (key, values) in orders {
            func rows(_ values: some Sequence<String>) -> String {
                values.map { value in
                    let row = (0..<5).map { $0 == key ? value : ["1", "1", "1", "'w'", "x'01'"][$0] }
                    return "(\(row.joined(separator: ", ")))"
                }.joined(separator: ", ")
            }
            let count = values.count
            #expect(try Self.compare(rows(values), rows(values.reversed()), key: [key]) == "\(count) \(count) 0 0 0")
            for place in values.indices {
                var some = values
                some.remove(at: place)
                #expect(
                    try Self.compare(rows(values), rows(some), key: [key]) == "\(count) \(count - 1) 1 0 0",
                    "without \(values[place])")
                #expect(
                    try Self.compare(rows(some), rows(values), key: [key]) == "\(count - 1) \(count) 0 1 0",
                    "with \(values[place])")
            }
            #expect(try Self.compare(rows(values), "", key: [key]) == "\(count) 0 \(count) 0 0")
            #expect(try Self.compare("", rows(values), key: [key]) == "0 \(count) 0 \(count) 0")
        }
    }

    @Test("a key of two columns is compared in both, the first of them first")
    func longKey() throws {
        let rows = "(1, 2, 1, 'a', x'01'), (1, 2, 1, 'b', x'01'), (2, 2, 1, 'a', x'01')"
        let others = "(1, 2, 1, 'a', x'01'), (2, 2, 1, 'a', x'01'), (2, 2, 1, 'b', x'01'), (3, 2, 1, 'a', x'01')"
        #expect(try Self.compare(rows, others, key: [0, 3]) == "3 4 1 2 0")
        #expect(try Self.compare(rows, others, key: [3, 0]) == "3 4 1 2 0")
    }

    @Test("a copy that lacks a row, has one more or another, or repeats numbers is not equal")
    func equality() throws {
        let equal = try Self.with("(1, 2, 1, 'a', x'01')", "(1, 2, 1, 'a', x'01')") { db in
            try TableComparison(
                of: Self.table("t", key: [0]), from: TableRows(of: Self.table("t", key: [0]), in: db),
                to: TableRows(of: Self.table("copy", key: [0]), in: db)
            ) {}
        }
        #expect(equal.isEqual)
        let changes: [(inout TableComparison) -> Void] = [
            { $0.missing = 1 }, { $0.added = 1 }, { $0.different = 1 }, { $0.repeatsNumbers = true },
        ]
        for change in changes {
            var other = equal
            change(&other)
            #expect(!other.isEqual)
        }
    }

    /// Rows whose values take 300 bytes in memory: 8 for each number, 16 and its bytes for any other.
    @Test("the first page has 16 rows, and each later one as many as take 1 MiB, from 16 to 4,096")
    func pages() throws {
        let cases: [(word: String, data: String, rows: Int, pages: [Int])] = [
            ("NULL", "zeroblob(30000)", 16, [16]), ("NULL", "zeroblob(244)", 4000, [16, 3495, 489]),
            ("hex(zeroblob(122))", "NULL", 4000, [16, 3495, 489]),
            ("'é' || hex(zeroblob(60))", "zeroblob(122)", 4000, [16, 3495, 489]),
            ("NULL", "NULL", 9000, [16, 4096, 4096, 792]), ("NULL", "zeroblob(200000)", 40, [16, 16, 8]),
            ("NULL", "NULL", 15, [15]), ("NULL", "NULL", 0, []),
        ]
        for (word, data, rows, pages) in cases {
            let (found, numbers) = try Self.with("", "") { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < \(rows))
                        INSERT INTO t SELECT n, 1, 1, \(word), \(data) FROM counter WHERE n <= \(rows) ORDER BY -n
                        """)
                var reading = TableRows(of: Self.table("t", key: [0]), in: db)
                var (found, numbers): ([Int], [Int64?]) = ([], [])
                while case let page = try reading.nextPage(), !page.isEmpty {
                    found.append(page.count)
                    numbers += page.map { Self.number($0.values[0]) }
                }
                let more = try reading.nextPage()
                #expect(more.isEmpty)
                return (found, numbers)
            }
            #expect(found == pages, "\(word), \(data)")
            #expect(numbers == (0..<rows).map { Int64($0 + 1) })
        }
    }

    @Test("row by row a table gives each row once, with what an expression says in a column's place")
    func rowByRow() throws {
        try DatabaseQueue().write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t (m, flag, word, data);
                    WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 40)
                    INSERT INTO t SELECT n, n % 2, 'w', x'01' FROM counter
                    """)
            let source = CopySource(
                runner: db, tables: [:], expressions: ["t.n": "rowid * 10", "other.m": "0"], lastNumbers: [:])
            let table = Self.table("t", key: [0])
            let count = try source.count(table)
            #expect(count == 40)
            var reading = source.rows(of: table)
            var found: [[Int64?]] = []
            while let row = try reading.next() {
                found.append([Int64(row.size)] + row.values.prefix(3).map(Self.number))
            }
            #expect(found == (1...40).map { [58, $0 * 10, $0, $0 % 2] })
        }
    }

    @Test("a file is a source with every table and column but its own, and with the last number that each table gave")
    func sources() async throws {
        try await withStore { store, scenario in
            let last = try await scenario.subscription(2).id
            func shape(_ source: CopySource<Database>) throws -> (
                tables: [String: Set<String>], last: Int64?, rows: Int
            ) {
                #expect(source.expressions == ["erasure.id": "rowid"])
                let table = CopiedTable(
                    name: "subscription", columns: [.init(name: "id", kind: .int64)], key: [0], series: "id")
                return (source.tables, source.lastNumbers["subscription"], try source.count(table))
            }
            let (path, tables) = (
                store.pool.path,
                try await store.pool.read { db in
                    try String.fetchSet(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                }
            )
            for source in [
                try SQLiteStore.withExclusiveAccess(path: path, shape), try SQLiteStore.look(path: path, shape),
            ] {
                #expect(source.last == last && source.rows == 1)
                let own: Set = ["grdb_migrations", "heartbeat"]
                #expect(Set(source.tables.keys) == tables.filter { !$0.hasPrefix("sqlite_") }.subtracting(own))
                #expect(source.tables["master_key"]?.isSuperset(of: ["check_value", "state"]) == true)
                #expect(source.tables["master_key"]?.contains("forgotten_at") == false)
                #expect(source.tables["token"]?.isDisjoint(with: ["room", "listed"]) == true)
            }
        }
    }

    @Test("a file of an earlier version, or that is not ours, is no source, and is left as it is")
    func otherSources() async throws {
        let place = try TemporaryPlace()
        await (try SQLiteStore(path: place.path, logger: Logger(label: "test"))).close()
        let queue = try DatabaseQueue(path: place.path)
        let newest = SQLiteStore.newestSchema
        try await queue.write { db in
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = ?", arguments: [newest])
        }
        let earlier = #expect(throws: StoreError.self) {
            try SQLiteStore.withExclusiveAccess(path: place.path) { _ in }
        }
        #expect(earlier?.code == .outdated)
        #expect(try SQLiteStore.pendingSteps(path: place.path).map(\.version) == [newest])
        try await queue.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?), ('v99')", arguments: [newest])
        }
        for error in [
            #expect(throws: StoreError.self) { try SQLiteStore.withExclusiveAccess(path: place.path) { _ in } },
            #expect(throws: StoreError.self) { try SQLiteStore.look(path: place.path) { _ in } },
        ] { #expect(error?.code == .corrupt) }
        try queue.close()
    }
}
