import Foundation

/// A small table, as text for a terminal and as Markdown.
package struct Table: Sendable {
    package let columns: [String]
    package private(set) var rows: [[String]] = []

    package init(_ columns: [String]) { self.columns = columns }

    /// Adds a row; cells beyond the columns are dropped, missing ones are empty.
    package mutating func add(_ cells: [String]) {
        rows.append(columns.indices.map { cells.indices.contains($0) ? cells[$0] : "" })
    }

    /// Columns aligned with spaces, figures to the right.
    package var text: String {
        let widths = columns.indices.map { column in ([columns] + rows).reduce(0) { max($0, $1[column].count) } }
        let lines = ([columns] + rows).map { cells in
            columns.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return isNumeric(column) ? space + cells[column] : cells[column] + space
            }.joined(separator: "  ").trimmingSuffix { $0 == " " }
        }
        return lines.joined(separator: "\n")
    }

    package var markdown: String {
        let rule = columns.indices.map { isNumeric($0) ? "---:" : "---" }
        return ([columns, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    /// Whether most of its cells are figures; words may stand in the place of some.
    private func isNumeric(_ column: Int) -> Bool {
        let cells = rows.map { $0[column] }.filter { !$0.isEmpty }
        return cells.count { $0.allSatisfy { $0.isNumber || "-.,".contains($0) } } * 2 > cells.count
    }
}

extension String {
    fileprivate func trimmingSuffix(_ drop: (Character) -> Bool) -> String {
        var rest = Substring(self)
        while let last = rest.last, drop(last) { rest.removeLast() }
        return String(rest)
    }
}

extension Double {
    /// Three significant digits, thousands separated: `1,234,000`, `12.3`, `0.00123`.
    package var short: String {
        guard isFinite else { return "\(self)" }
        guard self != 0 else { return "0" }
        let magnitude = Int(Foundation.log10(abs(self)).rounded(.down))
        let digits = max(2 - magnitude, 0)
        let scale = Foundation.pow(10.0, Double(2 - magnitude))
        let rounded = (self * scale).rounded() / scale
        let text = String(format: "%.\(digits)f", rounded)
        guard digits == 0 else { return text }
        let sign = text.hasPrefix("-") ? "-" : ""
        let plain = Array(text.dropFirst(sign.count))
        return sign
            + plain.indices.map { ($0 > 0 && (plain.count - $0).isMultiple(of: 3) ? "," : "") + String(plain[$0]) }
            .joined()
    }
}
