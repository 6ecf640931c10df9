import BenjiProtocol

/// Collects the entries of one table.
///
/// One call per code rather than one array literal of them all: the type checker then looks at each row by itself and the
/// tables compile in a moment.
struct TableWriter {
    private let table: CodeTable
    private let version: String
    private(set) var entries: [CatalogueEntry] = []

    init(_ table: CodeTable, version: String) {
        self.table = table
        self.version = version
    }

    /// - Parameter version: where this one code does not come from the table's document.
    mutating func explain(_ code: String, version: String? = nil, zh: Explanation, en: Explanation) {
        entries.append(CatalogueEntry(table: table, code: code, version: version ?? self.version, zh: zh, en: en))
    }
}
