import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import ServerRuntime

/// How an app's logins went.
struct AppLoginsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logins",
        abstract: "How logins went, of one app or of all: how far they came, on which carrier, and why not.",
        discussion: """
            asked: a phone or a browser asked who it is. recognised: its number is known, and a page can be shown. \
            agreed: the person \
            tapped. redeemed: the app's server got its answer. Refused are steps: one login can be refused more than \
            once, so refusals may be more than what was asked. Counts \
            come within five seconds. They are for charts: bills are made from the ledger (benji ledger statement).

            Without an app all apps are told together, 31 days at most, and then each of them, the most logins first.

            Examples:
              benji app logins                           # of all apps
              benji app logins 300000000001              # the last seven days, of UTC+8
              benji app logins 300000000001 --by hour --last 24
              benji trace --app 300000000001 --code 103404   # the logins behind a code
            """.paragraphs)
    @OptionGroup var options: OrderOptions
    @Argument(help: "The app's id: 12 to 64 letters and digits. All apps if not given.") var id: AppID?
    @Option(name: .customLong("by"), help: "hour or day.") var unit = CountLogins.Unit.day
    @Option(help: "How many days or hours, the present one included; 1 to 400, of all apps 31 days.") var last = 7
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let answer =
            if let id {
                try await options.order(CountLogins(id, by: unit, last: last))
            } else {
                try await options.order(CountAllLogins(by: unit, last: last))
            }
        let terminal = Terminal()
        if json { return terminal.print(answer.text) }
        let steps = answer["steps"]?.arrayValue ?? []
        guard !steps.isEmpty else {
            let units = Terminal.counted(last, unit.rawValue)
            return terminal.print("no logins in the last \(units)")
        }
        let stages = answer["stages"]?.arrayValue ?? []
        print(
            stages.map { ($0["stage"]?.stringValue ?? "", $0["count"]?.integerValue ?? 0) }, under: "how far", terminal)
        print(
            sums(steps, of: "agreed") { Timestamp(milliseconds: $0["at"]?.integerValue ?? 0).dateText },
            under: "agreed, by \(unit.rawValue)", terminal)
        for stage in stages.compactMap({ $0["stage"]?.stringValue }) {
            print(
                sums(steps, of: stage) { $0["carrier"]?.stringValue ?? "unknown" }, under: "\(stage), by carrier",
                terminal)
        }
        let codes = sums(steps.filter(CountLogins.isRefusal), of: nil) { step in
            "\(step["situation"]?.stringValue ?? "")  \(step["step"]?.stringValue ?? "")"
        }
        print(codes.sorted { $0.count > $1.count }, under: "refused, by code and step", terminal)
        let apps = (answer["apps"]?.arrayValue ?? []).map { app in
            ("\(app["app"]?.stringValue ?? "")  \(app["name"]?.stringValue ?? "")", app)
        }
        for stage in ["asked", "redeemed"] {
            print(apps.map { ($0.0, Self.count(stage, of: $0.1)) }, under: "\(stage), by app", terminal)
        }
    }

    private static func count(_ stage: String, of app: JSON) -> Int64 {
        app["stages"]?.arrayValue?.first { $0["stage"]?.stringValue == stage }?["count"]?.integerValue ?? 0
    }

    /// - Parameter stage: only steps that stand for it; all if `nil`.
    private func sums(
        _ steps: [JSON], of stage: String?, by name: (JSON) -> String
    ) -> [(name: String, count: Int64)] {
        var sums: [(name: String, count: Int64)] = []
        for step in steps {
            guard stage == nil || step["stages"]?.arrayValue?.contains(where: { $0.stringValue == stage }) == true
            else { continue }
            let (name, count) = (name(step), step["count"]?.integerValue ?? 0)
            if let place = sums.firstIndex(where: { $0.name == name }) {
                sums[place].count += count
            } else {
                sums.append((name, count))
            }
        }
        return sums
    }

    private func print(_ rows: [(name: String, count: Int64)], under title: String, _ terminal: Terminal) {
        guard !rows.isEmpty else { return }
        terminal.print(terminal.styled(title, .bold))
        let width = rows.map { Terminal.width($0.name) }.max() ?? 0
        let most = max(rows.map(\.count).max() ?? 1, 1)
        for row in rows {
            let bar = String(repeating: "█", count: Int((row.count * 40 + most - 1) / most))
            let count = String(row.count)
            let padding = String(repeating: " ", count: max(0, 8 - count.count))
            terminal.print(
                "  \(Terminal.padded(row.name, to: width))  \(padding)\(count)  \(terminal.styled(bar, .cyan))")
        }
    }
}

extension CountLogins.Unit: ExpressibleByArgument {}
