import GRDB
import GRDBSQLite

/// Statements are prepared and kept by GRDB, but bound and stepped by SQLite's own functions. GRDB's rows and arguments
/// box every value; for a redemption that took half of its time (docs/performance.md).
extension Database {
    /// All rows, each read by `read`; also of a statement that changes something: a RETURNING must be read to its end.
    func rows<Value, each Argument: BoundValue>(
        _ sql: String, of table: String, _ arguments: repeat each Argument, read: (inout ColumnReader) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try step(sql, repeat each arguments) { statement in
            var columns = ColumnReader(statement, of: table)
            values.append(try read(&columns))
        }
        return values
    }

    /// The first row, or `nil` if there is none.
    func row<Value, each Argument: BoundValue>(
        _ sql: String, of table: String, _ arguments: repeat each Argument, read: (inout ColumnReader) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try step(sql, repeat each arguments) { statement in
            guard value == nil else { return }
            var columns = ColumnReader(statement, of: table)
            value = try read(&columns)
        }
        return value
    }

    /// Whether there is a row at all.
    func hasRow<each Argument: BoundValue>(_ sql: String, _ arguments: repeat each Argument) throws -> Bool {
        var found = false
        try step(sql, repeat each arguments) { _ in found = true }
        return found
    }

    /// Returns the number of rows that were inserted, changed or deleted.
    @discardableResult
    func run<each Argument: BoundValue>(_ sql: String, _ arguments: repeat each Argument) throws -> Int {
        try step(sql, repeat each arguments) { _ in }
        return changesCount
    }

    private func step<each Argument: BoundValue>(
        _ sql: String, _ arguments: repeat each Argument, row: (OpaquePointer) throws -> Void
    ) throws {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        // Frees locks and the copied arguments, also when `row` throws. What it returns was thrown before.
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        var index: Int32 = 0
        for argument in repeat each arguments {
            index += 1
            guard argument.bind(statement, index) == SQLITE_OK else { throw lastError }
        }
        assert(index == sqlite3_bind_parameter_count(statement), "as many arguments as the statement has parameters")
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try row(statement)
            case SQLITE_DONE: return
            default: throw lastError
            }
        }
    }

    /// SQLite's code alone: its message may carry values.
    private var lastError: DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)))
    }
}
