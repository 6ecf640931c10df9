import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import Requests
import ServerRuntime

/// The public log of releases and consents.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "The public log: every released number and every consent, as a salted hash.",
        discussion: """
            Outsiders follow it over HTTP under /log/v1, and see hashes alone; docs/log.md says how, and \
            Examples/LogVerifier has a program for it.
            """.paragraphs,
        subcommands: [Show.self, Verify.self, Prove.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "How far the log is, and its newest signed head.",
            discussion: """
                Example:
                  benji log show
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(ShowLog())
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            func line(_ name: String, _ text: String?) {
                if let text { terminal.print("\(terminal.styled(Terminal.padded(name, to: 8), .cyan))\(text)") }
            }
            line("log", answer["log"]?.stringValue)
            line("leaves", answer["size"]?.integerValue.map { String($0) })
            line("root", answer["root"]?.stringValue)
            line("signed", answer["time"]?.integerValue.map { Timestamp(milliseconds: $0).dateText })
            line("head", answer["head"]?.stringValue ?? "none yet: benji serve signs the first")
            if answer["isWaiting"]?.boolValue == true { Terminal.note("there is more to come into it") }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Make the whole log anew from the ledger and the consents, and compare.",
            discussion: """
                Reads every leaf: it is made anew from its row where that is kept, and the number's commitment where \
                the register \
                still has the holder. Nodes, roots and signatures of all kept heads are made and checked, too. Ends \
                with status 1 if \
                anything is wrong, and says what and where. What was deleted in time is not missed.

                Example:
                  benji log verify
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(VerifyLog())
            let terminal = Terminal()
            let count = answer["problemCount"]?.integerValue ?? 0
            if json {
                terminal.print(answer.text)
            } else {
                func number(_ name: String) -> Int64 { answer[name]?.integerValue ?? 0 }
                terminal.print(
                    "\(number("leaves")) leaves, \(number("remade")) made anew from their rows, "
                        + "\(number("owned")) of them with their number; "
                        + "\(Terminal.counted(number("heads"), "signed head"))"
                )
                for problem in answer["problems"]?.arrayValue ?? [] {
                    terminal.print(terminal.styled(problem.stringValue ?? "", .red))
                }
                if count == 0 { terminal.print(terminal.styled("The log is whole.", .green)) }
            }
            if count > 0 { throw ExitCode.failure }
        }
    }

    struct Prove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prove", abstract: "Who got a number, when, on which page, each with its proof.",
            discussion: """
                Only what its present holder left. The look is noted in the audit log. With --json each leaf has its \
                evidence, which \
                Examples/LogVerifier checks; whoever has a leaf's evidence can try numbers against it, so give it to \
                the \
                holder alone.

                Example:
                  benji log prove -c benji.yaml --number 13800000001 --reason "ticket 4711"
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Option(help: "The number, such as 13900000009 or +85291234567.") var number: PhoneNumber
        @Option(help: "Only leaves before this one: the last that was shown.") var before: Int64?
        @Option(help: "How many leaves at the most, 1 to 500.") var limit = 100
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(
                ProveLog(number, before: before, limit: limit), reason: why.reason)
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            let leaves = answer["leaves"]?.arrayValue ?? []
            if leaves.isEmpty { terminal.print("the log has nothing of its present holder") }
            for leaf in leaves {
                let time = Timestamp(milliseconds: leaf["at"]?.integerValue ?? 0).dateText
                let app = leaf["name"]?.stringValue ?? leaf["app"]?.stringValue ?? ""
                let index = leaf["evidence"]?["index"]?.integerValue ?? 0
                let page = leaf["contentDigest"]?.stringValue
                let words =
                    leaf["kind"]?.stringValue == "consent"
                    ? "agreed" : "number told by \(leaf["detail"]?.stringValue ?? "")"
                terminal.print(
                    "\(terminal.styled(Terminal.padded(String(index), to: 8), .dim))\(time)  "
                        + "\(terminal.styled(app.printable, .bold))  \(words)"
                        + (page.map { ", page \($0)" } ?? ", no page recorded"))
            }
        }
    }
}
