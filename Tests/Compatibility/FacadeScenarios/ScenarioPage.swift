package import BenjiTesting
import Foundation
package import OneTapShell
import Testing

/// docs/compatibility-scenarios.md: the codes that a reader finds there are those that the columns hold.
package enum ScenarioPage {
    /// Holds a facade's column of the page to its answers.
    ///
    /// - Parameters:
    ///   - title: the heading of the column.
    ///   - codes: what a dictionary says of the end, as the page prints it.
    package static func check(
        _ column: some FacadeColumn, title: String, codes: (ResultFields) -> String
    ) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../../docs/compatibility-scenarios.md").standardized
        let lines = try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
        let table = lines.filter { $0.hasPrefix("|") }.map(cells)
        let place = try #require(table.first?.firstIndex(of: title))
        let rows = table.dropFirst(2)
        #expect(rows.map { $0[0] } == Scenario.all.map { "`\($0.name.rawValue)`" })
        for row in rows {
            let name = row[0].trimmingCharacters(in: ["`"])
            let expected =
                switch Scenario.Name(rawValue: name).flatMap({ column.answers[$0] }) {
                case .answers(let fields, _), .kept(let fields, _): fields.last.map(codes)
                case .cannotHappen: "—"
                case nil: String?.none
                }
            #expect(row[place] == expected, "\(title), \(name)")
            #expect(!row[3].isEmpty && !row[6].isEmpty, "\(name) rests on nothing")
        }
    }

    private static func cells(_ row: Substring) -> [String] {
        row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

extension ResultFields {
    /// A member as a page prints it.
    package func printed(_ name: String) -> String? {
        switch self[name] {
        case .text(let text): text
        case .number(let number): "\(number)"
        default: nil
        }
    }
}
