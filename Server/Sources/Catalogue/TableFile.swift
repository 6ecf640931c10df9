import CCatalogueTables

/// One file of `Tables/`.
struct TableFile {
    /// Without folder and ending.
    var name: String
    var bytes: [UInt8]

    /// Those that are in the program.
    static var all: [TableFile] {
        (0..<catalogue_table_count()).map { number in
            let table = catalogue_table(number)
            let bytes = UnsafeBufferPointer(start: table.text, count: table.count)
            return TableFile(name: String(cString: table.name), bytes: Array(bytes))
        }
    }
}
