import BenjiProtocol
import Testing

@testable import Catalogue

@Suite("Files of the catalogue")
struct TableReaderTests {
    private static let head = TableReader.columns.joined(separator: "\t")
    private static let zh = "含义\t原因。\t处理。"
    private static let en = "A meaning\tA cause.\tA remedy."

    private func read(_ lines: String..., file: String = "cm_sdk") throws(CatalogueFault) -> [CatalogueEntry] {
        let text = ([Self.head] + lines).joined(separator: "\n") + "\n"
        return try TableReader.read([TableFile(name: file, bytes: Array(text.utf8))])[.cmSDK] ?? []
    }

    private func fault(_ bytes: [UInt8], file: String = "cm_sdk") -> CatalogueFault? {
        do throws(CatalogueFault) {
            _ = try TableReader.read([TableFile(name: file, bytes: bytes)])
            return nil
        } catch { return error }
    }

    private func fault(_ lines: String...) -> CatalogueFault? {
        fault(Array((([Self.head] + lines).joined(separator: "\n") + "\n").utf8))
    }

    @Test("A row becomes an entry of the table that the file is named after")
    func row() throws {
        #expect(
            try read("200010\t000\t\(Self.zh)\t\(Self.en)") == [
                CatalogueEntry(
                    table: .cmSDK, code: "200010", version: "000",
                    meaning: LocalizedText("含义", "A meaning"), cause: LocalizedText("原因。", "A cause."),
                    remedy: LocalizedText("处理。", "A remedy."))
            ])
    }

    @Test("A row for a range becomes an entry for each code, which names it in its texts, at the row's place")
    func range() throws {
        let entries = try read(
            "1\t000\t\(Self.zh)\t\(Self.en)",
            "7...9\t000\t编号 {code}\t{code}。\t处理。\tNumber {code}\tA cause.\t{code}, {code}.",
            "2\t000\t\(Self.zh)\t\(Self.en)")
        #expect(entries.map(\.code) == ["1", "7", "8", "9", "2"])
        #expect(entries[2][.simplifiedChinese] == Explanation(meaning: "编号 8", cause: "8。", remedy: "处理。"))
        #expect(entries[3][.english] == Explanation(meaning: "Number 9", cause: "A cause.", remedy: "9, 9."))
    }

    @Test("A code that has an explanation already, in a row or in a range, is refused with both lines")
    func codeTwice() {
        let row = "\t000\t\(Self.zh)\t\(Self.en)"
        #expect(fault("5" + row, "6" + row, "5" + row) == CatalogueFault("cm_sdk", 4, .codeTwice("5", line: 2)))
        #expect(fault("3...6" + row, "5" + row) == CatalogueFault("cm_sdk", 3, .codeTwice("5", line: 2)))
        #expect(fault("3...6" + row, "6...8" + row) == CatalogueFault("cm_sdk", 3, .codeTwice("6", line: 2)))
    }

    @Test("A field that is empty, padded, quoted or in braces is refused with its line and column")
    func texts() {
        for (column, name) in TableReader.columns.enumerated() {
            var fields = ["200010", "000", "含义", "原因。", "处理。", "A meaning", "A cause.", "A remedy."]
            let whole = fields[column]
            func reason(_ text: String) -> CatalogueFault? {
                fields[column] = text
                return fault("1\t000\t\(Self.zh)\t\(Self.en)", fields.joined(separator: "\t"))
            }
            #expect(reason("") == CatalogueFault("cm_sdk", 3, .empty(name)))
            #expect(reason(" " + whole) == CatalogueFault("cm_sdk", 3, .blanks(name)))
            #expect(reason(whole + "\u{3000}") == CatalogueFault("cm_sdk", 3, .blanks(name)))
            #expect(reason("\"\(whole)\"") == CatalogueFault("cm_sdk", 3, .quotationMark(name)))
            guard column >= 2 else { continue }
            #expect(reason(whole + "{code}") == CatalogueFault("cm_sdk", 3, .braces(name)))
            fields[0] = "200010...200012"
            #expect(reason(whole + "{code}") == nil)
            #expect(reason(whole + "{number}") == CatalogueFault("cm_sdk", 3, .braces(name)))
        }
    }

    @Test("Lines that end as Windows ends them are refused")
    func lineEnds() {
        #expect(fault("1\t000\t\(Self.zh)\t\(Self.en)\r") == CatalogueFault("cm_sdk", 2, .blanks("en.remedy")))
    }

    @Test("A row with a field too few or too many, or with none, is refused")
    func fields() {
        #expect(fault("1\t000\t\(Self.zh)\tA meaning\tA cause.") == CatalogueFault("cm_sdk", 2, .fields(7)))
        #expect(fault("1\t000\t\(Self.zh)\t\(Self.en)\t") == CatalogueFault("cm_sdk", 2, .fields(9)))
        #expect(fault("1\t000\t\(Self.zh)\t\(Self.en)", "") == CatalogueFault("cm_sdk", 3, .fields(1)))
    }

    @Test("What is no range is refused")
    func noRange() {
        #expect(fault("9...1\t000\t\(Self.zh)\t\(Self.en)") == CatalogueFault("cm_sdk", 2, .range("9...1")))
    }

    @Test("A column that is missing, in another place or unknown is refused")
    func head() {
        for missing in TableReader.columns {
            let head = TableReader.columns.filter { $0 != missing }.joined(separator: "\t") + "\n"
            #expect(fault(Array(head.utf8)) == CatalogueFault("cm_sdk", 1, .missingColumn(missing)))
        }
        for head in [Self.head + "\tfr.meaning", TableReader.columns.reversed().joined(separator: "\t")] {
            #expect(fault(Array((head + "\n").utf8)) == CatalogueFault("cm_sdk", 1, .columns))
        }
    }

    @Test("A file that is empty, has no row, ends in the middle of a line or is not UTF-8 is refused")
    func files() {
        #expect(fault([]) == CatalogueFault("cm_sdk", 1, .lastLine))
        #expect(fault() == CatalogueFault("cm_sdk", 1, .noRows))
        let whole = Array("\(Self.head)\n1\t000\t\(Self.zh)\t\(Self.en)\n".utf8)
        #expect(fault(whole) == nil)
        #expect(fault(Array(whole.dropLast())) == CatalogueFault("cm_sdk", 1, .lastLine))
        // "義" in GB 18030, as an old spreadsheet would write it.
        let row = Array("1\t000\t".utf8) + [0xC1, 0x78] + Array("\t原因。\t处理。\t\(Self.en)\n".utf8)
        #expect(fault(Array("\(Self.head)\n".utf8) + row) == CatalogueFault("cm_sdk", 2, .encoding))
    }

    @Test("A file that no table is named after, and a second file of one table, are refused")
    func tables() {
        let whole = Array("\(Self.head)\n1\t000\t\(Self.zh)\t\(Self.en)\n".utf8)
        #expect(fault(whole, file: "cm_skd") == CatalogueFault("cm_skd", 1, .unknownTable))
        let file = TableFile(name: "cm_sdk", bytes: whole)
        #expect(throws: CatalogueFault("cm_sdk", 1, .tableTwice)) { try TableReader.read([file, file]) }
    }

    @Test("A fault says file, line and what to do")
    func words() {
        #expect(
            "\(CatalogueFault("cm_sdk", 12, .codeTwice("200010", line: 9)))"
                == "Tables/cm_sdk.tsv:12: the code 200010 has an explanation in line 9")
        #expect(
            "\(CatalogueFault("cm_sdk", 1, .missingColumn("zh.cause")))"
                == "Tables/cm_sdk.tsv:1: the column zh.cause is missing")
    }
}
