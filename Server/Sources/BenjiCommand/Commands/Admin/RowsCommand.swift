import ArgumentParser
import Authority
import BenjiProtocol
import Requests
import ServerRuntime
import Store

/// Single rows that give rights, and their codes.
struct RowsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows", abstract: "Look at a row that is refused because of its code, and give it one.",
        discussion: """
            Rows that decide who may do what have a code under a sealed secret. A row without a valid code counts as
            absent. A node of an earlier version writes such rows, and so does a party that writes to the database \
            without
            Benji. benji doctor names them.

            If you know who wrote a row and that it is right, benji rows seal gives it a code. Otherwise delete it or
            restore a backup. After lines of the audit log were lost, its mark can be begun again. So can the marks of
            ledger and consents (evidence_mark). All of this works on this machine alone, with the master key.

            A row of console_account, console_pending or console_session gets no code this way. The people concerned \
            sign
            in again, or get a new invitation (benji admin renew --console).

            Examples:
              benji rows show app 300000000001 -c benji.yaml
              benji rows seal app 300000000001 --as 0123456789abcdef --reason "a node of the version before wrote it" \
            -c benji.yaml
              benji rows show audit_mark -c benji.yaml
              benji rows show evidence_mark -c benji.yaml
            """.paragraphs,
        subcommands: [Show.self, Seal.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "What a row says, and whether its code is valid.")
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var place: RowOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let row = try await options.withInstallation { try await place.row(in: $0) }
            let terminal = Terminal()
            if json { return terminal.print(row.json.text) }
            for value in row.values {
                terminal.print(
                    "\(terminal.styled(Terminal.padded(value.name, to: 28), .cyan))\(value.text.printable)")
            }
            guard !row.isValid else { return terminal.print("Its code is valid.") }
            terminal.print(
                """
                Its code is not valid: Benji did not write it. If you know who wrote it and that it is right:
                  benji rows seal\(options.named) \(place.text) --as \(row.digest) --reason "…"
                """)
        }
    }

    struct Seal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Give a row a code, or begin marks again.",
            discussion: """
                Show the row first: --as names the row as it was shown, so that no change in between is sealed. The
                audit log has a line of it, with the reason.
                """.paragraphs)
        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var place: RowOptions
        @Option(
            name: .customLong("as"),
            help: ArgumentHelp("The digest that benji rows show printed.", valueName: "digest"))
        var digest: String
        @Option(help: "Why, for the audit log; no phone numbers and no names of people.") var reason: String
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            if let problem = OrderNote.problem(inReason: reason) { throw ValidationError("--\(problem)") }
        }

        func run() async throws {
            let row = try await options.withInstallation { try await seal(in: $0) }
            let terminal = Terminal()
            if json { return terminal.print(row.json.text) }
            terminal.print(
                row.isValid
                    ? "The code of \(place.text) is valid now."
                    : "The marks are begun again. A problem is left that this does not mend: benji rows "
                        + "show\(options.named) \(place.text)")
        }

        func seal(in installation: Installation) async throws -> RowToSeal {
            let row = try await place.row(in: installation)
            guard !row.isValid else {
                throw CommandFailure("the code of \(place.text) is valid; nothing was changed")
            }
            let changed = CommandFailure(
                "\(place.text) is not as it was shown; nothing was changed. Look at it again: benji rows "
                    + "show\(options.named) \(place.text)")
            guard row.digest == digest.lowercased() else { throw changed }
            let line = OrderNote.machineUser("rows.seal", because: reason).entry(
                at: installation.authority.clock.now, app: row.table == .admin ? nil : AppID(rawValue: row.id),
                subject: place.text,
                // The audit log keeps the problem that this order forgives.
                from: row.table == .evidenceMark
                    ? .object(row.values.map { JSON.Member($0.name, .string($0.text)) }) : nil,
                to: .object(["digest": .string(row.digest)]))
            guard try await installation.store.seal(row, audit: line) else { throw changed }
            return try await place.row(in: installation)
        }
    }
}

/// Which row.
struct RowOptions: ParsableArguments {
    @Argument(help: "admin, app, openid_client, audit_mark or evidence_mark.") var table: RowToSeal.Table
    @Argument(help: "The name of the admin, or the id of the app; none for marks.") var id: String?

    func validate() throws {
        guard (id == nil) == table.hasNoID else {
            throw ValidationError(
                table.hasNoID
                    ? "\(table.rawValue) has no id" : "\(table.rawValue): name the admin, or the app by its id"
            )
        }
    }

    /// As it is typed.
    var text: String { ([table.rawValue] + [id].compactMap { $0 }).joined(separator: " ").printable }

    func row(in installation: Installation) async throws -> RowToSeal {
        guard let row = try await installation.store.rowToSeal(table, id: id ?? "") else {
            throw CommandFailure("there is no row \(text)")
        }
        return row
    }
}

extension RowToSeal {
    fileprivate var json: JSON {
        .object([
            "table": .string(table.rawValue), "id": id.isEmpty ? nil : .string(id), "isValid": .bool(isValid),
            "digest": .string(digest),
            "values": .array(values.map { .object(["name": .string($0.name), "value": .string($0.text)]) }),
        ])
    }
}
