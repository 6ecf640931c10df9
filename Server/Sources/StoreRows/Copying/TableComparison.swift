/// The comparison of a table's rows in a store and in its copy, row by row and value by value.
package struct TableComparison: Hashable, Sendable {
    package var table: String
    /// How many there are in the store that was copied.
    package var rows = 0
    package var rowsOfCopy = 0
    /// Rows that the copy lacks.
    package var missing = 0
    /// Rows that only the copy has.
    package var added = 0
    /// Rows that both have, with other values.
    package var different = 0
    /// In which columns.
    package var columns: Set<String> = []
    /// The copy would give numbers to new rows that were given out before.
    package var repeatsNumbers = false

    package var isEqual: Bool { missing == 0 && added == 0 && different == 0 && !repeatsNumbers }

    /// Reads both to their ends.
    ///
    /// - Parameter compared: is told after each row.
    package init(
        of table: CopiedTable, from source: TableRows<some StatementRunner>, to copy: TableRows<some StatementRunner>,
        compared: () -> Void
    ) throws {
        self.table = table.name
        var (source, copy) = (source, copy)
        var (row, other) = (try source.next(), try copy.next())
        while row != nil || other != nil {
            let order = Self.order(row, other, table)
            if order == 0, let row, let other { compare(row, other, table) }
            if order < 0 { missing += 1 }
            if order > 0 { added += 1 }
            if order <= 0 {
                rows += 1
                compared()
                row = try source.next()
            }
            if order >= 0 {
                rowsOfCopy += 1
                other = try copy.next()
            }
        }
    }

    private mutating func compare(_ row: CopiedRow, _ other: CopiedRow, _ table: CopiedTable) {
        let unequal = table.columns.indices.filter { row.values[$0].order(to: other.values[$0]) != 0 }
        if !unequal.isEmpty { different += 1 }
        columns.formUnion(unequal.map { table.columns[$0].name })
    }

    /// Which comes first: negative, zero or positive. Whatever is there comes before the end.
    private static func order(_ row: CopiedRow?, _ other: CopiedRow?, _ table: CopiedTable) -> Int {
        guard let row else { return 1 }
        guard let other else { return -1 }
        for place in table.key {
            let order = row.values[place].order(to: other.values[place])
            if order != 0 { return order }
        }
        return 0
    }
}

extension SQLValue {
    /// Negative, zero or positive, as both databases sort: texts by their bytes, so that they are equal only byte by
    /// byte; NULL first.
    fileprivate func order(to other: SQLValue) -> Int {
        switch (self, other) {
        case (.int64(let left), .int64(let right)): Self.order(left, right)
        case (.int32(let left), .int32(let right)): Self.order(left, right)
        case (.bool(let left), .bool(let right)): Self.order(left.map { $0 ? 1 : 0 }, right.map { $0 ? 1 : 0 })
        case (.text(let left), .text(let right)): Self.order(left?.utf8, right?.utf8)
        case (.bytes(let left), .bytes(let right)): Self.order(left, right)
        default: preconditionFailure("values of one column have one type")
        }
    }

    private static func order<Number: Comparable>(_ left: Number?, _ right: Number?) -> Int {
        guard let left, let right else { return (left == nil ? 0 : 1) - (right == nil ? 0 : 1) }
        return left == right ? 0 : left < right ? -1 : 1
    }

    private static func order<Bytes: Sequence<UInt8>>(_ left: Bytes?, _ right: Bytes?) -> Int {
        guard let left, let right else { return (left == nil ? 0 : 1) - (right == nil ? 0 : 1) }
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}
