package import BenjiProtocol
import GRDBSQLite
package import Sightings
package import Store
package import StoreRows

/// Reads a row's columns in the order in which they were selected. A value of another type than asked for throws: a
/// damaged file must end a request, not the server.
package struct ColumnReader: Columns {
    private let statement: OpaquePointer
    private let table: String
    private var position: Int32 = 0

    init(_ statement: OpaquePointer, of table: String) {
        self.statement = statement
        self.table = table
    }

    /// The index of the next column, if its value is of this type of SQLite's; `nil` if it is NULL.
    private mutating func next(_ type: Int32) throws -> Int32? {
        guard position < sqlite3_column_count(statement) else { throw damaged }
        position += 1
        let index = position - 1
        let found = sqlite3_column_type(statement, index)
        if found == SQLITE_NULL { return nil }
        guard found == type else { throw damaged }
        return index
    }

    package var damaged: DamagedRow {
        let name = sqlite3_column_name(statement, max(position - 1, 0)).map { String(cString: $0) } ?? "a column"
        return DamagedRow(column: "\(table).\(name)")
    }

    /// Call it after the value was read, not around the reading: the error names the column read last.
    private func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw damaged }
        return value
    }

    // MARK: what may be NULL

    package mutating func optionalInteger<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value? {
        guard let index = try next(SQLITE_INTEGER) else { return nil }
        return try present(Value(exactly: sqlite3_column_int64(statement, index)))
    }

    package mutating func optionalText() throws -> String? {
        guard let index = try next(SQLITE_TEXT) else { return nil }
        guard let start = sqlite3_column_text(statement, index) else { return "" }
        let utf8 = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
        // A changed byte must not become another text in silence: some are evidence.
        return try present(String(validating: utf8, as: UTF8.self))
    }

    package mutating func optionalBytes() throws -> [UInt8]? {
        guard let index = try next(SQLITE_BLOB) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        return Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, index), count: count))
    }

    // MARK: what must be there

    package mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value {
        let value: Value? = try optionalInteger()
        return try present(value)
    }

    package mutating func bool() throws -> Bool {
        switch try integer(Int64.self) {
        case 0: false
        case 1: true
        default: throw damaged
        }
    }

    package mutating func text() throws -> String {
        let value = try optionalText()
        return try present(value)
    }

    package mutating func bytes() throws -> [UInt8] {
        let value = try optionalBytes()
        return try present(value)
    }

    package mutating func hash() throws -> CredentialHash { CredentialHash(bytes: try bytes()) }
    package mutating func timestamp() throws -> Timestamp { Timestamp(milliseconds: try integer()) }

    /// A type of the protocol that is written as its raw value.
    package mutating func raw<Value: RawRepresentable<String>>(_ type: Value.Type = Value.self) throws -> Value {
        let text = try text()
        return try present(Value(rawValue: text))
    }

    mutating func binding() throws -> BindingID { BindingID(rawValue: try integer()) }

    package mutating func reference() throws -> SubscriptionReference {
        SubscriptionReference(subscription: try integer(), epoch: try integer(), simGeneration: try integer())
    }
}
