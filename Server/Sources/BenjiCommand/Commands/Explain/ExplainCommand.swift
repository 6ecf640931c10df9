import ArgumentParser
import BenjiProtocol
import Catalogue
import Endpoints
import ServerRuntime

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Say what a result code means, why it came, and what to do.",
        discussion: """
            The same code may mean different things in different dialects and versions; all of them are shown, and for
            each what Benji answers with it.

            Examples:
              benji explain 103902
              benji explain -20102            also: benji explain -- -20102
              benji explain token_spent --language zh
              benji explain --all --json
            """.paragraphs)

    // A word that begins with a dash is a code here, unless it is one of the options.
    @Argument(parsing: .allUnrecognized, help: "Result codes: 103000, -20102, address_unknown …") var codes: [String] =
        []
    @Flag(help: "Every code of every table.") var all = false
    @Flag(help: "One JSON array: dialect, table, code, version, source, situations, uses, zh and en.") var json = false
    @Option(help: "en, zh or both.") var language: ReportLanguages = .both

    mutating func validate() throws {
        // As elsewhere, -- says that only codes follow.
        if let place = codes.firstIndex(of: "--") { codes.remove(at: place) }
        if let option = codes.first(where: { $0.hasPrefix("--") }) {
            throw ValidationError("there is no option \(option); see benji explain --help")
        }
        guard all != !codes.isEmpty else {
            throw ValidationError("give a code, or --all; for example: benji explain 103902")
        }
    }

    func run() throws {
        let terminal = Terminal()
        let found = try all ? Catalogue.entries : codes.flatMap(Self.entries)
        if json {
            terminal.print(JSON.array(found.map(\.json)).text)
        } else {
            for line in CodeReport(found, language).lines(terminal) { terminal.print(line) }
            guard !all else { return }
            for code in Set(found.map(\.code)).sorted() {
                terminal.print("\nAs a page of your server: https://SERVER\(CodeEndpoints.address(of: code))")
            }
        }
    }

    /// A situation as the tables write it, of one as the SDK's Swift does: `userCancelled` is `user_cancelled`.
    private static func asInTables(_ word: String) -> String {
        word.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }

    static func entries(for code: String) throws -> [CatalogueEntry] {
        let entries = Catalogue.entries(for: code)
        guard entries.isEmpty else { return entries }
        let situation = Catalogue.entries(for: asInTables(code))
        guard situation.isEmpty else { return situation }
        let near = Catalogue.near(code)
        throw CommandFailure(
            "no table has the code \(code); "
                + (near.isEmpty
                    ? "`benji explain --all` lists them all" : "did you mean \(near.joined(separator: ", "))?"))
    }
}
