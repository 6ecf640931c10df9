import Administration
import ArgumentParser
@_spi(Server) import BenjiProtocol
import Catalogue
import Endpoints
import ServerRuntime
import Store

/// The story of a login, looking for one, and writing one down.
struct TraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Tell the story of a login: what happened, why, and what to do; look for logins; write one down.",
        discussion: """
            Phones and answers name a login by its trace (processID, traceId). Traces are kept for seven days, or as \
            retention.traces says, and hold no number and no credential.

            Examples:
              benji trace 6f0e9c2a41d84b7f8f5f0f6d3b1c2a90
              benji trace --app 300000000001 --since 24h --code 104201
              benji trace --number 13800000001             # the search is noted in the audit log
              benji trace export 6f0e9c2a41d84b7f8f5f0f6d3b1c2a90 > login.json   # for benji replay
            """.paragraphs,
        subcommands: [TraceTellCommand.self, TraceExportCommand.self], defaultSubcommand: TraceTellCommand.self)
}

/// A login as a file that names no person.
struct TraceExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a login down, for `benji replay`.",
        discussion: """
            Prints JSON: the carrier, what kind of app it was, and each step with its time since the first and how it \
            ended. No \
            number, no credential, no openId, no id of the app or the login.
            """.paragraphs)

    @OptionGroup var options: OrderOptions
    @Argument(help: "A login's trace: 32 hexadecimal digits.") var trace: TraceID
    @Option(help: "The app that it must be of; a developer names one of theirs.") var app: AppID?

    func run() async throws { Terminal().print(try await options.order(ExportTrace(trace, app: app)).text) }
}

struct TraceTellCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tell", abstract: "Tell the story of a login, or look for logins; `benji trace TRACE` for short.")

    @OptionGroup var options: OrderOptions
    @Argument(help: "A login's trace: 32 hexadecimal digits. Without it logins are looked for.") var trace: TraceID?
    @Option(help: "Only logins of this app; a developer names one of theirs.") var app: AppID?
    @Option(
        help:
            "Only logins with a step that ended in this code: one of any dialect, or a situation such as token_expired."
    )
    var code: String?
    @Option(help: "Only logins of whoever has this number now.") var number: PhoneNumber?
    @OptionGroup var time: TimeRangeOptions
    @Option(help: "Go on after this login, the last one that was listed.") var after: TraceID?
    @OptionGroup var why: ReasonOptions
    @Option(help: "How many logins at the most, 1 to 500.") var limit = 20
    @Option(help: "en, zh or both.") var language: ReportLanguages = .english
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        if let code, ResultCodes.situations(meantBy: code).isEmpty {
            throw ValidationError("--code \(code): nothing ends in it; see: benji explain \(code)")
        }
        guard trace == nil || (code == nil && number == nil && time.since == nil && time.until == nil && after == nil)
        else {
            throw ValidationError("a trace is one login; leave out --code, --number, --since, --until and --after")
        }
    }

    func run() async throws {
        guard let trace else { return try await find() }
        let answer = try await options.order(ShowTrace(trace, app: app))
        let terminal = Terminal()
        if json { return terminal.print(answer.text) }
        for line in TraceStory(answer, language).lines(terminal) { terminal.print(line) }
    }

    private func find() async throws {
        let filter = TraceFilter(
            app: app, situations: code.map { ResultCodes.situations(meantBy: $0) } ?? [], since: time.since,
            until: time.until, after: after)
        let answer = try await options.order(FindTraces(filter, number: number, limit: limit), reason: why.reason)
        let terminal = Terminal()
        if json { return terminal.print(answer.text) }
        let found = answer["traces"]?.arrayValue ?? []
        if found.isEmpty {
            terminal.print("no such login. Kept are logins of phones that were recognised, for seven days")
        }
        for login in found {
            func text(_ name: String) -> String { login[name]?.stringValue ?? "" }
            let time = Timestamp(milliseconds: login["at"]?.integerValue ?? 0).dateText
            let isWell = !Situation(rawValue: text("situation")).isRefusal
            let then = login["then"]?["situation"]?.stringValue.map { ", then \($0)" } ?? ""
            terminal.print(
                "\(time)  \(terminal.styled(text("trace"), .bold))  \(text("app"))  "
                    + "\(Terminal.padded(text("step"), to: 20))"
                    + terminal.styled(text("situation"), isWell ? .green : .red) + then)
        }
        if found.count == limit {
            Terminal.note("there may be more: --limit, or --after with the trace of the last line")
        }
    }
}
