package import BenjiProtocol

/// The result of a run, or of one step of a search.
package struct LoadReport: Sendable {
    package var plan: LoadPlan
    /// Seconds from the first login to the end of the last.
    package var seconds: Double
    package var tally: Tally

    package init(plan: LoadPlan, seconds: Double, tally: Tally) {
        self.plan = plan
        self.seconds = seconds
        self.tally = tally
    }

    /// Whether every login ended with its own phone's number.
    package var isClean: Bool { tally[.login].total > 0 && tally[.login].failed == 0 }

    /// The figures for a search for the maximum.
    package var step: MaximumSearch.Step {
        let login = tally[.login]
        return MaximumSearch.Step(
            rate: plan.rate, succeeded: Double(login.succeeded) / max(seconds, 0.001),
            failureShare: login.total == 0 ? 1 : Double(login.failed) / Double(login.total),
            p99: .microseconds(login.latency.quantile(0.99)))
    }

    /// The table for people: times in milliseconds.
    package var lines: [String] {
        func cell(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        func name(_ text: String) -> String { text + String(repeating: " ", count: max(0, 12 - text.count)) }
        var lines = [
            name("step") + cell("done", 9) + cell("a second", 11) + cell("p50 ms", 10) + cell("p90 ms", 10)
                + cell("p99 ms", 10) + cell("max ms", 10) + cell("failed", 9)
        ]
        for step in Step.allCases where tally[step].total > 0 {
            let row = tally[step]
            let times = [0.5, 0.9, 0.99].map { Self.milliseconds(row.latency.quantile($0)) }
            // Sessions are started before the clock of the run, so their rate would mean nothing.
            let rate = step == .start ? "–" : Self.tenths(Double(row.succeeded) / max(seconds, 0.001))
            lines.append(
                name(step.rawValue) + cell("\(row.succeeded)", 9) + cell(rate, 11)
                    + (times + [Self.milliseconds(row.latency.greatest)]).map { cell($0, 10) }.joined()
                    + cell("\(row.failed)", 9))
        }
        for step in Step.allCases {
            for (code, count) in tally[step].failures.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
                lines.append("failed: \(step.rawValue) \(code) \(count) times")
            }
        }
        return lines
    }

    /// The same for programs: times in microseconds.
    package var json: JSON {
        .object([
            "rate": .number(Self.tenths(plan.rate)), "seconds": .number(Self.tenths(seconds)),
            "phones": .integer(plan.phones), "connections": .integer(plan.connections),
            "steps": .object(
                Step.allCases.filter { tally[$0].total > 0 }.map { step in
                    JSON.Member(step.rawValue, Self.json(of: tally[step]))
                }),
        ])
    }

    /// One step's row as JSON, also for the line of each second.
    package static func json(of row: Tally.Row) -> JSON {
        .object([
            "succeeded": .integer(row.succeeded), "failed": .integer(row.failed),
            "p50": .integer(row.latency.quantile(0.5)), "p90": .integer(row.latency.quantile(0.9)),
            "p99": .integer(row.latency.quantile(0.99)), "max": .integer(row.latency.greatest),
            "failures": .object(
                row.failures.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .integer($0.value)) }),
        ])
    }

    /// Microseconds as milliseconds with one decimal place.
    package static func milliseconds(_ microseconds: Int64) -> String { tenths(Double(microseconds) / 1000) }

    /// With one decimal place.
    package static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
