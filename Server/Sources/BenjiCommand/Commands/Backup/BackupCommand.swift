import ArgumentParser
import Foundation
import Processes
import ServerRuntime
import Store
import StoreSQLite

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database while the server runs; check and rehearse such copies.",
        discussion: """
            `benji backup FILE` copies what is committed at that moment, checks the copy, and only then gives it its \
            name.
            The master key is never in it: keep that apart, and once.

            Examples:
              benji backup -c benji.yaml /backup/benji-2026-11-22.sqlite
              benji backup verify -c benji.yaml /backup/benji-2026-11-22.sqlite
              benji backup verify -c benji.yaml --master-key /keys/master.key.former-5f0c6d1a2b3c4d5e \
            /backup/benji-2025-11-22.sqlite
              benji backup rehearse -c benji.yaml /backup/benji-2026-11-22.sqlite
            """.paragraphs,
        subcommands: [Make.self, BackupVerifyCommand.self, BackupRehearseCommand.self], defaultSubcommand: Make.self)

    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make", abstract: "Copy the database into a file; `benji backup FILE` for short.",
            discussion: """
                Logins go on meanwhile; the write-ahead log grows by what they write. FILE must not exist, and appears \
                when
                it is whole and was checked. Until then the copy is called FILE.unfinished; the next run removes what a
                killed one left.
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: ArgumentHelp("The backup that is made.", valueName: "file")) var file: String
        @Flag(help: "Replace FILE if it is an earlier backup.") var force = false
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let configuration = try await options.load()
            try configuration.refusePostgres(
                "benji backup",
                instead:
                    "make a backup with pg_dump -Fc -n benji -f \(file) -d \"TEXT OF store.postgres\", with "
                    + "sslmode=verify-full in the text if the server is not on this machine, and keep master.key "
                    + "apart from it"
            )
            guard try configuration.hasDatabase else { throw configuration.noInstallation }
            configuration.announce()
            try await Backup(configuration: configuration, file: file, replacing: force).make().show(asJSON: json)
        }
    }
}

struct BackupVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Read a backup whole: is it good, and does the master key fit?",
        discussion: """
            Ends with status 1 also if a row that gives rights has no valid code, or if lines of the audit log are \
            missing.
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Argument(help: ArgumentHelp("The backup.", valueName: "file")) var file: String
    @OptionGroup var keys: MasterKeyFileOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let configuration = try await options.load()
        let report = try await BackupFile(file, keyFiles: keys.files).examine(configuration)
        report.show(asJSON: json)
        if !report.rowProblems.isEmpty { throw ExitCode(1) }
    }
}

/// Makes one backup.
struct Backup {
    let configuration: ServerConfiguration
    let file: String
    var replacing = false

    func make(environment: [String: String] = ProcessInfo.processInfo.environment) async throws -> BackupReport {
        try refuseTarget()
        let draft: AtomicFileWriter
        do { draft = try AtomicFileWriter.begin(file + ".unfinished", for: file) } catch {
            throw CommandFailure(error.detail)
        }
        do {
            let progress = CopyProgress()
            defer { progress.end() }
            try SQLiteStore.copy(configuration.databasePath, to: draft.path, progress: progress.report)
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            let report = try await BackupFile(draft.path, name: file).examine(
                configuration, scratch: folder, environment: environment)
            do { try draft.publish(replacing: replacing) } catch {
                throw error.code == .alreadyExists ? exists : CommandFailure(error.detail)
            }
            return report
        } catch {
            draft.discard()
            throw error
        }
    }

    private var exists: CommandFailure {
        CommandFailure("\(file) exists and was left alone; name another file, or replace it with --force")
    }

    /// Refuses a place whose present content must not be lost.
    private func refuseTarget() throws(CommandFailure) {
        var isFolder: ObjCBool = false
        let target = URL(fileURLWithPath: file).standardizedFileURL
        let parent = target.deletingLastPathComponent().resolvingSymlinksInPath().path
        guard FileManager.default.fileExists(atPath: parent, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(file): \(CommandFile.writingProblem(file))")
        }
        let data = URL(fileURLWithPath: configuration.dataDirectory).resolvingSymlinksInPath().path
        guard parent != data, !parent.hasPrefix(data + "/") else {
            throw CommandFailure(
                "\(file) is in the data directory, with which it would be lost; name a place elsewhere, best on "
                    + "another disk"
            )
        }
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else { return }
        guard !isFolder.boolValue else { throw CommandFailure("\(file) is a folder; name a file in it") }
        // By another name, if the database or this is a link.
        guard FileIdentity(file) != FileIdentity(configuration.databasePath) else {
            throw CommandFailure("\(file) is the database itself; name another file")
        }
        guard replacing else { throw exists }
        do { _ = try SQLiteStore.contents(path: file) } catch {
            throw CommandFailure("\(file) is not a backup of Benji's, so it was not replaced, in spite of --force")
        }
    }
}
