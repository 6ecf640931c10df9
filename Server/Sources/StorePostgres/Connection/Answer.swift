import CLibPQ

/// The result of one statement, valid while it is being read.
struct Answer {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    /// As in "UPDATE 3".
    var tag: String { String(cString: PQcmdStatus(result)) }
    /// How many rows were inserted, changed, deleted or found.
    var count: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }
    var isEmpty: Bool { PQntuples(result) == 0 }

    /// All rows, each read by `read`.
    func rows<Value>(of table: String, read: (inout ColumnReader) throws -> Value) throws -> [Value] {
        try (0..<PQntuples(result)).map { row in
            var columns = ColumnReader(result, row: row, of: table)
            return try read(&columns)
        }
    }
}
