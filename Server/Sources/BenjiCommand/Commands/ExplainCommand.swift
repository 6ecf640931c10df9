internal import ArgumentParser
internal import BenjiCatalogue
internal import BenjiProtocol

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Say what a result code means, why it came, and what to do.",
        discussion: """
            The same code may mean different things in different tables; all of them are shown.

            Examples:
              benji explain 103902
              benji explain token_spent --language zh
              benji explain --all --json
            """)

    enum Language: String, ExpressibleByArgument, CaseIterable { case en, zh, both }

    @Argument(help: "A result code: 103000, 000, address_unknown …") var code: String?
    @Flag(help: "Every code of every table.") var all = false
    @Flag(help: "One JSON array: dialect, table, code, version, situations, zh and en.") var json = false
    @Option(help: "en, zh or both.") var language: Language = .both

    func validate() throws {
        guard all != (code != nil) else {
            throw ValidationError("give one code, or --all; for example: benji explain 103902")
        }
    }

    func run() throws {
        let terminal = Terminal()
        let entries = all ? Catalogue.entries : Catalogue.entries(for: code ?? "")
        guard !entries.isEmpty else {
            throw CommandFailure(
                "no table has the code \(code ?? ""); `benji explain --all` lists them all")
        }
        if json {
            terminal.print(JSON.array(entries.map(\.json)).text)
            return
        }
        for (index, entry) in entries.enumerated() {
            if index > 0 { terminal.print() }
            terminal.print(
                terminal.styled(entry.code, .bold)
                    + terminal.styled("  \(entry.table.rawValue), \(entry.table.source)", .dim))
            if language != .zh { show(entry.en, ("means", "cause", "remedy"), on: terminal) }
            if language != .en { show(entry.zh, ("含义", "原因", "处理"), on: terminal) }
            let situations = ResultCodes.situations(for: entry.code, in: entry.table)
            if !situations.isEmpty, entry.table != .device {
                terminal.print(
                    terminal.styled("  here it answers  " + situations.map(\.rawValue).joined(separator: ", "), .dim))
            }
        }
    }

    private func show(_ explanation: Explanation, _ labels: (String, String, String), on terminal: Terminal) {
        for (label, text) in [
            (labels.0, explanation.meaning), (labels.1, explanation.cause), (labels.2, explanation.remedy),
        ] {
            terminal.print("  \(terminal.styled(Terminal.padded(label, to: 8), .cyan))\(text)")
        }
    }
}

extension CatalogueEntry {
    var json: JSON {
        .object([
            "dialect": .string(table.dialect.rawValue), "table": .string(table.rawValue), "code": .string(code),
            "version": .string(version), "source": .string(table.source),
            "situations": .array(ResultCodes.situations(for: code, in: table).map { .string($0.rawValue) }),
            "zh": zh.json, "en": en.json,
        ])
    }
}

extension Explanation {
    fileprivate var json: JSON {
        .object(["meaning": .string(meaning), "cause": .string(cause), "remedy": .string(remedy)])
    }
}
