import BenjiProtocol
import Catalogue
import Endpoints
import Foundation

/// `Verification/result-codes.tsv`: every code with what it means and what Benji answers with it, for programs that
/// cannot read Swift. The report of compatibility is made from it.
enum FactTable {
    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Verification/result-codes.tsv").standardized

    static var text: String {
        let head = "dialect\ttable\tsource\tversion\tcode\tmeaning\tanswered for\twhose it was\n"
        return head + Catalogue.entries.filter { $0.table != .device }.map(line).joined()
    }

    private static func line(_ entry: CatalogueEntry) -> String {
        let uses = ResultCodes.uses(of: entry.code, in: entry.table)
        let columns = [
            entry.table.dialect.rawValue, entry.table.rawValue, entry.table.source[.english], entry.version, entry.code,
            entry.meaning.english, uses.map(words).joined(separator: "; "), uses.isEmpty ? entry.cause.english : "",
        ]
        return columns.joined(separator: "\t") + "\n"
    }

    /// `network_failure [unicom; authorize, verify]`, with `~` where the code stands in for another.
    private static func words(_ use: CodeColumn.Use) -> String {
        let carriers = use.carriers.map { $0?.rawValue ?? "not known" }.joined(separator: ", ")
        let steps = use.steps.map { $0?.rawValue ?? "none begun" }.joined(separator: ", ")
        let conditions = [carriers, steps].filter { !$0.isEmpty }.joined(separator: "; ")
        return (use.note == nil ? "" : "~") + use.situation.rawValue + (conditions.isEmpty ? "" : " [\(conditions)]")
    }
}
