import Administration
import ArgumentParser
import Authority
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

                Examples:
                  benji consent show 6f0e9c2a41d84b7f8f5f0f6d3b1c2a90
                  benji consent show 6f0e9c2a41d84b7f8f5f0f6d3b1c2a90 --app 300000000001   # a developer names the app
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Argument(help: "A login's trace: 32 hexadecimal digits.") var trace: TraceID
        @Option(help: "The app that they must be for; a developer names one of theirs.") var app: AppID?
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(ShowConsents(trace, app: app), reason: why.reason)
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            for consent in answer["consents"]?.arrayValue ?? [] { Self.show(consent, terminal) }
        }

        private static func show(_ consent: JSON, _ terminal: Terminal) {
            func line(_ name: String, _ text: String?) {
                guard let text else { return }
                // An app's own texts.
                terminal.print("\(terminal.styled(Terminal.padded(name, to: 16), .cyan))\(text.printable)")
            }
            func time(_ value: JSON?) -> String? {
                value?.integerValue.map { Timestamp(milliseconds: $0).dateText }
            }
            let shown = consent["shown"]
            line("app", consent["app"]?.stringValue)
            line("received", time(consent["receivedAt"]))
            line("assurance", consent["assurance"]?.stringValue)
            line("page digest", shown?["pageDigest"]?.stringValue)
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
