import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import Requests
import ServerRuntime

/// People's consents, and the pages that they were shown.
struct ConsentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent", abstract: "What a person was shown and said yes to.",
        subcommands: [Show.self, Withdraw.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "The consents of one login; the look is noted in the audit log.",
            discussion: """
                The record is what the phone's key signed, or of a page in a browser the authority's own word. With \
                --json it is \
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

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw", abstract: "A person takes back what they agreed to in an app.",
            discussion: """
                Tokens and codes that the app has not redeemed, its access tokens, consents that are remembered in \
                browsers, the \
                device keys that it knows and its use of their face end at once. The app's callback is told, with the \
                openId by \
                which the app knows them (consent.withdrawn). The evidence of what they agreed to before stays. What \
                the app keeps \
                itself is the app's to delete.

                Benji keeps no list of withdrawals. On a page they agree anew; but an app with --number-without-page \
                or CAMARA \
                purposes may be answered without a page: take that from the app (benji app set, benji app openid set).

                To forget a person altogether: benji subscriber erase

                Example:
                  benji consent withdraw -c benji.yaml --app 300000000001 --number 13800000001 --reason "ticket 4711"
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Option(help: "The app's id: 12 to 64 letters and digits.") var app: AppID
        @Option(help: "The number, such as 13900000009 or +85291234567.") var number: PhoneNumber
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(WithdrawConsent(number, to: app), reason: why.reason)
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            let ended = answer["ended"].flatMap { $0 == .object([]) ? nil : SubscriberParts.text($0) }
            terminal.print("withdrawn: \(ended.map { "ended \($0)" } ?? "the app had nothing left to use")")
            terminal.print(
                "\(Terminal.counted(answer["consents"]?.integerValue ?? 0, "earlier consent")) kept as evidence")
            let openID = answer["openId"]?.stringValue ?? ""
            terminal.print(
                answer["event"]?.stringValue.map { "the app's callback is told of openId \(openID): \($0)" }
                    ?? """
                    the app's callback is not told of such events (benji app callback show \(app.rawValue)). Tell its \
                    developers \
                    that openId \(openID) took back their consent
                    """)
        }
    }
}
