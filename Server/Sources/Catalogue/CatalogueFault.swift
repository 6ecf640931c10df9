/// A mistake in a file of `Tables/`: where it is, and what to do.
struct CatalogueFault: Error, Equatable, CustomStringConvertible {
    enum Reason: Equatable {
        case unknownTable, tableTwice, lastLine, encoding, columns, noRows
        case missingColumn(String)
        case fields(Int)
        case empty(String)
        case blanks(String)
        case quotationMark(String)
        case range(String)
        case codeTwice(String, line: Int)
        case braces(String)
    }

    /// Without folder and ending.
    var file: String
    /// From 1.
    var line: Int
    var reason: Reason

    init(_ file: String, _ line: Int, _ reason: Reason) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    var description: String { "Tables/\(file).tsv:\(line): \(sentence)" }

    private var sentence: String {
        switch reason {
        case .unknownTable: "CodeTable has no table of this name; rename the file"
        case .tableTwice: "the table was read before; remove one of the files"
        case .lastLine: "the last line does not end with a line feed; the file may be cut off"
        case .encoding: "this is not UTF-8"
        case .columns: "the columns must be \(TableReader.columns.joined(separator: ", ")), in this order and no other"
        case .noRows: "the table explains no code"
        case .missingColumn(let column): "the column \(column) is missing"
        case .fields(let count): "\(count) fields between tabs; \(TableReader.columns.count) columns want one each"
        case .empty(let column): "\(column) is empty"
        case .blanks(let column): "\(column) begins or ends with a blank; remove it"
        case .quotationMark(let column): "\(column) has a plain quotation mark; write “ and ”"
        case .range(let text): "\(text) is no range of at most \(CodeRange.maximumCount) codes, such as 200052...200058"
        case .codeTwice(let code, let line): "the code \(code) has an explanation in line \(line)"
        case .braces(let column):
            "\(column) has braces; a row for a range may have {code}, and nothing else is filled in"
        }
    }
}
