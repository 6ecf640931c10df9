import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import ServerRuntime

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in the place of the database, which is kept beside it.",
        discussion: """
            Stop benji serve first; --dry-run works beside it. The master key that belongs to the backup must be in \
            the data
            directory (master.key, mode 0600) or in BENJI_MASTER_KEY. A former one is taken from the \
            master.key.former-ID
            that a rotation left beside it, or from the file that --master-key names, and put into master.key. The \
            present
            database is moved into a folder before-TIME in the data directory, never deleted. A restore that was \
            killed is
            finished by running it again.

            Examples:
              benji restore -c benji.yaml --dry-run /backup/benji-2026-11-22.sqlite
              benji restore -c benji.yaml /backup/benji-2026-11-22.sqlite
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Argument(help: ArgumentHelp("A backup made by benji backup.", valueName: "file")) var file: String
    @OptionGroup var keys: MasterKeyFileOptions
    @Flag(help: "Check everything and say what would be done, without doing it.") var dryRun = false
    @OptionGroup var why: ReasonOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let configuration = try await options.load()
        try configuration.refusePostgres(
            "benji restore",
            instead:
                "stop every server, bring a dump back with pg_restore --clean --if-exists --no-owner -d "
                + "\"TEXT OF store.postgres\" FILE, with sslmode=verify-full in the text if the server is not on this "
                + "machine, and end what was spent since, as docs/operations/postgresql.md says under Backups of "
                + "PostgreSQL; it needs "
                + "the master.key of then"
        )
        configuration.announce()
        let restoration = Restoration(
            configuration: configuration, file: BackupFile(file, keyFiles: keys.files), reason: why.reason)
        let outcome = try await dryRun ? restoration.rehearse() : restoration.perform()
        if json {
            let changes: [JSON.Member] = [
                .init("restored", .bool(!dryRun)), .init("moved", .array(outcome.moved.map { .string($0) })),
                .init("movedTo", outcome.folder.map { .string($0) } ?? .null),
                .init(
                    "masterKeysAdded", .array(outcome.report.keys.lent.keys.map(\.text).sorted().map { .string($0) })),
                .init("inUse", outcome.inUse.map { .string($0) } ?? .null),
            ]
            guard case .object(let members) = outcome.report.json else { return }
            return Terminal().print(JSON.object(members + changes).text)
        }
        outcome.report.show(asJSON: false)
        let terminal = Terminal()
        let verb = dryRun ? "would be" : "was"
        terminal.print()
        if let folder = outcome.folder {
            terminal.print(
                "the former \(outcome.moved.joined(separator: ", ")) \(dryRun ? "would be" : "now") in \(folder)")
        }
        terminal.print(
            "\(file) \(verb) put in place as \(configuration.absoluteDataDirectory)/\(DataDirectory.database)")
        for (id, file) in outcome.report.keys.lent.sorted(by: { $0.key.text < $1.key.text }) {
            terminal.print(
                "the master key \(id.text) of \(file) \(dryRun ? "would be" : "was") put into "
                    + "\(configuration.absoluteMasterKeyPath)"
            )
        }
        terminal.print(
            "Every token, code, refresh token and admin of the backup \(dryRun ? "would end" : "has ended"): since it "
                + "was made they may "
                + "have been spent. Phones are unknown until accounting speaks of them again.")
        terminal.print(
            "Earlier keys come back with it. If ID-token keys were replaced since because they were stolen, replace "
                + "them again: "
                + "benji app openid rotate-keys --now")
        if let inUse = outcome.inUse { terminal.print("Before the restore itself: \(inUse)") }
        if !dryRun {
            if configuration.role == .authority {
                terminal.print(
                    "Before this authority is started, restart its gateways with their directory.journal moved away.")
            }
            terminal.print("Next: benji doctor\(configuration.options), then benji serve\(configuration.options)")
        }
    }
}
