import BenjiProtocol
import Catalogue
import Endpoints
import Testing

@Suite("Catalogue texts")
struct CatalogueTextTests {
    @Test("Nothing is empty, padded or a placeholder", arguments: Catalogue.entries)
    func filled(_ entry: CatalogueEntry) {
        for text in texts(entry[.simplifiedChinese]) + texts(entry[.english]) {
            #expect(text.first?.isWhitespace == false && text.last?.isWhitespace == false)
            #expect(!text.contains("\n") && !text.contains("{") && !text.contains("TODO"))
        }
    }

    @Test(
        "Cause and remedy are long enough to say what happened and what to do, in each language",
        arguments: Catalogue.entries)
    func explained(_ entry: CatalogueEntry) {
        let place = "\(entry.table.rawValue) \(entry.code)"
        #expect(!isThin(entry[.simplifiedChinese], each: 10, together: 24), "\(place), Chinese")
        #expect(!isThin(entry[.english], each: 28, together: 72), "\(place), English")
    }

    @Test("An explanation that only says that the phone is offline is thin")
    func thinIsFound() {
        let offline = Explanation(
            meaning: "There is no connection", cause: "The phone is offline.", remedy: "Try again once it is online.")
        #expect(isThin(offline, each: 28, together: 72))
    }

    @Test("Chinese texts are Chinese and English texts hold no Chinese", arguments: Catalogue.entries)
    func languages(_ entry: CatalogueEntry) {
        for text in texts(entry[.simplifiedChinese]) { #expect(text.unicodeScalars.contains(where: isHan), "\(text)") }
        for text in texts(entry[.english]) { #expect(!text.unicodeScalars.contains(where: isEastAsian), "\(text)") }
    }

    @Test("Meaning, cause and remedy say three different things", arguments: Catalogue.entries)
    func distinct(_ entry: CatalogueEntry) {
        #expect(Set(texts(entry[.simplifiedChinese])).count == 3)
        #expect(Set(texts(entry[.english])).count == 3)
    }

    @Test("Meanings are phrases; causes and remedies are sentences", arguments: Catalogue.entries)
    func punctuation(_ entry: CatalogueEntry) {
        #expect(!entry.meaning.simplifiedChinese.hasSuffix("。") && !entry.meaning.english.hasSuffix("."))
        for text in [entry.cause.simplifiedChinese, entry.remedy.simplifiedChinese] { #expect(text.hasSuffix("。")) }
        for text in [entry.cause.english, entry.remedy.english] { #expect(text.hasSuffix(".")) }
    }

    /// The one place that may be said again: a number that the document names only as part of a range.
    @Test("No two codes share a meaning or a whole explanation within a table")
    func sharedTexts() {
        for table in CodeTable.allCases {
            let entries = Catalogue.entries.filter { $0.table == table }
            #expect(repeated(entries.map(\.meaning.simplifiedChinese)) == [], "\(table.rawValue)")
            #expect(repeated(entries.map(\.meaning.english)) == [], "\(table.rawValue)")
            #expect(repeated(entries.map(\.remedy.simplifiedChinese)) == [], "\(table.rawValue)")
            #expect(repeated(entries.map(\.remedy.english)) == [], "\(table.rawValue)")
        }
    }

    @Test("A text repeated between two tables is flagged")
    func sharedBetweenTables() {
        #expect(repeated(Catalogue.entries.map { "\($0[.simplifiedChinese])" }) == [])
        #expect(repeated(Catalogue.entries.map { "\($0[.english])" }) == [])
    }

    @Test("An entry says that Benji does not send its code exactly when no situation leads to it")
    func neverSent() {
        for entry in Catalogue.entries where ![.tyrzAuthType, .openID].contains(entry.table) {
            let sent = !ResultCodes.situations(for: entry.code, in: entry.table).isEmpty
            let place = "\(entry.table.rawValue) \(entry.code)"
            #expect(disowns(entry[.english], "does not return") != sent, "\(place), English")
            #expect(disowns(entry[.simplifiedChinese], "不会返回") != sent, "\(place), Chinese")
        }
    }

    @Test("The check for repeated texts finds a repetition")
    func repetitionIsFound() {
        #expect(repeated(["a", "b", "a"]) == ["a"])
    }

    private func texts(_ explanation: Explanation) -> [String] {
        [explanation.meaning, explanation.cause, explanation.remedy]
    }

    /// Letters of cause and remedy, of each and of both.
    private func isThin(_ explanation: Explanation, each: Int, together: Int) -> Bool {
        min(explanation.cause.count, explanation.remedy.count) < each || explanation.meaning.count < 4
            || explanation.cause.count + explanation.remedy.count < together
    }

    private func disowns(_ explanation: Explanation, _ phrase: String) -> Bool {
        texts(explanation).contains { $0.contains(phrase) }
    }

    private func repeated(_ texts: [String]) -> [String] {
        Dictionary(grouping: texts) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    }

    private func isHan(_ scalar: Unicode.Scalar) -> Bool {
        (0x4E00...0x9FFF).contains(scalar.value)
    }

    private func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
        isHan(scalar) || (0x3000...0x303F).contains(scalar.value) || (0xFF00...0xFFEF).contains(scalar.value)
    }
}
