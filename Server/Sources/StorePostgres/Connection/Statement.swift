import StoreRows

/// An SQL statement with its arguments, which never become a part of the text.
struct Statement {
    struct Argument {
        var type: UInt32
        var value: [UInt8]?

        init<Value: BoundValue>(_ value: Value) {
            type = Value.type
            self.value = value.encoded
        }
    }

    var sql: String
    var arguments: [Argument]

    /// At most so many bytes are sent for it, without its text.
    var size: Int { arguments.reduce(100) { $0 + ($1.value?.count ?? 0) + 10 } }

    init<each Value: BoundValue>(_ sql: String, _ values: repeat each Value) {
        self.sql = sql
        arguments = []
        for value in repeat each values { arguments.append(Argument(value)) }
    }

    init(_ sql: String, _ values: [any SQLArgument]) {
        self.sql = sql
        arguments = values.map { Argument($0.sqlValue.bound) }
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
