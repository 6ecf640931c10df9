import BenjiProtocol

/// One code of one table, explained in Chinese and in English.
///
/// The same code may stand in several tables with different meanings, so an entry is known by table and code together.
package struct CatalogueEntry: Sendable, Hashable, Codable {
    package var table: CodeTable
    /// The code as it is spelt on the wire: digits in the documents' tables, words in ``CodeTable/device``.
    package var code: String
    /// Where this meaning of the code comes from: a document, `000` to `004`; a vendor's later release, such as `2.4.1`;
    /// `server`, `page`, `platform` or `demo` for what a vendor published beside them; `benji` for Benji's own codes,
    /// and for the few that Benji borrows where a document's table has none.
    package var version: String
    package var zh: Explanation
    package var en: Explanation

    package init(table: CodeTable, code: String, version: String, zh: Explanation, en: Explanation) {
        self.table = table
        self.code = code
        self.version = version
        self.zh = zh
        self.en = en
    }
}
