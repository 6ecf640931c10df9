import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import Requests
import ServerRuntime
import Store

/// Lists orders and their callers.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Who ordered what, when, from where and why.",
        discussion: """
            Each order has one line, written in the same commit as its change; a refused order has one with its code. \
            The database \
            refuses to change or remove a line, and lines that are missing all the same are reported.

            The newest rows of the ledger and of the consents, and one in 24 of the others, are compared with their \
            marks before. With --compare all rows are compared, after the lines were shown. The time grows with the \
            number of rows.

            Example:
              benji audit --app 300000000001           # who changed this app
              benji audit --order app.suspend --since 2026-11-01
            """.paragraphs)

    @OptionGroup var options: OrderOptions
    @Option(help: "Only what is about this app; a developer names one of theirs.") var app: AppID?
    @Option(help: "Only orders of this user or token.") var actor: String?
    @Option(help: "Only orders of this name: app.set, app.suspend, …") var order: String?
    @OptionGroup var time: TimeRangeOptions
    @Option(help: "Only lines before this one: the last that was shown.") var before: Int64?
    @Option(help: "How many lines at the most, 1 to 500.") var limit = 50
    @Flag(help: "Compare all rows of the ledger and of the consents with their marks. Not with --server.")
    var compare = false
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        if compare, try options.isRemote { throw ValidationError("--compare works on this machine, not with --server") }
        let filter = AuditFilter(app: app, actor: actor, order: order, since: time.since, until: time.until)
        // A comparison after the lines takes the place of the one before them.
        let (isFirst, isLast) = (before == nil, compare && !json)
        let hour = compare ? nil : Int(SystemWallClock().now.milliseconds / 3_600_000)
        let answer = try await options.order(ListAudit(filter, before: before, limit: limit)) { installation in
            guard isFirst else { return }
            let store = installation.store
            if isLast { return store.rowCodes.note(evidenceProblems: []) }
            // If it fails, the answer says that it was not done.
            guard let problems = try? await store.evidenceProblems(inHour: hour) else { return }
            store.rowCodes.note(evidenceProblems: problems)
        }
        let terminal = Terminal()
        if json { return terminal.print(answer.text) }
        let entries = answer["entries"]?.arrayValue ?? []
        if entries.isEmpty { terminal.print("no such order was given") }
        for entry in entries { Self.show(entry, terminal) }
        var problems = (answer["problems"]?.arrayValue ?? []).map { $0.stringValue ?? "" }
        if isLast {
            let configuration = try await options.configuration.load()
            problems += try await Installation.use(configuration) { try await $0.store.evidenceProblems() }
        }
        for problem in problems { Terminal.note("warning: \(problem.printable)") }
        if let next = answer["next"]?.integerValue {
            Terminal.note("there may be more: --before \(next)")
        }
    }

    private static func show(_ entry: JSON, _ terminal: Terminal) {
        func text(_ name: String) -> String { entry[name]?.stringValue ?? "" }
        let time = Timestamp(milliseconds: entry["at"]?.integerValue ?? 0).dateText
        let about = [text("app"), text("subject")].filter { !$0.isEmpty }.joined(separator: " ")
        let outcome = text("outcome") == Situation.success.rawValue ? "" : "  refused: \(text("outcome"))"
        terminal.print(
            "\(terminal.styled(Terminal.padded(String(entry["id"]?.integerValue ?? 0), to: 6), .dim))\(time)  "
                + "\(terminal.styled(Terminal.padded(text("order"), to: 18), .bold))\(about)  \(text("actor")), "
                + "\(text("origin"))\(terminal.styled(outcome, .red))")
        if let reason = entry["reason"]?.stringValue { terminal.print("      because: \(reason)") }
        guard case .object(let after) = entry["after"] ?? .object([:]) else { return }
        let before = entry["before"] ?? .null
        // All of a new app is new; app show prints it.
        for member in after where text("order") != CreateApp.name {
            terminal.print(
                "      \(member.name): \(shown(member.name, before[member.name])) → \(shown(member.name, member.value))"
            )
        }
        guard case .object(let gone) = before else { return }
        for member in gone where !after.contains(where: { $0.name == member.name }) {
            terminal.print("      \(member.name): \(shown(member.name, member.value)) → none")
        }
    }

    private static func shown(_ name: String, _ value: JSON?) -> String {
        guard let value else { return "none" }
        // A text keeps its quotation marks, so that an empty one is seen.
        return value.stringValue == nil ? value.shown(as: name) : value.text
    }
}
