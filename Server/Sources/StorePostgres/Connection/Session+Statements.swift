package import Store
package import StoreRows

/// Single statements, with arguments that are sent separately.
extension Session {
    /// All rows, each read by `read`; also of a statement that changes something.
    func rows<Value, each Argument: BoundValue>(
        _ sql: String, of table: String, _ arguments: repeat each Argument, read: (inout ColumnReader) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try run([Statement(sql, repeat each arguments)]) { _, answer in
            values = try answer.rows(of: table, read: read)
        }
        return values
    }

    /// The first row, or `nil` if there is none.
    func row<Value, each Argument: BoundValue>(
        _ sql: String, of table: String, _ arguments: repeat each Argument, read: (inout ColumnReader) throws -> Value
    ) throws -> Value? {
        try rows(sql, of: table, repeat each arguments, read: read).first
    }

    /// Whether there is a row at all.
    func hasRow<each Argument: BoundValue>(_ sql: String, _ arguments: repeat each Argument) throws -> Bool {
        var found = false
        try run([Statement(sql, repeat each arguments)]) { _, answer in found = !answer.isEmpty }
        return found
    }

    /// Returns the number of rows that were inserted, changed or deleted.
    @discardableResult
    func run<each Argument: BoundValue>(_ sql: String, _ arguments: repeat each Argument) throws -> Int {
        var count = 0
        try run([Statement(sql, repeat each arguments)]) { _, answer in count = answer.count }
        return count
    }
}

extension Session: StatementRunner {
    package static func isFalse(_ column: String) -> String { "NOT \(column)" }
    package static func elements(of argument: String) -> String {
        "json_array_elements_text(\(argument)::json) AS asked (value)"
    }
    /// Functions that tell it would lock the sequence as one who takes a number does (``LogHorizon/look(_:)``).
    package static func lastNumber(of table: String) -> String {
        "(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(Schema.name).\(table)_id_seq)"
    }
    package static var lockingRows: String { "FOR UPDATE" }
    package static var lockingFreeRows: String { "FOR UPDATE SKIP LOCKED" }
    package static var holdingRows: String { "FOR KEY SHARE" }

    package func insert(_ consents: [ConsentEvidence]) throws { try ConsentRows.insert(consents, self) }

    package func eraseFaceSecrets(of account: Int64) throws {
        try run("DELETE FROM face_key WHERE account = $1", account)
    }

    package func run(
        _ sql: String, of table: String, arguments: [any SQLArgument], read: (inout ColumnReader) throws -> Void
    ) throws -> Int {
        var count = 0
        try run([Statement(sql, arguments)]) { _, answer in
            count = answer.count
            _ = try answer.rows(of: table, read: read)
        }
        return count
    }
}
