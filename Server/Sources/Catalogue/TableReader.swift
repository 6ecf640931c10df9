import BenjiProtocol

/// Reads the files of `Tables/`, and refuses what may be a mistake.
///
/// A file is UTF-8. Each line ends with a line feed and has its fields between tabs, as spreadsheets write
/// "tab-separated values". The first line names ``columns``; each other one explains a code. A row may stand for a
/// range of numbers: its code is `200052...200058`, and `{code}` in its texts becomes the number.
struct TableReader {
    /// Where a code comes from is ``CatalogueEntry/version``; the rest is one ``Explanation`` in each language.
    static let columns = [
        "code", "version", "zh.meaning", "zh.cause", "zh.remedy", "en.meaning", "en.cause", "en.remedy",
    ]

    private let file: String
    private let table: CodeTable
    private var line = 1
    private var entries: [CatalogueEntry] = []
    private var lineOfCode: [String: Int] = [:]

    /// The entries of all files by their tables, in the order of the rows.
    static func read(_ files: [TableFile]) throws(CatalogueFault) -> [CodeTable: [CatalogueEntry]] {
        var tables: [CodeTable: [CatalogueEntry]] = [:]
        for file in files {
            var reader = try TableReader(file)
            try reader.read(file.bytes)
            guard tables.updateValue(reader.entries, forKey: reader.table) == nil else {
                throw CatalogueFault(file.name, 1, .tableTwice)
            }
        }
        return tables
    }

    private init(_ file: TableFile) throws(CatalogueFault) {
        guard let table = CodeTable(rawValue: file.name) else { throw CatalogueFault(file.name, 1, .unknownTable) }
        self.file = file.name
        self.table = table
    }

    private mutating func read(_ bytes: [UInt8]) throws(CatalogueFault) {
        guard bytes.last == UInt8(ascii: "\n") else { throw fault(.lastLine) }
        let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        try checkHead(try fields(lines[0]))
        for row in lines.dropFirst() {
            line += 1
            try readRow(try fields(row))
        }
        guard !entries.isEmpty else { throw fault(.noRows) }
    }

    private func fields(_ line: ArraySlice<UInt8>) throws(CatalogueFault) -> [String] {
        var fields: [String] = []
        for bytes in line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false) {
            guard let field = String(validating: bytes, as: UTF8.self) else { throw fault(.encoding) }
            fields.append(field)
        }
        return fields
    }

    private func checkHead(_ head: [String]) throws(CatalogueFault) {
        if let missing = Self.columns.first(where: { !head.contains($0) }) { throw fault(.missingColumn(missing)) }
        guard head == Self.columns else { throw fault(.columns) }
    }

    private mutating func readRow(_ fields: [String]) throws(CatalogueFault) {
        guard fields.count == Self.columns.count else { throw fault(.fields(fields.count)) }
        for (column, text) in zip(Self.columns, fields) { try check(text, column) }
        guard let codes = CodeRange.codes(fields[0]) else { throw fault(.range(fields[0])) }
        for code in codes {
            if let earlier = lineOfCode.updateValue(line, forKey: code) { throw fault(.codeTwice(code, line: earlier)) }
            let texts = fields.dropFirst(2).map { codes.count == 1 ? $0 : $0.replacing("{code}", with: code) }
            if let braced = texts.firstIndex(where: { $0.utf8.contains(UInt8(ascii: "{")) }) {
                throw fault(.braces(Self.columns[2 + braced]))
            }
            entries.append(
                CatalogueEntry(
                    table: table, code: code, version: fields[1],
                    meaning: LocalizedText(texts[0], texts[3]), cause: LocalizedText(texts[1], texts[4]),
                    remedy: LocalizedText(texts[2], texts[5])))
        }
    }

    private func check(_ text: String, _ column: String) throws(CatalogueFault) {
        guard let first = text.first, let last = text.last else { throw fault(.empty(column)) }
        if first.isWhitespace || last.isWhitespace { throw fault(.blanks(column)) }
        // Spreadsheets put a field with one in quotation marks and double it.
        if text.utf8.contains(UInt8(ascii: "\"")) { throw fault(.quotationMark(column)) }
    }

    private func fault(_ reason: CatalogueFault.Reason) -> CatalogueFault { CatalogueFault(file, line, reason) }
}
