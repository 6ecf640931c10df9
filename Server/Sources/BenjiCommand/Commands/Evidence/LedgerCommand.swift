import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import ServerRuntime
import Store

/// The answers to an app, and its bills.
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "What was answered to an app and billed.",
        discussion:
            "Each answer is one line of the ledger, written in the commit that spent the token. Nothing can change a "
            + "line.",
        subcommands: [List.self, StatementCommand.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "An app's lines, newest first.",
            discussion: """
                Examples:
                  benji ledger list 300000000001 --since 2026-11-21 --until 2026-11-22
                  benji ledger list 300000000001 --since 2026-11-01 --csv > november.csv
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @OptionGroup var time: TimeRangeOptions
        @Option(help: "Only lines before this one: the last that was shown.") var before: Int64?
        @Option(help: "How many lines at the most; with --csv all if not given.") var limit: Int?
        @Flag(help: "Print comma-separated values, with a first line of names.") var csv = false
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            if csv, json { throw ValidationError("--csv and --json exclude each other") }
            if let limit, limit < 1 { throw ValidationError("--limit: 1 or more") }
        }

        func run() async throws {
            let terminal = Terminal()
            let range = LedgerRange(since: time.since, until: time.until)
            if csv { terminal.print("id,time,app,trace,interface,result,assurance") }
            var left = limit ?? (csv ? .max : 50)
            var before = before
            repeat {
                let page = min(left, json ? 10_000 : 1000)
                let answer = try await options.order(ListLedger(id, range, before: before, limit: page))
                if json { return terminal.print(answer.text) }
                let entries = answer["entries"]?.arrayValue ?? []
                for entry in entries { terminal.print(csv ? csvLine(entry) : line(entry)) }
                if entries.isEmpty, before == nil, !csv { terminal.print("no such answer was given") }
                left -= entries.count
                before = answer["next"]?.integerValue
            } while before != nil && left > 0
            if let before { Terminal.note("there may be more: --before \(before)") }
        }

        private func text(_ entry: JSON, _ name: String) -> String { entry[name]?.stringValue ?? "" }

        private func time(_ entry: JSON) -> String {
            Timestamp(milliseconds: entry["at"]?.integerValue ?? 0).dateText
        }

        private func line(_ entry: JSON) -> String {
            Terminal.row([
                (String(entry["id"]?.integerValue ?? 0), 10), (time(entry), 22), (text(entry, "trace"), 34),
                (text(entry, "interface"), 22), (text(entry, "result"), 10),
            ]) + text(entry, "assurance")
        }

        /// No cell needs quotation marks: all of them are words of ours.
        private func csvLine(_ entry: JSON) -> String {
            [
                String(entry["id"]?.integerValue ?? 0), time(entry), id.rawValue, text(entry, "trace"),
                text(entry, "interface"), text(entry, "result"), text(entry, "assurance"),
            ].joined(separator: ",")
        }
    }

    struct StatementCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "statement", abstract: "What an app is billed for a month, and whether the books agree.",
            discussion: """
                Counted from the ledger's lines, by day in UTC+8 and by interface and result, and held against the \
                count that daily \
                quotas go by. Ends with status 1 if the two differ. An answer costs what the app's contract said for \
                its day (benji app \
                contract); without a contract it is free.

                --csv prints a line for each day, interface and result of which there were answers, under the names \
                app, day, \
                interface, result, answers, currency, rate and amount. The answers and amounts add up to the \
                statement. Without a \
                contract, or without a rate for the result, there is no amount.

                Examples:
                  benji ledger statement 300000000001 --month 2026-11
                  benji ledger statement 300000000001 --month 2026-11 --csv > november.csv
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @Option(help: "The month, as in 2026-11; this month if not given.") var month: String?
        @Flag(help: "Print comma-separated values, with a first line of names.") var csv = false
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            if csv, json { throw ValidationError("--csv and --json exclude each other") }
            _ = try named()
        }

        /// The month that is meant.
        private func named() throws -> (year: Int, month: Int) {
            let text = month ?? String(CalendarDay(SystemWallClock().now).description.prefix(7))
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard text.utf8.count == 7, parts.count == 2, let year = parts[0], let number = parts[1] else {
                throw ValidationError("--month \(text.prefix(32)): write it as in 2026-11")
            }
            return (year, number)
        }

        func run() async throws {
            let (year, month) = try named()
            let answer = try await options.order(Statement(id, year: year, month: month))
            let terminal = Terminal()
            if json {
                terminal.print(answer.text)
            } else if csv {
                terminal.print(Statement.csv(answer))
            } else {
                Self.show(answer, terminal)
            }
            guard answer["reconciled"]?.boolValue == true else {
                let days = (answer["differingDays"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
                throw CommandFailure("ledger and quota count differ on: \(days)")
            }
        }

        private static func members(_ value: JSON?) -> [JSON.Member] {
            guard case .object(let members)? = value else { return [] }
            return members
        }

        private static func show(_ answer: JSON, _ terminal: Terminal) {
            let (app, month) = (answer["app"]?.stringValue ?? "", answer["month"]?.stringValue ?? "")
            terminal.print(
                terminal.styled("app \(app), \(month): \(answer["answers"]?.integerValue ?? 0) answers", .bold))
            for line in answer["lines"]?.arrayValue ?? [] {
                terminal.print(
                    Terminal.row([
                        ("", 2), (line["interface"]?.stringValue ?? "", 24), (line["result"]?.stringValue ?? "", 12),
                    ]) + String(line["answers"]?.integerValue ?? 0))
            }
            showCharges(answer, terminal)
            let days = members(answer["days"])
            let most = days.compactMap(\.value.integerValue).max() ?? 1
            if !days.isEmpty { terminal.print() }
            for day in days {
                let count = day.value.integerValue ?? 0
                let bar = String(repeating: "█", count: Int(max(1, count * 40 / max(most, 1))))
                terminal.print("  \(day.name)  \(Terminal.padded(String(count), to: 9))\(terminal.styled(bar, .cyan))")
            }
            guard answer["reconciled"]?.boolValue == true else { return }
            terminal.print("\nThe ledger's lines and the count of the quota agree on every day.")
        }

        private static func showCharges(_ answer: JSON, _ terminal: Terminal) {
            func text(_ value: JSON, _ name: String) -> String { value[name]?.stringValue ?? "" }
            let charges = answer["charges"]?.arrayValue ?? []
            if let free = answer["free"]?.integerValue, free > 0 || charges.isEmpty {
                terminal.print("  \(free) answers without a contract: free")
            }
            for charge in charges {
                let rate = charge["rate"]?.stringValue
                terminal.print(
                    Terminal.row([
                        ("", 2), (text(charge, "reference"), 24), (text(charge, "result"), 24),
                        (String(charge["answers"]?.integerValue ?? 0), 12),
                        (rate.map { "at \($0)" } ?? "no rate", 14),
                    ]) + (rate == nil ? "" : "\(text(charge, "amount")) \(text(charge, "currency"))"))
            }
            for total in answer["totals"]?.arrayValue ?? [] {
                terminal.print(
                    terminal.styled("  total: \(text(total, "amount")) \(text(total, "currency"))", .bold))
            }
        }
    }
}
