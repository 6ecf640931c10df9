/// A value that can be an argument of a statement. An optional that is `nil` is bound as NULL.
package protocol SQLArgument {
    var sqlValue: SQLValue { get }
    static var null: SQLValue { get }
}

/// A value of one of the types that columns have. NULL has one too, because PostgreSQL wants to know it.
package enum SQLValue {
    case int64(Int64?)
    case int32(Int32?)
    case bool(Bool?)
    case text(String?)
    case bytes([UInt8]?)
}

extension Int: SQLArgument {
    package var sqlValue: SQLValue { .int64(Int64(self)) }
    package static var null: SQLValue { .int64(nil) }
}

extension Int64: SQLArgument {
    package var sqlValue: SQLValue { .int64(self) }
    package static var null: SQLValue { .int64(nil) }
}

extension Int32: SQLArgument {
    package var sqlValue: SQLValue { .int32(self) }
    package static var null: SQLValue { .int32(nil) }
}

extension Bool: SQLArgument {
    package var sqlValue: SQLValue { .bool(self) }
    package static var null: SQLValue { .bool(nil) }
}

extension String: SQLArgument {
    package var sqlValue: SQLValue { .text(self) }
    package static var null: SQLValue { .text(nil) }
}

extension Array: SQLArgument where Element == UInt8 {
    package var sqlValue: SQLValue { .bytes(self) }
    package static var null: SQLValue { .bytes(nil) }
}

extension Optional: SQLArgument where Wrapped: SQLArgument {
    package var sqlValue: SQLValue { self?.sqlValue ?? Wrapped.null }
    package static var null: SQLValue { Wrapped.null }
}
