import ArgumentParser
@_spi(Server) import BenjiProtocol
import Foundation
import Logging
import ServerRuntime
import ServiceLifecycle
import ShortMessageSending
import ShortMessages

struct SMSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms",
        abstract: "Short messages, by the senders of this installation.",
        discussion: """
            Examples:
              benji sms send -c benji.yaml --number 13800138000
              benji sms send -c benji.yaml --number 13800138000 --sender second
            """,
        subcommands: [SMSSendCommand.self])
}

/// Hands one message over as `benji serve` would, with connections of its own.
struct SMSSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send one message, to see whether it arrives.",
        discussion: """
            It goes out by the first sender of `sms.names` that takes it, or by the one that is named, and costs what \
            that one charges. Whether it arrived says the phone: receipts go to the server that runs.
            An SMSC that allows one session takes no message from here while a server has it.
            Ends with status 1 if nobody took the message, or if that is not known.
            """.paragraphs)
    @OptionGroup var options: ConfigurationOptions
    @Option(help: "The number that it goes to, such as 13900000009 or +85291234567.") var number: PhoneNumber
    @Option(help: "What it says.") var text = "Benji: this is a test message."
    @Option(help: "The one sender to use, by its name in sms.names.") var sender: String?
    @Flag(help: "Print JSON.") var json = false

    /// How long sessions may take to come about.
    private static let connectTime: Duration = .seconds(5)
    private static let answerTime: Duration = .seconds(15)

    func validate() throws {
        guard number.mayBeMobile else {
            throw ValidationError("--number: must be in a range of mainland China that is assigned to mobile phones")
        }
    }

    func run() async throws {
        let configuration = try await options.load()
        let all = configuration.shortMessageSenders
        let chosen = all.filter { sender == nil || $0.name == sender }
        if let sender, chosen.isEmpty {
            let names = all.map(\.name).joined(separator: ", ")
            throw ValidationError("--sender \(sender): sms.names has \(names.isEmpty ? "no sender" : names)")
        }
        var logger = Logger(label: "sms")
        logger.logLevel = .critical
        let clock = SystemWallClock()
        guard
            let parts = ShortMessageParts(chosen, listener: UnheardShortMessages(), clock: clock, logger: logger)
        else {
            Terminal.note(
                "Error: this installation sends no short messages: set sms.names, see docs/operations/short-messages.md"
            )
            throw ExitCode(1)
        }
        let message = ShortMessage(to: number, text: text, expiresAt: clock.now + .seconds(300))
        let (outcome, troubles) = await withTaskGroup(of: Void.self) { tasks in
            for service in parts.services { tasks.addTask { try? await service.run() } }
            let begin = ContinuousClock.now
            while await !parts.senders.troubles().isEmpty, ContinuousClock.now - begin < Self.connectTime {
                try? await Task.sleep(for: .milliseconds(50))
            }
            let troubles = await parts.senders.troubles()
            let outcome = await parts.senders.send(message, before: ContinuousClock.now + Self.answerTime)
            tasks.cancelAll()
            return (outcome, troubles)
        }
        let terminal = Terminal()
        let words: (outcome: String, by: String?, text: String) =
            switch outcome {
            case .accepted(let by, let reference):
                ("accepted", by, "\(by) took the message; it knows it as \(reference)")
            case .unknown(let by):
                (
                    "unknown", by,
                    "\(by) was given the message and did not say whether it took it: look at the phone before you send "
                        + "another one"
                )
            case .notTaken(let reason):
                ("notTaken", nil, "nobody took the message: \(Self.words(reason))")
            }
        if json {
            terminal.print(
                JSON.object([
                    "outcome": .string(words.outcome), "by": words.by.map { .string($0) } ?? .null,
                    "troubles": .array(troubles.map { .string($0) }),
                ]).text)
        } else {
            for trouble in troubles { Terminal.note(trouble) }
            terminal.print(words.text)
        }
        guard case .accepted = outcome else { throw ExitCode(1) }
    }

    private static func words(_ reason: NotTakenReason) -> String {
        switch reason {
        case .destination: "the sender sends nothing to this number"
        case .throttled: "the sender takes no more messages for now"
        case .unavailable: "no sender could be reached"
        case .refused: "the sender refuses this message; its text or the setting `from` may be why"
        }
    }
}
