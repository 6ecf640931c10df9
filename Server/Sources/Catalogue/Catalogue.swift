// Explains every result code of every interface, in two languages. `benji explain`, the answers to app servers, the
// sandbox's page and the printed tables use it. The texts are data in `Tables/`, one file of tab-separated values for
// each `CodeTable`, named after its raw value. The reader refuses a mistake with file and line. The texts are part of
// the program. When a code is sent is decided by the `CodeColumn` of each dialect. Begin with `CatalogueEntry.swift`,
// then `TableReader.swift`.
import BenjiProtocol

/// All entries (decision 15), read when the first code is looked up.
package enum Catalogue {
    /// All entries: tables in the order of `CodeTable`, codes in the order of their document.
    package static let entries: [CatalogueEntry] = CodeTable.allCases.flatMap { tables[$0] ?? [] }

    /// Every meaning that `code` has, one per table that lists it. Empty when no table does.
    package static func entries(for code: String) -> [CatalogueEntry] {
        CodeTable.allCases.compactMap { entry(code, in: $0) }
    }

    /// The meaning of `code` in `table`, or `nil` when the table does not list it.
    package static func entry(_ code: String, in table: CodeTable) -> CatalogueEntry? {
        index[table]?[code]
    }

    private static let index: [CodeTable: [String: CatalogueEntry]] = tables.mapValues { rows in
        Dictionary(rows.map { ($0.code, $0) }) { first, _ in first }
    }

    /// A mistake in a file cannot be repaired by who runs the program. The tests read the same bytes, so none gets
    /// here.
    private static let tables: [CodeTable: [CatalogueEntry]] = {
        do { return try TableReader.read(TableFile.all) } catch { fatalError("\(error)") }
    }()
}
