import Foundation
import Testing

@Suite("Fact table of the codes")
struct FactTableTests {
    @Test("Verification/result-codes.tsv says what the catalogue and the table of codes say; RECORD=1 writes it anew")
    func file() throws {
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try Data(FactTable.text.utf8).write(to: FactTable.file)
        }
        let recorded = try String(decoding: Data(contentsOf: FactTable.file), as: UTF8.self).split(separator: "\n")
        let current = FactTable.text.split(separator: "\n")
        #expect(Set(recorded).symmetricDifference(current) == [])
        #expect(recorded.count == current.count)
    }

    @Test("Every row has its columns, and every code either situations or the vendor's")
    func columns() {
        let rows = FactTable.text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        for row in rows.dropFirst() {
            #expect(row.count == rows[0].count, "\(row)")
            // The kinds of authentication are no results.
            #expect(row[1] == "tyrz_authtype" || row[6].isEmpty != row[7].isEmpty, "\(row)")
        }
    }
}
