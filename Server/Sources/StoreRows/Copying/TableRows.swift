/// A row of a ``CopiedTable``: a value for each of its columns.
package struct CopiedRow: Sendable {
    package var values: [SQLValue]
    /// About how much memory the values take, in bytes.
    package var size: Int
}

/// The rows of a table in the order of its key. They are read in pages, so that memory does not grow with the table.
package struct TableRows<Runner: StatementRunner> {
    /// The approximate size of a page in bytes.
    private static var pageSize: Int { 1 << 20 }
    private static var minimumRows: Int { 16 }
    private static var maximumRows: Int { 4096 }

    private let table: CopiedTable
    private let runner: Runner
    private let selecting: String
    private let following: String
    private let order: String
    /// The key of the last row that was read.
    private var last: [SQLValue]?
    private var limit = minimumRows
    private var isAtEnd = false
    private var page: ArraySlice<CopiedRow> = []

    package init(of table: CopiedTable, in runner: Runner, expressions: [String: String] = [:]) {
        self.table = table
        self.runner = runner
        let columns = table.columns.map { expressions["\(table.name).\($0.name)"] ?? "\"\($0.name)\"" }
        let key = table.key.map { columns[$0] }.joined(separator: ", ")
        let arguments = table.key.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        selecting = "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)"
        following = "WHERE (\(key)) > (\(arguments))"
        order = "ORDER BY \(key)"
    }

    /// The next rows; none at the end.
    package mutating func nextPage() throws -> [CopiedRow] {
        if isAtEnd { return [] }
        let limited = "\(order) LIMIT $\((last?.count ?? 0) + 1)"
        let sql = last == nil ? "\(selecting) \(limited)" : "\(selecting) \(following) \(limited)"
        let columns = table.columns
        var rows: [CopiedRow] = []
        try runner.run(sql, of: table.name, arguments: (last ?? []).map(\.argument) + [limit]) { row in
            let values = try columns.map { try SQLValue(next: $0.kind, of: &row) }
            rows.append(CopiedRow(values: values, size: values.reduce(0) { $0 + $1.size }))
        }
        isAtEnd = rows.count < limit
        last = rows.last.map { row in table.key.map { row.values[$0] } }
        let size = rows.reduce(0) { $0 + $1.size }
        limit = min(max(Self.pageSize * rows.count / max(size, 1), Self.minimumRows), Self.maximumRows)
        return rows
    }

    /// The next row; `nil` at the end.
    package mutating func next() throws -> CopiedRow? {
        if page.isEmpty { page = try nextPage()[...] }
        return page.popFirst()
    }
}

extension SQLValue {
    fileprivate init(next kind: CopiedTable.Kind, of columns: inout some Columns) throws {
        switch kind {
        case .int64: self = .int64(try columns.optionalInteger())
        case .int32: self = .int32(try columns.optionalInteger())
        case .bool: self = .bool(try columns.bool())
        case .text: self = .text(try columns.optionalText())
        case .bytes: self = .bytes(try columns.optionalBytes())
        }
    }

    fileprivate var size: Int {
        switch self {
        case .int64, .int32, .bool: 8
        case .text(let text): 16 + (text?.utf8.count ?? 0)
        case .bytes(let bytes): 16 + (bytes?.count ?? 0)
        }
    }

    fileprivate var argument: any SQLArgument {
        switch self {
        case .int64(let value): value
        case .int32(let value): value
        case .bool(let value): value
        case .text(let value): value
        case .bytes(let value): value
        }
    }
}
