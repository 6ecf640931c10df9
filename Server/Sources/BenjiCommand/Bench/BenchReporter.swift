import BenjiProtocol
import Foundation
import Load
import ServerRuntime

/// The output of a bench while it runs and when it ends. People get a line a second on standard error and a table,
/// programs get one JSON object a line.
struct BenchReporter: Sendable {
    let isJSON: Bool
    private let terminal = Terminal()

    init(isJSON: Bool) { self.isJSON = isJSON }

    func begins(_ plan: LoadPlan, search: Bool, server: Int32?) {
        if isJSON {
            say(["event": "begins", "phones": .integer(plan.phones), "server": server.map { .integer($0) }])
            return
        }
        if let server { note("a server of our own is process \(server)") }
        note("starting sessions for \(plan.phones) phones")
        if !search {
            note("\(LoadReport.tenths(plan.rate)) logins a second for \(LoadReport.tenths(plan.seconds)) seconds")
        }
    }

    func second(_ second: LoadStage.Second) {
        let login = second.tally[.login]
        if isJSON {
            say([
                "event": "second", "at": .number(LoadReport.tenths(second.at)),
                "underWay": .integer(second.underWay), "login": LoadReport.json(of: login),
            ])
            return
        }
        note(
            "\(LoadReport.tenths(second.at)) s  \(login.succeeded) logins, p50 \(milliseconds(login, 0.5)) ms, "
                + "p99 \(milliseconds(login, 0.99)) ms, \(second.underWay) under way"
                + (login.failed > 0 ? ", \(login.failed) failed" : ""))
    }

    func step(_ report: LoadReport, fault: String?) {
        if isJSON {
            say(["event": "step", "holds": .bool(fault == nil), "fault": fault.map { .string($0) }, "run": report.json])
        } else {
            note(
                terminal.styled(
                    "\(LoadReport.tenths(report.plan.rate)) a second: \(fault ?? "holds")", fault == nil ? .green : .red
                ))
        }
    }

    func found(_ best: LoadReport?) {
        if isJSON {
            say(["event": "maximum", "rate": best.map { .number(LoadReport.tenths($0.plan.rate)) }, "run": best?.json])
        } else if let best {
            ends(best)
            terminal.print("\nmaximum: \(LoadReport.tenths(best.plan.rate)) logins a second")
        } else {
            terminal.print("no rate held")
        }
    }

    func ends(_ report: LoadReport) {
        if isJSON {
            say(["event": "summary", "clean": .bool(report.isClean), "run": report.json])
        } else {
            terminal.print()
            for line in report.lines {
                terminal.print(line.hasPrefix("failed: ") ? terminal.styled(line, .red) : line)
            }
        }
    }

    private func milliseconds(_ row: Tally.Row, _ share: Double) -> String {
        LoadReport.milliseconds(row.latency.quantile(share))
    }

    private func say(_ members: KeyValuePairs<String, JSON?>) { terminal.print(JSON.object(members).text) }

    private func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
