import ArgumentParser
import BenjiProtocol
import Catalogue
import Sandbox
import ServerRuntime

struct PhoneTapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap", abstract: "Log in with the shop's app on a phone of the sandbox.",
        discussion: """
            The real SDK on that phone, a person who ticks and taps, and the shop's server that redeems the token. \
            With --sms the
            person has a code sent, reads the phone's message and types it: that needs no mobile data. Ends with \
            status 1 if nobody is
            logged in. `benji phone login` is the same against any server, without a sandbox.

            Examples:
              benji phone tap phone-1
              benji phone set-network phone-1 wifi && benji phone tap phone-1 --sms
            """.paragraphs)
    @OptionGroup var options: SandboxOptions
    @Argument(help: "phone-1, or 1.") var phone: String
    @Flag(help: "By a code that is sent by SMS.") var sms = false

    func run() async throws {
        let way = JSON.object(["way": .string((sms ? AppLogin.Way.sms : .oneTap).rawValue)])
        let login = try await options.client.send("POST", try SandboxClient.path(of: phone, "/login"), way)
        let terminal = Terminal()
        if options.json {
            terminal.print(login.text)
        } else if let mask = login["maskedNumber"]?.stringValue {
            terminal.print(
                "\(terminal.styled("logged in", .green)) as \(mask), trace \(login["trace"]?.stringValue ?? "-")")
        } else {
            let situation = login["situation"]?.stringValue ?? "?"
            let code = situation == Situation.success.rawValue ? login["redeemCode"]?.stringValue ?? "?" : situation
            terminal.print("\(terminal.styled("not logged in", .red)): \(code)\nWhat to do: benji explain \(code)")
        }
        guard login["loggedIn"]?.boolValue == true else { throw ExitCode(1) }
    }
}

struct PhoneMessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "The short messages that came to a phone of the sandbox, newest first.",
        discussion: """
            Codes come to a phone whatever its data goes by, and also with mobile data off.

            Example:
              benji phone messages phone-1
            """.paragraphs)
    @OptionGroup var options: SandboxOptions
    @Argument(help: "phone-1, or 1.") var phone: String

    func run() async throws {
        let answer = try await options.client.send("GET", try SandboxClient.path(of: phone, "/messages"))
        let terminal = Terminal()
        for message in answer["messages"]?.arrayValue ?? [] {
            guard !options.json else {
                terminal.print(message.text)
                continue
            }
            let at = Timestamp(milliseconds: message["at"]?.integerValue ?? 0)
            terminal.print("\(terminal.styled(at.dateText, .dim))  \(message["text"]?.stringValue ?? "")")
        }
    }
}

struct PhoneTimelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline", abstract: "What happened in the sandbox: each message, its code, and what it means.",
        discussion: """
            Examples:
              benji phone timeline phone-1
              benji phone timeline --follow --json
            """.paragraphs)
    @OptionGroup var options: SandboxOptions
    @Argument(help: "Only this phone: phone-1, or 1.") var phone: String?
    @Flag(help: "Print what happens from now on too, until Ctrl-C.") var follow = false
    @Option(help: "Only what came after this number.") var after: Int64 = 0
    @Option(help: "en or zh.") var language: ReportLanguages = .english

    func run() async throws {
        let client = try options.client
        let filter = try phone.map {
            "&phone=" + String(try SandboxClient.path(of: $0).dropFirst("/api/phones/".count))
        }
        var last = after
        repeat {
            let answer = try await client.send(
                "GET", "/api/timeline?after=\(last)&wait=\(follow ? 30 : 0)\(filter ?? "")")
            for entry in answer["entries"]?.arrayValue ?? [] { show(entry) }
            last = answer["last"]?.integerValue ?? last
        } while follow
    }

    private func show(_ entry: JSON) {
        let terminal = Terminal()
        guard !options.json else {
            terminal.print(entry.text)
            return
        }
        func text(_ name: String) -> String { entry[name]?.stringValue ?? "" }
        let way = text("from") + (text("to").isEmpty ? "" : " → \(text("to"))")
        let code = text("code")
        let good = code.isEmpty || TimelineEntry.isSuccess(code, in: CodeTable(rawValue: text("table")) ?? .device)
        var line = Terminal.row([(text("phone"), 9), (way, 23), (text("subject"), 27)])
        line += terminal.styled(code, good ? .green : .red)
        if let meaning = entry["explanation"]?[language == .chinese ? "zh" : "en"]?["meaning"]?.stringValue, !good {
            line += "  \(meaning)"
        }
        if code.isEmpty || !good { line += terminal.styled("  \(text("detail"))", .dim) }
        terminal.print(line)
    }
}
