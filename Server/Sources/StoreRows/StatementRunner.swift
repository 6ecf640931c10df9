package import BenjiProtocol
package import Sightings
package import Store

/// Runs statements inside a transaction.
///
/// Both databases read the same statements under three rules. They write `true` and `NOT revoked`, get a new row's
/// number by RETURNING, and name the table where ON CONFLICT reads the present row. The members below cover the
/// differences.
package protocol StatementRunner {
    associatedtype Row: Columns

    /// An SQL condition: a column of truth values is false. For statements that need an index of such rows alone:
    /// SQLite uses it only if the words are the index's.
    static func isFalse(_ column: String) -> String

    /// Returns the FROM item for the texts of an argument's JSON array: rows with one column, `value`.
    static func elements(of argument: String) -> String

    /// An SQL expression: the greatest number that the database gave to a row of a table; 0 if none. Benji did not
    /// write a row with a greater number. A reader that took such a row for the newest would pass over all later rows.
    static func lastNumber(of table: String) -> String

    /// Ends a SELECT whose rows are written next, where others may write them at the same time.
    static var lockingRows: String { get }
    /// The same, passing over rows that somebody else has locked.
    static var lockingFreeRows: String { get }
    /// Ends a SELECT whose rows no other transaction may delete until this one ends.
    static var holdingRows: String { get }

    /// Writes consents that bought no token.
    func insert(_ consents: [ConsentEvidence]) throws

    /// Writes entries of a pair's record, each in the place of an earlier one of its key, with the sequences that
    /// follow this one. No two have the same key.
    func put(_ entries: [PairEntry], ofPair pair: String, after sequence: Int64, at moment: Timestamp) throws

    /// Makes the account's sealed values unreadable; its rows are deleted afterwards.
    func eraseFaceSecrets(of account: Int64) throws

    /// Runs one statement and hands each row of its answer to `read`.
    ///
    /// - Parameters:
    ///   - sql: names its arguments `$1`, `$2` and so on, each as often as it likes, or not at all.
    ///   - table: named where a row is damaged.
    /// - Returns: how many rows were inserted, changed or deleted.
    @discardableResult
    func run(
        _ sql: String, of table: String, arguments: [any SQLArgument], read: (inout Row) throws -> Void
    ) throws -> Int
}

extension StatementRunner {
    /// All rows, each read by `read`; also of a statement that changes something.
    package func rows<Value, each Argument: SQLArgument>(
        _ sql: String, of table: String, _ arguments: repeat each Argument, read: (inout Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try run(sql, of: table, arguments: list(repeat each arguments)) { values.append(try read(&$0)) }
        return values
    }

    /// The first row, or `nil` if there is none.
    package func row<Value, each Argument: SQLArgument>(
        _ sql: String, of table: String, _ arguments: repeat each Argument, read: (inout Row) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try run(sql, of: table, arguments: list(repeat each arguments)) {
            if value == nil { value = try read(&$0) }
        }
        return value
    }

    /// Whether there is a row at all.
    package func hasRow<each Argument: SQLArgument>(_ sql: String, _ arguments: repeat each Argument) throws -> Bool {
        var found = false
        try run(sql, of: "", arguments: list(repeat each arguments)) { _ in found = true }
        return found
    }

    /// Returns the number of rows that were inserted, changed or deleted.
    @discardableResult
    package func run<each Argument: SQLArgument>(_ sql: String, _ arguments: repeat each Argument) throws -> Int {
        try run(sql, of: "", arguments: list(repeat each arguments)) { _ in }
    }

    /// Inserts one row; the statement returns its number.
    package func insert<each Argument: SQLArgument>(
        _ sql: String, of table: String, _ arguments: repeat each Argument
    ) throws -> Int64 {
        guard let id = try row(sql, of: table, repeat each arguments, read: { try $0.integer(Int64.self) }) else {
            throw DamagedRow(column: "\(table).id")
        }
        return id
    }

    private func list<each Argument: SQLArgument>(_ arguments: repeat each Argument) -> [any SQLArgument] {
        var list: [any SQLArgument] = []
        for argument in repeat each arguments { list.append(argument) }
        return list
    }
}
