import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import ServerRuntime
import Store

/// The contract that an app is billed by (docs/operations/apps.md, Contracts and bills).
struct AppContractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract", abstract: "What an app is billed by: rates and limits, from a day on.",
        discussion: """
            Terms are added and never changed. From their first day on, in UTC+8, they take the place of those before. \
            What a month \
            costs by them: benji ledger statement.
            """.paragraphs,
        subcommands: [SetCommand.self, Show.self, List.self, End.self])

    struct SetCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Add terms to an app's contract.",
            discussion: """
                The terms are complete: what is not named is not agreed. They begin tomorrow if --from is not given, \
                and today only if \
                no terms hold today, because a day is billed as a whole.

                Rates are decimal numbers of the currency's unit, for one answer, by the ledger's word for it: \
                released, \
                released-without-page, matched, differs, recognised, sent and answered.

                Example:
                  benji app contract set 300000000001 --reference 2026-117 --currency CNY --rate released=0.045 \
                    --rate matched=0.02 --rate differs=0.02 --from 2026-12-01 --monthly-limit 1000000
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @Option(help: "The contract's number, or other words by which people find it.") var reference: String
        @Option(help: "Letters of ISO 4217, such as CNY.") var currency: String
        @Option(help: "What one answer costs, such as released=0.045. May be given several times.")
        var rate: [BilledRate] = []
        @Option(help: "The first day, as in 2026-12-01; tomorrow if not given.") var from: CalendarDay?
        @Option(help: "The last day; none if not given.") var until: CalendarDay?
        @Option(help: "Answers a day.") var dailyLimit: Int?
        @Option(help: "Answers a month.") var monthlyLimit: Int?
        @Option(help: "Tokens for one number in a day.") var dailyLimitPerNumber: Int?

        func validate() throws {
            guard Set(rate.map(\.result)).count == rate.count else {
                throw ValidationError("--rate: one for each result")
            }
        }

        func run() async throws {
            let rates = Dictionary(uniqueKeysWithValues: rate.map { ($0.result.rawValue, $0.rate.description) })
            let order = SetContract(
                given.id, reference: reference, from: from, until: until, currency: currency, rates: rates,
                dailyLimit: dailyLimit, monthlyLimit: monthlyLimit, dailyLimitPerNumber: dailyLimitPerNumber)
            AppContractCommand.show(try await given.give(order), json: given.json)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "The terms that hold on a day, and those that come next.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @Option(help: "The day, as in 2026-12-01; today if not given.") var day: CalendarDay?
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            AppContractCommand.show(try await options.order(ShowContract(id, day: day)), json: json)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "All terms that were ever added, in this order.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let terminal = Terminal()
            let answer = try await options.order(ListContract(id))
            if json { return terminal.print(answer.text) }
            let entries = answer["entries"]?.arrayValue ?? []
            if entries.isEmpty { terminal.print("the app never had a contract") }
            for entry in entries { AppContractCommand.show(entry: entry, terminal) }
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end", abstract: "End an app's contract after a day.",
            discussion:
                "Afterwards the app has what apps without a contract have: quotas.free-per-day, or a quota of its own.")
        @OptionGroup var given: AppOrderOptions
        @Option(help: "The last day, as in 2026-12-31; today if not given.") var lastDay: CalendarDay?

        func run() async throws {
            AppContractCommand.show(
                try await given.give(EndContract(given.id, lastDay: lastDay)), json: given.json)
        }
    }

    /// Shows what an order answered of a contract.
    private static func show(_ answer: JSON, json: Bool) {
        let terminal = Terminal()
        if json { return terminal.print(answer.text) }
        func line(_ name: String, _ text: String) {
            terminal.print("\(terminal.styled(Terminal.padded(name, to: 24), .cyan))\(text)")
        }
        line("app", answer["app"]?.stringValue ?? "")
        line("day", answer["day"]?.stringValue ?? "")
        line("answers a day", answer["dailyQuota"]?.integerValue.map(String.init) ?? "no limit")
        line("answers a month", answer["monthlyQuota"]?.integerValue.map(String.init) ?? "no limit")
        if let entry = answer["entry"], entry != .null {
            show(entry: entry, terminal)
        } else {
            line("contract", "none")
        }
        if let next = answer["next"] {
            terminal.print("\nnext")
            show(entry: next, terminal)
        }
    }

    private static func show(entry: JSON, _ terminal: Terminal) {
        func line(_ name: String, _ text: String?) {
            guard let text else { return }
            terminal.print("\(terminal.styled(Terminal.padded(name, to: 24), .cyan))\(text)")
        }
        line("entry", entry["entry"]?.integerValue.map(String.init))
        line("from", entry["from"]?.stringValue)
        guard entry["isEnd"]?.boolValue != true else { return line("contract", "none from that day on") }
        line("until", entry["until"]?.stringValue)
        line("reference", entry["reference"]?.stringValue)
        let currency = entry["currency"]?.stringValue ?? ""
        if case .object(let rates)? = entry["rates"] {
            for rate in rates { line("rate of \(rate.name)", "\(rate.value.stringValue ?? "") \(currency)") }
        }
        line("daily limit", entry["dailyLimit"]?.integerValue.map(String.init))
        line("monthly limit", entry["monthlyLimit"]?.integerValue.map(String.init))
        line("a number's daily limit", entry["dailyLimitPerNumber"]?.integerValue.map(String.init))
    }
}

/// A rate as it is written on a command line: `released=0.045`.
struct BilledRate: Sendable {
    var result: BilledResult
    var rate: Amount

    init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let result = BilledResult(rawValue: parts[0]), let rate = Amount(parts[1]) else {
            return nil
        }
        self.result = result
        self.rate = rate
    }
}
