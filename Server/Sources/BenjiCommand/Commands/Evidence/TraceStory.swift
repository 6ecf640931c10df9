import Administration
import Authority
import BenjiProtocol
import Catalogue
import Foundation
import Requests
import ServerRuntime

/// A trace as a person reads it: each step with its time since the first, and after a refusal its cause and what to do.
struct TraceStory {
    private let trace: JSON
    private let report: ReportLanguages

    init(_ trace: JSON, _ report: ReportLanguages) {
        self.trace = trace
        self.report = report
    }

    func lines(_ terminal: Terminal) -> [String] {
        let events = trace["events"]?.arrayValue ?? []
        let first = events.first?["at"]?.integerValue ?? 0
        let app = trace["app"]?.stringValue.map { ", app \($0)" } ?? ""
        var lines = [
            "\(terminal.styled(trace["trace"]?.stringValue ?? "", .bold))\(app), began "
                + Timestamp(milliseconds: first).dateText, "",
        ]
        for event in events {
            // Phones and apps' servers have a hand in details.
            func text(_ name: String) -> String { event[name]?.stringValue?.printable ?? "" }
            let isWell = !Situation(rawValue: text("situation")).isRefusal
            let outcome = isWell ? text("detail") : "\(text("situation")): \(text("detail"))"
            lines.append(
                Terminal.row([
                    (Self.seconds((event["at"]?.integerValue ?? first) - first), 12), (text("party"), 12),
                    (text("step"), 20),
                ]) + terminal.styled(outcome, isWell ? .dim : .red))
        }
        lines.append("")
        let outcome = trace["outcome"]
        if outcome?["then"] != nil { lines.append("The app's server got its answer. A later step was refused:") }
        let refused = (outcome?["then"] ?? outcome)?["situation"]?.stringValue ?? ""
        guard Situation(rawValue: refused).isRefusal, let entry = Catalogue.entry(refused, in: .device) else {
            return lines + ["The last step that is written down went well."]
        }
        for text in report.languages.map({ entry[$0] }) {
            lines += [terminal.styled(text.meaning, .bold), "  \(text.cause)", "  \(text.remedy)"]
        }
        return lines
    }

    /// `     1.204 s`, as wide for an hour as for a second.
    private static func seconds(_ milliseconds: Int64) -> String {
        String(format: "%9.3f s", Double(milliseconds) / 1000)
    }
}
