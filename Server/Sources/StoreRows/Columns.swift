package import BenjiProtocol
import Foundation
package import Sightings
package import Store

/// The columns of a row, read in the order in which they were selected. A value of another type than asked for throws
/// ``DamagedRow``: a damaged row must end a request, not the server.
package protocol Columns: SendableMetatype {
    /// Names the column that was read last.
    var damaged: DamagedRow { get }

    mutating func optionalInteger<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value?
    mutating func optionalText() throws -> String?
    mutating func optionalBytes() throws -> [UInt8]?

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value
    mutating func bool() throws -> Bool
    mutating func text() throws -> String
    mutating func bytes() throws -> [UInt8]
    mutating func hash() throws -> CredentialHash
    mutating func timestamp() throws -> Timestamp
    mutating func reference() throws -> SubscriptionReference
    /// A type of the protocol that is written as its raw value.
    mutating func raw<Value: RawRepresentable<String>>(_ type: Value.Type) throws -> Value
}

/// A stored value that is invalid: a text that is no value of its type. Names table and column, never the value.
package struct DamagedRow: Error {
    package var column: String
    package init(column: String) { self.column = column }
}

extension Columns {
    package mutating func optionalInteger<Value: FixedWidthInteger>() throws -> Value? {
        try optionalInteger(Value.self)
    }

    package mutating func integer<Value: FixedWidthInteger>() throws -> Value { try integer(Value.self) }

    package mutating func raw<Value: RawRepresentable<String>>() throws -> Value { try raw(Value.self) }

    package mutating func optionalTimestamp() throws -> Timestamp? {
        try optionalInteger().map { Timestamp(milliseconds: $0) }
    }

    /// A list that is written by ``Swift/Array/json``.
    package mutating func texts() throws -> [String] {
        guard let texts = try optionalTexts() else { throw damaged }
        return texts
    }

    package mutating func optionalTexts() throws -> [String]? {
        guard let text = try optionalText() else { return nil }
        guard let texts = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) else { throw damaged }
        return texts
    }
}

extension Array where Element == String {
    /// As a column has it.
    package var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
