import BenjiProtocol
import Foundation
import GRDB
import Store

/// Reads a row's columns in the order in which they were selected. Throws where GRDB's own subscripts would stop the
/// process: a damaged file must end a request, not the server.
struct ColumnReader {
    private let row: Row
    private let table: String
    private var position = 0

    init(_ row: Row, of table: String) {
        self.row = row
        self.table = table
    }

    private mutating func next() throws -> DatabaseValue {
        guard position < row.count else { throw damaged }
        defer { position += 1 }
        return row[position]
    }

    private var damaged: DamagedRow {
        let name = position > 0 && position <= row.count ? Array(row.columnNames)[position - 1] : "a column"
        return DamagedRow(column: "\(table).\(name)")
    }

    mutating func optional<Value: DatabaseValueConvertible>(_ type: Value.Type = Value.self) throws -> Value? {
        let value = try next()
        if value.isNull { return nil }
        guard let converted = Value.fromDatabaseValue(value) else { throw damaged }
        return converted
    }

    mutating func value<Value: DatabaseValueConvertible>(_ type: Value.Type = Value.self) throws -> Value {
        guard let value = try optional(Value.self) else { throw damaged }
        return value
    }

    mutating func bytes() throws -> [UInt8] { [UInt8](try value(Data.self)) }
    mutating func hash() throws -> CredentialHash { CredentialHash(bytes: try bytes()) }
    mutating func timestamp() throws -> Timestamp { Timestamp(milliseconds: try value()) }

    /// A type of the protocol that is written as its raw value.
    mutating func raw<Value: RawRepresentable>(_ type: Value.Type = Value.self) throws -> Value
    where Value.RawValue: DatabaseValueConvertible {
        let rawValue: Value.RawValue = try value()
        guard let value = Value(rawValue: rawValue) else { throw damaged }
        return value
    }

    mutating func reference() throws -> SubscriptionReference {
        SubscriptionReference(subscription: try value(), epoch: try value(), simGeneration: try value())
    }

    mutating func texts() throws -> [String] {
        let text: String = try value()
        guard let list = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) else { throw damaged }
        return list
    }
}

extension Database {
    /// All rows, also of a statement that changes something: a RETURNING must be read to its end.
    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? { try rows(sql, arguments).first }

    /// Returns the number of rows that were inserted, changed or deleted.
    @discardableResult
    func run(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try cachedStatement(sql: sql).execute(arguments: arguments)
        return changesCount
    }
}

extension Array where Element == UInt8 {
    var blob: Data { Data(self) }
}

extension Array where Element == String {
    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
