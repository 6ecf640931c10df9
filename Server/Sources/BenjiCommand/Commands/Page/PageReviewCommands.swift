import Administration
import ArgumentParser
import Authority
import BenjiPage
import BenjiPageReports
import BenjiProtocol
import Requests
import ServerRuntime
import Store

/// Having pages reviewed, and deciding about them.
enum PageReviewCommands {
    struct Submit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "submit", abstract: "Hand a page in for review.",
            discussion: """
                What the rules find is kept with it, under this installation's policy. A page that the app draws \
                itself has no \
                description: hand in the `content` of one of its consents, as `benji consent show TRACE --json` prints \
                it, once for \
                each language and carrier.

                Examples:
                  benji page submit 300000000001 login.json
                  benji page submit 300000000001 login.json --note "screenshots: https://files.example/shop-12"
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @Argument(help: "The description; - is standard input.") var file: String
        @Option(help: "What the reviewer should know, such as where screenshots are: 1 to 500 bytes.") var note: String?
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let text: String
            do throws(PageFileFailure) { text = try PageFile.text(file) } catch {
                error.tell()
                throw ExitCode(PageFileFailure.status)
            }
            let answer = try await options.order(SubmitPage(id, text, note: note))
            PageReviewCommands.show(answer, json: json)
            guard !json else { return }
            let number = PageReviewCommands.number(answer)
            Terminal().print(
                "\nAn operator decides: benji page approve \(number), or benji page refuse \(number) --reason …")
        }
    }

    struct Reviews: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reviews", abstract: "Submitted pages, newest first; those that wait for a decision.",
            discussion: """
                Examples:
                  benji page reviews
                  benji page reviews --app 300000000001 --all
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Option(help: "Only pages of this app; a developer names one of theirs.") var app: AppID?
        @Option(help: "Submissions in this state: submitted, approved, refused or withdrawn; submitted if not given.")
        var state: PageSubmission.State?
        @Flag(help: "Submissions in every state.") var all = false
        @Option(help: "Only submissions before this one: the last that was shown.") var before: Int64?
        @Option(help: "How many at the most, 1 to 200.") var limit = 50
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            if all, state != nil { throw ValidationError("give --state or --all, not both") }
        }

        func run() async throws {
            let wanted = all ? nil : state ?? .submitted
            let answer = try await options.order(ListPages(app, state: wanted, before: before, limit: limit))
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            let found = answer["submissions"]?.arrayValue ?? []
            if found.isEmpty {
                terminal.print(wanted == .submitted ? "no page waits for a decision" : "no such page was submitted")
            }
            for submission in found {
                func text(_ name: String) -> String { submission[name]?.stringValue ?? "" }
                let row = Terminal.row([
                    (PageReviewCommands.number(submission), 8),
                    (PageReviewCommands.time(submission["submittedAt"]), 22),
                    (text("state"), 12), (text("app"), 14),
                ])
                terminal.print("\(row)\(text("digest"))  \(PageReviewCommands.counts(submission))")
                if let reason = submission["reason"]?.stringValue {
                    terminal.print("\(Terminal.padded("", to: 8))reason: \(reason.printable)")
                }
            }
            if let next = answer["next"]?.integerValue { Terminal.note("there may be more: --before \(next)") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "One submission: what the rules found, its description, a picture.",
            discussion: """
                With --out or --scene the page is drawn, as `benji page render` draws a file.

                Examples:
                  benji page show 7
                  benji page show 7 --app 300000000001       # a developer names the app
                  benji page show 7 --out login.png --language en --carrier unicom
                  benji page show 7 --description | benji page diff approved.json -
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Argument(help: "The submission's number.") var submission: Int64
        @Option(help: "The app that it must be of; a developer names one of theirs.") var app: AppID?
        @OptionGroup(title: "How it is drawn") var drawing: PageDrawingOptions
        @Flag(help: "Print the description alone.") var description = false
        @Flag(help: "Print JSON.") var json = false

        private var draws: Bool { drawing.out != nil || drawing.scene }

        func validate() throws {
            guard [draws, description, json].count(where: { $0 }) <= 1 else {
                throw ValidationError("give one of --out or --scene, --description and --json")
            }
        }

        func run() async throws {
            let answer = try await options.order(ShowPage(submission, app: app))
            guard draws || description else { return PageReviewCommands.show(answer, json: json) }
            let text = answer["page"]?.text ?? ""
            guard draws else { return Terminal().print(try PageJSON(parsing: Array(text.utf8)).indented) }
            guard answer["page"]?["drawnBy"] == nil else {
                throw CommandFailure("the app draws this page itself: what it says is known, not how it looks")
            }
            try drawing.draw(try PageDescription(parsing: Array(text.utf8)))
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "approve", abstract: "Let people log in on a submitted page.",
            discussion: """
                From the next request on consents count that carry its digest. From then on the app needs approved \
                pages, whether it did \
                before or not. A page that breaks a rule whose severity is error needs a --reason.
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Argument(help: "The submission's number.") var submission: Int64
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            PageReviewCommands.show(
                try await options.order(ApprovePage(submission), reason: why.reason), json: json)
        }
    }

    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refuse", abstract: "Refuse a submitted page, and say why.",
            discussion: "The developer reads the reason. A page that was refused can be submitted again.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The submission's number.") var submission: Int64
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard why.reason != nil else { throw ValidationError("--reason: say what has to change") }
        }

        func run() async throws {
            PageReviewCommands.show(try await options.order(RefusePage(submission), reason: why.reason), json: json)
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract:
                "Take back a page that waits for a decision, or an approval: no yes on that page counts any more.",
            discussion: """
                A developer takes back pages of their app that wait; the operator also those that are approved. \
                It holds from the next request on. The app goes on needing approved pages, so without another one \
                nobody logs in to it. \
                `benji app suspend` stops the whole app instead.
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Argument(help: "The submission's number.") var submission: Int64
        @Option(help: "The app that it must be of; a developer names it.") var app: AppID?
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            PageReviewCommands.show(
                try await options.order(WithdrawPage(submission, app: app), reason: why.reason), json: json)
        }
    }

    fileprivate static func number(_ submission: JSON) -> String { String(submission["id"]?.integerValue ?? 0) }

    fileprivate static func time(_ value: JSON?) -> String {
        Timestamp(milliseconds: value?.integerValue ?? 0).dateText
    }

    /// The number of the rules' findings.
    fileprivate static func counts(_ submission: JSON) -> String {
        let counts = [("errors", "error"), ("warnings", "warning")].compactMap { member, word -> String? in
            guard let count = submission[member]?.integerValue, count > 0 else { return nil }
            return Terminal.counted(count, word)
        }
        return counts.isEmpty ? "keeps every rule" : counts.joined(separator: ", ")
    }

    /// Shows what an order answered of a submission.
    fileprivate static func show(_ submission: JSON, json: Bool) {
        let terminal = Terminal()
        if json { return terminal.print(submission.text) }
        func line(_ name: String, _ text: String?) {
            // A page's words are an app's own.
            guard let text = text?.printable else { return }
            terminal.print("\(terminal.styled(Terminal.padded(name.printable, to: 16), .cyan))\(text)")
        }
        line("submission", number(submission))
        for name in ["app", "digest", "state", "note"] { line(name, submission[name]?.stringValue) }
        line("submitted", "\(time(submission["submittedAt"])) by \(submission["submittedBy"]?.stringValue ?? "")")
        if let by = submission["decidedBy"]?.stringValue {
            line("decided", "\(time(submission["decidedAt"])) by \(by)")
        }
        line("reason", submission["reason"]?.stringValue)
        let report = submission["report"]
        let ways = report?["viewings"]?.integerValue ?? 0
        let policy = report?["policyVersion"]?.stringValue ?? ""
        line("rules", "\(counts(submission)) (looked at in \(ways) way\(ways == 1 ? "" : "s"), policy \(policy))")
        for finding in report?["findings"]?.arrayValue ?? [] {
            func text(_ name: String) -> String { finding[name]?.stringValue?.printable ?? "" }
            let words = [text("rule"), text("role"), text("where")].filter { !$0.isEmpty }.joined(separator: "  ")
            let severity = text("severity")
            terminal.print(
                "\n\(terminal.styled(Terminal.padded(severity, to: 9), severity == "error" ? .red : .yellow))\(words)")
            for (name, member) in [("why", "explanation"), ("fix", "fix")] {
                guard let text = finding[member]?["en"]?.stringValue?.printable else { continue }
                terminal.print("  \(terminal.styled(Terminal.padded(name, to: 7), .cyan))\(text)")
            }
        }
        // The words of a page that the app draws.
        for text in submission["page"]?["texts"]?.arrayValue ?? [] {
            line(text["role"]?.stringValue ?? "text", text["text"]?.stringValue ?? "")
        }
    }
}

extension PageSubmission.State: ExpressibleByArgument {}
