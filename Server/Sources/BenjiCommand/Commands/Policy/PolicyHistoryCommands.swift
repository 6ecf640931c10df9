import Administration
import ArgumentParser
import BenjiPage
import BenjiPageReports
import BenjiProtocol
import ServerRuntime

struct PolicyHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Which policies held here, newest first: since when, by whom.")

    @OptionGroup var options: OrderOptions
    @Option(help: "Only policies before this one: the last that was shown.") var before: Int64?
    @Option(help: "How many at the most, 1 to 200.") var limit = 50
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let answer = try await options.order(ListPolicies(before: before, limit: limit))
        let terminal = Terminal()
        if json { return terminal.print(answer.text) }
        let policies = answer["policies"]?.arrayValue ?? []
        if policies.isEmpty { terminal.print("no policy is written down yet; that is done when a server starts") }
        for policy in policies { terminal.print(PolicyLine(policy).text) }
        if let next = answer["next"]?.integerValue { Terminal.note("there may be more: --before \(next)") }
    }
}

struct PolicyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "A policy that held here: the newest, one by its digest, or by the time.",
        discussion: """
            The policy goes to standard output, so that it can be written into a file; what it is stands on standard \
            error.

            Examples:
              benji policy show
              benji policy show --at 2026-11-01T08:00:00Z
              benji policy show mTq2 > former-policy.json
              benji policy show -- -Ab2            # a digest that begins with a dash stands behind --
            """.paragraphs)

    @OptionGroup var options: OrderOptions
    @Argument(help: "A policy's digest or the beginning of it, as `benji policy history` prints it.") var digest:
        String?
    @Option(
        help:
            """
            The one that held then: 2026-11-01, 2026-11-01T08:00:00Z, or 90m, 24h, 7d before now. A date begins at \
            midnight UTC+8.
            """
    )
    var at: Timestamp?
    @Flag(help: "Print JSON, with since when it held.") var json = false

    func validate() throws {
        if digest != nil, at != nil { throw ValidationError("give a digest or --at, not both") }
    }

    func run() async throws {
        let answer = try await options.order(ShowPolicy(digest: digest, at: at))
        if json { return Terminal().print(answer.text) }
        Terminal.note(PolicyLine(answer).text)
        Terminal().print(try PageJSON(parsing: Array((answer["policy"]?.text ?? "").utf8)).indented)
    }
}

/// A policy that held here, on one line.
private struct PolicyLine {
    let text: String

    init(_ policy: JSON) {
        func time(_ name: String) -> String? {
            policy[name]?.integerValue.map { Timestamp(milliseconds: $0).dateText }
        }
        func word(_ name: String) -> String { policy[name]?.stringValue ?? "" }
        text =
            Terminal.row([
                (String(policy["id"]?.integerValue ?? 0), 6), (time("since") ?? "", 22), (time("until") ?? "now", 22),
                (word("version"), 14),
            ]) + "\(word("digest"))  \(word("recordedBy")), \(word("origin"))"
    }
}
