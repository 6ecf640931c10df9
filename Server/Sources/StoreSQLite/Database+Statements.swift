package import GRDB
import GRDBSQLite
package import Store
package import StoreRows

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
        // The value of GRDB's `changesCount`, without its check of the thread.
        return Int(sqlite3_changes(sqliteConnection))
    }

    private func step<each Argument: BoundValue>(
        _ sql: String, _ arguments: repeat each Argument, row: (OpaquePointer) throws -> Void
    ) throws {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        defer { Self.release(statement) }
        var index: Int32 = 0
        for argument in repeat each arguments {
            index += 1
            guard argument.bind(statement, index) == SQLITE_OK else { throw lastError }
        }
        assert(index == sqlite3_bind_parameter_count(statement), "as many arguments as the statement has parameters")
        try step(statement, row: row)
    }

    /// Frees locks and the copied arguments, also when reading a row throws. What it returns was thrown before.
    private static func release(_ statement: OpaquePointer) {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    private func step(_ statement: OpaquePointer, row: (OpaquePointer) throws -> Void) throws {
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

extension Database: StatementRunner {
    package static func isFalse(_ column: String) -> String { "\(column) = 0" }
    package static func elements(of argument: String) -> String { "json_each(\(argument))" }
    package static func lastNumber(of table: String) -> String {
        "(SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '\(table)')"
    }
    package static var lockingRows: String { "" }
    package static var lockingFreeRows: String { "" }
    package static var holdingRows: String { "" }

    package func insert(_ consents: [ConsentEvidence]) throws {
        for consent in consents { try ConsentRows.insert(consent, self) }
    }

    package func eraseFaceSecrets(of account: Int64) throws {
        // In place, for it has the same length; `face_key` in tables.sql says why the row stays.
        try run("UPDATE face_key SET sealed_key = zeroblob(length(sealed_key)) WHERE account = ?", account)
        try run(
            """
            UPDATE face_account SET sealed_template = zeroblob(length(sealed_template)),
                sealed_profile = zeroblob(length(sealed_profile)) WHERE id = ?
            """, account)
        try ErasedPages.note(self)
    }

    package func run(
        _ sql: String, of table: String, arguments: [any SQLArgument], read: (inout ColumnReader) throws -> Void
    ) throws -> Int {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        defer { Self.release(statement) }
        var bound: Int32 = 0
        for (place, argument) in arguments.enumerated() {
            // By its name: SQLite numbers named parameters in the order in which they come.
            let index = sqlite3_bind_parameter_index(statement, "$\(place + 1)")
            if index == 0 { continue }
            guard argument.sqlValue.bound.bind(statement, index) == SQLITE_OK else { throw lastError }
            bound += 1
        }
        assert(bound == sqlite3_bind_parameter_count(statement), "an argument for each parameter")
        try step(statement) { statement in
            var columns = ColumnReader(statement, of: table)
            try read(&columns)
        }
        return changesCount
    }
}

extension SQLValue {
    fileprivate var bound: any BoundValue {
        switch self {
        case .int64(let value): value
        case .int32(let value): value
        case .bool(let value): value
        case .text(let value): value
        case .bytes(let value): value
        }
    }
}
