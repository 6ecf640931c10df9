import BenjiProtocol
import ServerRuntime

/// Reports to a person, or a script: one line for each request that crossed a socket, with its outcome.
actor DemoStory {
    struct Line: Sendable {
        var from: String
        var to: String
        var request: String
        /// The answer, in the dialect's own code.
        var outcome: String
        var expected: String
        var detail: String
        var elapsed: Duration

        var isAsStated: Bool { outcome == expected }
    }

    private let terminal: Terminal
    private let isJSON: Bool
    private var chapter = ""
    private(set) var surprises = 0
    private(set) var lines = 0
    /// The logins that were told, by their traces.
    private(set) var traces: [TraceID] = []

    init(terminal: Terminal, isJSON: Bool) {
        self.terminal = terminal
        self.isJSON = isJSON
    }

    func begin(_ title: String, _ explanation: String = "") {
        chapter = title
        guard !isJSON else { return }
        terminal.print()
        terminal.print(terminal.styled(title, .bold))
        if !explanation.isEmpty { terminal.print(terminal.styled("  \(explanation)", .dim)) }
    }

    /// Words between the lines: what a page shows, what to notice.
    func remark(_ text: String) {
        guard !isJSON else { return }
        terminal.print(terminal.styled("             \(text)", .dim))
    }

    func note(_ trace: TraceID) { traces.append(trace) }

    func tell(_ line: Line) {
        lines += 1
        if !line.isAsStated { surprises += 1 }
        if isJSON {
            terminal.print(
                JSON.object([
                    "chapter": .string(chapter), "from": .string(line.from), "to": .string(line.to),
                    "request": .string(line.request), "outcome": .string(line.outcome),
                    "expected": .string(line.expected), "asStated": .bool(line.isAsStated),
                    "detail": .string(line.detail),
                    "milliseconds": .number(line.milliseconds),
                ]).text)
            return
        }
        let time = terminal.styled(
            String(repeating: " ", count: max(0, 8 - line.milliseconds.count)) + line.milliseconds + " ms", .dim)
        let way = Terminal.padded("\(line.from) → \(line.to)", to: 27)
        let mark = line.isAsStated ? terminal.styled("✓", .green) : terminal.styled("✗", .red)
        let outcome = terminal.styled(Terminal.padded(line.outcome, to: 24), line.isAsStated ? .cyan : .red)
        terminal.print(
            "\(time)  \(way) \(Terminal.padded(line.request, to: 20)) \(mark) \(outcome) \(line.detail)"
                + (line.isAsStated ? "" : terminal.styled("  (stated: \(line.expected))", .red)))
    }
}

extension DemoStory.Line {
    var milliseconds: String {
        let tenths = elapsed.components.seconds * 10_000 + elapsed.components.attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
