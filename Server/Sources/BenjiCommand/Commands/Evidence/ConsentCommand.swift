import Administration
import ArgumentParser
import BenjiProtocol

/// What people were shown and said yes to.
struct ConsentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "What a person was shown and said yes to.", subcommands: [Show.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "The consents of one login; the look is noted in the audit log.",
            discussion: """
                The record is what the phone's key signed, or of a page in a browser the authority's own word. With --json it is \
                printed whole.
                """.paragraphs)
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "A login's trace: 32 hexadecimal digits.") var trace: TraceID
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(ShowConsents(trace), reason: why.reason)
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            for consent in answer["consents"]?.arrayValue ?? [] { Self.show(consent, terminal) }
        }

        private static func show(_ consent: JSON, _ terminal: Terminal) {
            func line(_ name: String, _ text: String?) {
                guard let text else { return }
                // An app's own texts: nothing of them may steer the terminal.
                let plain = String(
                    text.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } })
                terminal.print("\(terminal.styled(Terminal.padded(name, to: 16), .cyan))\(plain)")
            }
            func time(_ value: JSON?) -> String? {
                value?.integerValue.map { Timestamp(milliseconds: $0).dateText }
            }
            let shown = consent["shown"]
            line("app", consent["app"]?.stringValue)
            line("received", time(consent["receivedAt"]))
            line("assurance", consent["assurance"]?.stringValue)
            line("content digest", consent["contentDigest"]?.stringValue)
            for moment in ["shownAt", "tickedAt", "tappedAt"] { line(moment, time(shown?[moment])) }
            let content = shown?["content"]
            line("drawn by", content?["drawnBy"]?.stringValue)
            line("language", content?["language"]?.stringValue)
            line("tick at first", content?["initiallyTicked"]?.boolValue.map { $0 ? "set" : "not set" })
            for text in content?["texts"]?.arrayValue ?? [] {
                line(text["role"]?.stringValue ?? "text", text["text"]?.stringValue)
            }
            for link in content?["links"]?.arrayValue ?? [] {
                line("link", "\(link["title"]?.stringValue ?? "")  \(link["url"]?.stringValue ?? "")")
            }
            terminal.print()
        }
    }
}
