import ArgumentParser
import Authority
@_spi(Server) import BenjiProtocol
import ServerRuntime
import Store

/// How long everything is kept, and where that is set.
struct RetentionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention", abstract: "How long each kind of record is kept, and why.",
        discussion: """
            What has had its time is deleted by the server, a little each minute. Settings are in days; the \
            configuration's \
            `retention.*`.
            """.paragraphs)
    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print JSON.") var json = false

    /// Times that follow from other promises and are no settings.
    private static let fixed: [(name: String, time: String)] = [
        ("scrips", "10 minutes after they expired"),
        ("tokens, codes, access and refresh tokens", "a day after they expired"),
        ("names of app servers' requests", "as long as the token that the request spent; a day where there is none"),
        ("wrong guesses", "a day"), ("face accounts that no app knows", "7 days"),
        ("sessions on the network", "until they end, or nothing was heard of them for four leases"),
        ("erasures, without the person", "30 days"), ("the register", "until the number is erased"),
        ("the audit log", "for good: the database refuses every change"),
    ]

    func run() async throws {
        let (retention, begin) = try await options.withInstallation {
            ($0.configuration.retention, try await $0.store.ledgerBegin())
        }
        let terminal = Terminal()
        let ledgerBegin = begin > 0 ? CalendarDay(number: begin).description : nil
        if json {
            let days = Retention.kinds.map { JSON.Member($0.name, .integer(retention[keyPath: $0.days])) }
            return terminal.print(
                JSON.object([
                    .init("days", .object(days)), .init("ledgerBegin", ledgerBegin.map { .string($0) } ?? .null),
                ]).text)
        }
        for kind in Retention.kinds {
            terminal.print(
                "\(terminal.styled(Terminal.padded("retention.\(kind.name)", to: 24), .cyan))"
                    + "\(retention[keyPath: kind.days]) days: \(kind.reason)")
        }
        for (name, time) in Self.fixed {
            terminal.print("\(terminal.styled(Terminal.padded(name, to: 42), .cyan))\(time)")
        }
        if let ledgerBegin { terminal.print("the ledger is kept from \(ledgerBegin) on") }
    }
}
