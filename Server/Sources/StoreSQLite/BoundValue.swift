import GRDBSQLite

/// A value that can be an argument of a statement. An optional that is `nil` is bound as NULL.
protocol BoundValue {
    /// Hands the value to SQLite, which copies it; returns SQLite's code.
    func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32
}

/// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies what it is given.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension BoundValue where Self: BinaryInteger {
    func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, Int64(self))
    }
}

extension Int: BoundValue {}
extension Int32: BoundValue {}
extension Int64: BoundValue {}

extension Bool: BoundValue {
    func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 { sqlite3_bind_int(statement, index, self ? 1 : 0) }
}

extension String: BoundValue {
    func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { utf8 in
            // An empty text has no address, which SQLite would take for NULL.
            guard let start = utf8.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
            return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
                sqlite3_bind_text(statement, index, $0, Int32(utf8.count), copied)
            }
        }
    }
}

extension Array: BoundValue where Element == UInt8 {
    func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(statement, index, 0)
            }
            return sqlite3_bind_blob(statement, index, start, Int32(bytes.count), copied)
        }
    }
}

extension Optional: BoundValue where Wrapped: BoundValue {
    func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
        self?.bind(statement, index) ?? sqlite3_bind_null(statement, index)
    }
}
