package import BenjiProtocol

/// One code of one table, explained in Chinese and in English.
///
/// The same code may stand in several tables with different meanings, so an entry is known by table and code together.
package struct CatalogueEntry: Sendable, Hashable {
    package var table: CodeTable
    /// The code as it is spelt on the wire: digits in the documents' tables, words in ``CodeTable/device``.
    package var code: String
    /// The source of this meaning: a document, `000` to `004`, or a vendor's later release, such as `2.4.1`. `server`,
    /// `page`, `platform` or `demo` stand for a vendor's other publications. `benji` stands for Benji's own codes, and
    /// for the few that it borrows where a document's table has none.
    package var version: String
    /// The event, as one phrase without a full stop. This and the next two are in simplified Chinese and in English.
    package var meaning: LocalizedText
    /// How it came about.
    package var cause: LocalizedText
    /// The next action of the developer or the operator.
    package var remedy: LocalizedText

    package init(
        table: CodeTable, code: String, version: String, meaning: LocalizedText, cause: LocalizedText,
        remedy: LocalizedText
    ) {
        self.table = table
        self.code = code
        self.version = version
        self.meaning = meaning
        self.cause = cause
        self.remedy = remedy
    }

    /// The explanation in one language.
    package subscript(language: Language) -> Explanation {
        Explanation(meaning: meaning[language], cause: cause[language], remedy: remedy[language])
    }
}
