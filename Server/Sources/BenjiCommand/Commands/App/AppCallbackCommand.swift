import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import ServerRuntime
import Store

/// Where an app is told of its logins (docs/callbacks.md).
struct AppCallbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callback", abstract: "Tell an app's server of its logins, by an HTTPS callback.",
        discussion: "Works on the data directory itself, whether or not `benji serve` is running.",
        subcommands: [
            Show.self, SetCommand.self, Remove.self, RotateSecret.self, Test.self, Deliveries.self, Replay.self,
        ])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Where an app is told of its logins, and of what; without the secrets.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            AppCallbackCommand.show(try await options.order(ShowCallback(id)), json: json)
        }
    }

    struct SetCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract:
                "Register an app's callback, or change what is named of it; a new one's secret is printed this once.",
            discussion: """
                Events are \(CallbackEventType.registrable.map(\.rawValue).joined(separator: ", ")). A callback that \
                was stopped, because \
                its receiver said that it is gone, goes on.

                Examples:
                  benji app callback set 300000000001 --url https://shop.example/benji-events
                  benji app callback set 300000000001 --event login.released --event app.suspended
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @Option(help: "https:// with a host's name, without a query. The present one if not given.") var url: String?
        @Option(
            help: ArgumentHelp(
                "What it is told of. May be given several times; the present events, or all of them, if not given.",
                valueName: "event"))
        var event: [CallbackEventType] = []

        func run() async throws {
            AppCallbackCommand.show(
                try await given.give(SetCallback(given.id, url: url, events: event)), json: given.json)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "End an app's callback and its secrets.",
            discussion: "What waits to be sent is sent if another callback is registered while it is kept.")
        @OptionGroup var given: AppOrderOptions

        func run() async throws {
            AppCallbackCommand.show(try await given.give(RemoveCallback(given.id)), json: given.json)
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret", abstract: "Give a callback a new secret; it is printed this once.",
            discussion: """
                Until the secret before ends, events have a signature by each, so that the receiver can change over.

                Examples:
                  benji app callback rotate-secret 300000000001 --overlap 7
                  benji app callback rotate-secret 300000000001 --now     # somebody else knows it
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @Option(help: "End the former one after this many days.") var overlap = RotateCallbackSecret.usualDays
        @Flag(help: "End the former one at once.") var now = false

        func run() async throws {
            let order = RotateCallbackSecret(given.id, keeping: now ? .none : .days(overlap))
            AppCallbackCommand.show(try await given.give(order), json: given.json)
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Send an app's callback an event of the type callback.test.",
            discussion: "A running server sends it. What becomes of it: benji app callback deliveries.")
        @OptionGroup var given: AppOrderOptions

        func run() async throws {
            let answer = try await given.give(TestCallback(given.id))
            Terminal().print(given.json ? answer.text : "queued: \(answer["event"]?.stringValue ?? "")")
        }
    }

    struct Deliveries: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deliveries", abstract: "Events for an app's callback and what became of them, newest first.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @Option(help: "Only those that are waiting, delivered or dead.") var state: OutboxState?
        @Option(help: "Only rows before this one: the last that was shown.") var before: Int64?
        @Option(help: "How many at the most: 1 to 1000.") var limit = 50
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let terminal = Terminal()
            let answer = try await options.order(ListDeliveries(id, state: state, before: before, limit: limit))
            if json { return terminal.print(answer.text) }
            let rows = answer["deliveries"]?.arrayValue ?? []
            if rows.isEmpty { terminal.print("no such event is kept") }
            for row in rows {
                func text(_ name: String) -> String { row[name]?.stringValue ?? "" }
                let at = Timestamp(milliseconds: row["at"]?.integerValue ?? 0).dateText
                var last = text("lastOutcome")
                if let due = row["dueAt"]?.integerValue {
                    last += "\(last.isEmpty ? "" : ", ")due \(Timestamp(milliseconds: due).dateText)"
                }
                terminal.print(
                    Terminal.row([
                        (text("event"), 30), (at, 22), (text("type"), 22), (text("state"), 11),
                        ("\(row["attempts"]?.integerValue ?? 0) tries", 10),
                    ]) + last)
            }
            if let next = answer["next"]?.integerValue { Terminal.note("there may be more: --before \(next)") }
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay", abstract: "Send events once more: one by its id, or the dead letters of an app.",
            discussion: """
                Examples:
                  benji app callback replay 300000000001 --event evt_0123456789abcdefghijABCD
                  benji app callback replay 300000000001 --dead --since 2026-11-21 --until 2026-11-22
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @Option(help: "The event's id, whatever became of it.") var event: String?
        @Flag(help: "The app's dead letters.") var dead = false
        @OptionGroup var time: TimeRangeOptions

        func validate() throws {
            guard (event != nil) != dead else { throw ValidationError("give --event or --dead, and not both") }
            guard event == nil || (time.since == nil && time.until == nil) else {
                throw ValidationError("--since and --until are for --dead")
            }
        }

        func run() async throws {
            let order = ReplayDeliveries(given.id, event: event, since: time.since, until: time.until)
            let answer = try await given.give(order)
            let count = answer["replayed"]?.integerValue ?? 0
            Terminal().print(given.json ? answer.text : "to be sent once more: \(count)")
        }
    }

    /// Shows what an order answered of a callback.
    private static func show(_ answer: JSON, json: Bool) {
        let terminal = Terminal()
        if json { return terminal.print(answer.text) }
        func line(_ name: String, _ text: String) {
            terminal.print("\(terminal.styled(Terminal.padded(name, to: 24), .cyan))\(text)")
        }
        line("app", answer["app"]?.stringValue ?? "")
        if let callback = answer["callback"], callback != .null {
            line("url", callback["url"]?.stringValue ?? "")
            line("events", (callback["events"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", "))
            if let stopped = callback["stoppedAt"]?.integerValue {
                line("stopped", "\(Timestamp(milliseconds: stopped).dateText): its receiver said that it is gone")
            }
        } else {
            line("callback", "none")
        }
        for secret in (answer["secrets"]?.arrayValue ?? []).map({ KeyLine($0) }) { line(secret.word, secret.text) }
        if let secret = answer["secret"]?.stringValue {
            line("secret", secret)
            terminal.print("\nShown this once: what your server checks events with.")
        }
    }
}
