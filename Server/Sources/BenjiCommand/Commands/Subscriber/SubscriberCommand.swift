import Administration
import ArgumentParser
@_spi(Server) import BenjiProtocol
import Foundation
import ServerRuntime
import Store
import StoreSQLite

/// Shows, exports or erases the records about one person, by their number.
struct SubscriberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscriber", abstract: "Show, export or erase what is kept about whoever has a number.",
        discussion: "Works on the data directory itself, whether or not `benji serve` is running.",
        subcommands: [Show.self, Export.self, Erase.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "What the register says of a number, and how much is kept about its holder.",
            discussion: "The audit log notes that somebody looked.")
        @OptionGroup var options: OrderOptions
        @Option(help: "The number, such as 13900000009 or +85291234567.") var number: PhoneNumber
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(ShowSubscriber(number), reason: why.reason)
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            let register = answer["register"]
            func time(_ name: String) -> String {
                Timestamp(milliseconds: register?[name]?.integerValue ?? 0).dateText
            }
            let lines = [
                ("number", number.masked), ("row", "\(answer["subscription"]?.integerValue ?? 0) of the register"),
                ("carrier", register?["carrier"]?.stringValue ?? ""), ("holder since", time("holderSince")),
                ("SIM since", time("simChangedAt")), ("last heard", time("lastSeenAt")),
                ("kept", SubscriberParts.text(answer["kept"])),
            ]
            for (name, text) in lines {
                terminal.print("\(terminal.styled(Terminal.padded(name, to: 15), .cyan))\(text)")
            }
            for consent in answer["rememberedConsents"]?.arrayValue ?? [] {
                func day(_ name: String) -> String? {
                    consent[name]?.integerValue.map { Timestamp(milliseconds: $0).dateText }
                }
                let scopes = (consent["scopes"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " ")
                let used = day("usedAt").map { "last used \($0)" } ?? "not used yet"
                terminal.print(
                    "\(terminal.styled(Terminal.padded("remembered", to: 15), .cyan))"
                        + "\(consent["app"]?.stringValue ?? "")  \(scopes), agreed \(day("agreedAt") ?? ""), \(used), "
                        + "until \(day("expiresAt") ?? "")")
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write everything that is kept about a number's holder into a file.",
            discussion: """
                The file is JSON with mode 0600. It has the register's row, the openIds by app, logins, consents, \
                lines of the \
                ledger, device keys, what was given out and the face account; no face, no key and no credential. \
                Earlier \
                holders of the number are not in it. The audit log notes that somebody looked.

                Example:
                  benji subscriber export -c benji.yaml --number 13800000001 --out person.json
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Option(help: "The number, such as 13900000009 or +85291234567.") var number: PhoneNumber
        @Option(help: "The file to write. It must not be there yet.") var out: String
        @OptionGroup var why: ReasonOptions

        func run() async throws {
            // Before anybody is looked at.
            guard !FileManager.default.fileExists(atPath: out) else {
                throw CommandFailure("\(out) is there already; name another file")
            }
            guard CommandFile.isWritable(out) else {
                throw CommandFailure("\(out) cannot be written: \(CommandFile.writingProblem(out))")
            }
            let answer = try await options.order(ExportSubscriber(number), reason: why.reason)
            do {
                let draft = try AtomicFileWriter.begin(out + ".unfinished", for: out)
                do {
                    try draft.fill(with: Array("\(answer.text)\n".utf8))
                    try draft.publish(replacing: false)
                } catch {
                    draft.discard()
                    throw error
                }
            } catch let error as StoreError { throw CommandFailure(error.detail) }
            Terminal().print("\(out): everything that is kept about the holder of \(number.masked)")
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase", abstract: "Forget whoever has a number.",
            discussion: """
                Removes the number's row of the register and everything that names it: credentials, traces, counts, \
                face account. \
                Consents stay as evidence of what was shown, and name nobody any more. Lines of the ledger and of the \
                audit log \
                stay; they never named anybody. Then the database's files are searched for what pointed to the person; \
                PostgreSQL's cannot be, and have bytes of removed rows until they are written over. It cannot be taken \
                back. Apps see a new person in the next login of the same number; as long as the SIM is in use, \
                accounting \
                brings the number back into the register, as somebody new.

                Backups that were made before still have the person: let them expire, and repeat the order after \
                restoring one.

                Examples:
                  benji subscriber erase -c benji.yaml --number 13800000001 --dry-run
                  benji subscriber erase -c benji.yaml --number 13800000001 --reason "ticket 4711"
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Option(help: "The number, such as 13900000009 or +85291234567.") var number: PhoneNumber
        @Flag(help: "Count what would go, and change nothing.") var dryRun = false
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let terminal = Terminal()
            if dryRun {
                let answer = try await options.order(ShowSubscriber(number), reason: why.reason)
                if json { return terminal.print(answer.text) }
                terminal.print("would be erased: the register's row, \(SubscriberParts.text(answer["kept"]))")
                return SubscriberParts.tellWhatStays(terminal)
            }
            let answer = try await options.order(EraseSubscriber(number), reason: why.reason)
            let isFinished = answer["isFinished"] == true
            if json {
                terminal.print(answer.text)
            } else if answer["subscription"] != nil {
                terminal.print("erased: the register's row, \(SubscriberParts.text(answer["erased"]))")
                SubscriberParts.tellWhatStays(terminal)
            } else {
                terminal.print(
                    "this number is not in the register; its erasure, which had broken off, "
                        + "\(isFinished ? "was" : "is not") finished"
                )
            }
            // Folders of another machine cannot be seen from here.
            for folder in try options.isRemote ? [] : await earlierDatabases() {
                Terminal.note("\(folder) has a database from before a restore; remove it, it may still have the person")
            }
            guard isFinished else { throw await unfinished() }
            if json { return }
            terminal.print(
                answer["cleansFiles"] == false
                    ? "PostgreSQL has removed the rows; its write-ahead log and free places in its files have their "
                        + "bytes until they are "
                        + "written over"
                    : "the bytes of the person were removed from the database's files")
        }

        /// Why bytes of the person may still be in the files, and what to do.
        private func unfinished() async -> CommandFailure {
            let again = "The server tries again every minute; or give the order again"
            func because(_ reason: String) -> CommandFailure {
                CommandFailure(
                    "the person is erased, but the database's files may still have bytes of them: \(reason)")
            }
            guard (try? options.isRemote) == false, let configuration = try? await options.configuration.load() else {
                return because("the server's log says what is in the way. \(again)")
            }
            guard configuration.postgres == nil else {
                return because(
                    "either somebody reads an older state, such as pg_dump, or the owner of the tables must run benji "
                        + "store vacuum, "
                        + "which the log says. \(again)")
            }
            let readers = await DatabaseReaders.find(ofDatabase: configuration.databasePath)
            guard !readers.isEmpty else {
                return because(
                    "either somebody reads an older state, such as a backup, or the disk does not take the writing, "
                        + "which the log "
                        + "says. \(again)")
            }
            let who = readers.map(\.description).joined(separator: " and ")
            return because(
                "\(who) \(readers.count == 1 ? "reads" : "read") an older state of it. End that, or wait until it has "
                    + "ended. \(again)"
            )
        }

        /// Folders that restores have left in the data directory.
        private func earlierDatabases() async throws -> [String] {
            let data = try await options.configuration.load().absoluteDataDirectory
            let names = (try? FileManager.default.contentsOfDirectory(atPath: data)) ?? []
            return names.filter { $0.hasPrefix("before-") }.sorted().map { "\(data)/\($0)" }
        }
    }
}

enum SubscriberParts {
    /// "2 consents, 1 token".
    static func text(_ counts: JSON?) -> String {
        guard case .object(let members)? = counts, !members.isEmpty else { return "nothing besides" }
        return members.map { part in
            let plural = part.name.replacing("-", with: " ")
            // Only guesses have more than an s.
            let word = plural.hasSuffix("s") ? String(plural.dropLast(plural.hasSuffix("sses") ? 2 : 1)) : plural
            let count = part.value.integerValue ?? 0
            return count == 1 ? "1 \(word)" : "\(count) \(plural)"
        }.joined(separator: ", ")
    }

    static func tellWhatStays(_ terminal: Terminal) {
        terminal.print(
            """
            consents stay as evidence of what was shown, and name nobody; ledger and audit log stay, and never named \
            anybody
            backups that were made before still have the person
            """)
    }
}
