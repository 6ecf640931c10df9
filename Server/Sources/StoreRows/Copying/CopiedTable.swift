/// A table whose rows a copy takes from one store to another (``CopySource``).
package struct CopiedTable: Sendable {
    /// By PostgreSQL's name of the type.
    package enum Kind: String, Sendable {
        case int64 = "bigint"
        case int32 = "integer"
        case bool = "boolean"
        case text = "text"
        case bytes = "bytea"
    }

    package struct Column: Sendable {
        package var name: String
        package var kind: Kind

        package init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    package var name: String
    package var columns: [Column]
    /// Places in ``columns``, not empty. In the order of this key both stores give their rows.
    package var key: [Int]
    /// The column that the database numbers, never twice the same.
    package var series: String?

    package init(name: String, columns: [Column], key: [Int], series: String?) {
        self.name = name
        self.columns = columns
        self.key = key
        self.series = series
    }
}

/// A store to copy, with the properties of its tables that the copy's tables do not show.
package struct CopySource<Runner: StatementRunner> {
    package var runner: Runner
    /// The columns of each table, without what the store keeps for itself.
    package var tables: [String: Set<String>]
    /// The expression to select for a column that only the copy has, by "table.column".
    package var expressions: [String: String]
    /// The highest number that was ever given out, by table; its row may be gone.
    package var lastNumbers: [String: Int64]

    package init(
        runner: Runner, tables: [String: Set<String>], expressions: [String: String], lastNumbers: [String: Int64]
    ) {
        self.runner = runner
        self.tables = tables
        self.expressions = expressions
        self.lastNumbers = lastNumbers
    }

    package func rows(of table: CopiedTable) -> TableRows<Runner> {
        TableRows(of: table, in: runner, expressions: expressions)
    }

    package func count(_ table: CopiedTable) throws -> Int {
        try runner.row("SELECT count(*) FROM \(table.name)", of: table.name) { try $0.integer() } ?? 0
    }
}
