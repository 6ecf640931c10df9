import BenjiPolicy
import BenjiProtocol
import Catalogue
import Endpoints
import ServerRuntime

/// The text of `benji explain`: by dialect, and in it by table, with Benji's uses of the code.
struct CodeReport {
    let entries: [CatalogueEntry]
    let report: ReportLanguages

    init(_ entries: [CatalogueEntry], _ report: ReportLanguages) {
        self.entries = entries
        self.report = report
    }

    func lines(_ terminal: Terminal) -> [String] {
        let dialects = Dialect.all.filter { dialect in entries.contains { $0.table.dialect == dialect } }
        var lines: [String] = []
        for dialect in dialects {
            if !lines.isEmpty { lines.append("") }
            lines.append(terminal.styled(dialect.rawValue, .bold))
            for entry in entries where entry.table.dialect == dialect { lines += self.lines(entry, terminal) }
        }
        return lines
    }

    private func lines(_ entry: CatalogueEntry, _ terminal: Terminal) -> [String] {
        let place = "  \(entry.table.rawValue), \(entry.table.source[.english])\(Self.version(of: entry))"
        var lines = ["  " + terminal.styled(entry.code, .bold) + terminal.styled(place, .dim)]
        func add(_ label: String, _ text: String) {
            lines.append("    \(terminal.styled(Terminal.padded(label, to: 8), .cyan))\(text)")
        }
        for language in report.languages {
            add(Self.labels.meaning[language], entry.meaning[language])
            add(Self.labels.cause[language], entry.cause[language])
            add(Self.labels.remedy[language], entry.remedy[language])
        }
        // Benji's own codes are the situations themselves. OpenID's specifications say when theirs are answered.
        guard ![.device, .openID].contains(entry.table) else { return lines }
        let uses = ResultCodes.uses(of: entry.code, in: entry.table)
        if uses.isEmpty {
            lines.append(terminal.styled("    Benji never answers it", .dim))
        } else {
            lines.append(terminal.styled("    Benji answers it for", .dim))
            lines += uses.map { terminal.styled("      " + line($0), .dim) }
        }
        return lines
    }

    private static let labels = (
        meaning: LocalizedText("含义", "means"), cause: LocalizedText("原因", "cause"),
        remedy: LocalizedText("处理", "remedy")
    )

    /// Where one code of a table comes from elsewhere than the table.
    private static func version(of entry: CatalogueEntry) -> String {
        entry.table.source[.english].contains(entry.version) || entry.version == "server" || entry.version == "benji"
            ? "" : " (\(entry.version))"
    }

    private func line(_ use: CodeColumn.Use) -> String {
        let explanation = Catalogue.entry(use.situation.rawValue, in: .device)
        let meaning = explanation?.meaning[report.languages[0]] ?? ""
        var conditions: [String] = []
        if !use.carriers.isEmpty {
            conditions.append(use.carriers.map { $0?.rawValue ?? "carrier not known yet" }.joined(separator: ", "))
        }
        if !use.steps.isEmpty {
            conditions.append(use.steps.map { $0?.rawValue ?? "nothing begun" }.joined(separator: ", "))
        }
        if let note = use.note { conditions.append("nearest: \(note)") }
        let when = conditions.isEmpty ? "" : " (\(conditions.joined(separator: "; ")))"
        return "\(Terminal.padded(use.situation.rawValue, to: 26))  \(meaning)\(when)"
    }
}
