package import BenjiProtocol
import CLibPQ
import Foundation
package import Sightings
package import Store
package import StoreRows

/// Reads a row's columns in the order in which they were selected. A value of another type than asked for throws: a
/// damaged row must end a request, not the server.
package struct ColumnReader: Columns {
    private let result: OpaquePointer
    private let row: Int32
    private let table: String
    private var position: Int32 = 0

    init(_ result: OpaquePointer, row: Int32, of table: String) {
        self.result = result
        self.row = row
        self.table = table
    }

    /// The bytes of the next column, if its value is of one of these types; `nil` if it is NULL.
    private mutating func next(_ types: Set<UInt32>) throws -> UnsafeRawBufferPointer? {
        guard position < PQnfields(result) else { throw damaged }
        position += 1
        let index = position - 1
        if PQgetisnull(result, row, index) == 1 { return nil }
        guard types.contains(PQftype(result, index)), let start = PQgetvalue(result, row, index) else { throw damaged }
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, index)))
    }

    /// Whether the next column has a value.
    var nextIsThere: Bool {
        get throws {
            guard position < PQnfields(result) else { throw damaged }
            return PQgetisnull(result, row, position) == 0
        }
    }

    package mutating func skip(_ count: Int) { position += Int32(count) }

    package var damaged: DamagedRow {
        let name = PQfname(result, max(position - 1, 0)).map { String(cString: $0) } ?? "a column"
        return DamagedRow(column: "\(table).\(name)")
    }

    /// Call it after the value was read, not around the reading: the error names the column read last.
    private func present<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw damaged }
        return value
    }

    // MARK: what may be NULL

    package mutating func optionalInteger<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value? {
        guard let bytes = try next([Int64.type, Int32.type]) else { return nil }
        let value: Int64 =
            switch bytes.count {
            case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            default: throw damaged
            }
        return try present(Value(exactly: value))
    }

    package mutating func optionalText() throws -> String? {
        try next([String.type]).map { try present(String(validating: $0, as: UTF8.self)) }
    }

    package mutating func optionalBytes() throws -> [UInt8]? { try next([[UInt8].type]).map { Array($0) } }

    // MARK: what must be there

    package mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value {
        let value: Value? = try optionalInteger()
        return try present(value)
    }

    package mutating func bool() throws -> Bool {
        let bytes = try next([Bool.type])
        return try present(bytes)[0] != 0
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
