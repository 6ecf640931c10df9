import ArgumentParser
import BenjiProtocol
import Foundation
import Logging
import ServerRuntime
import Store
import StorePostgres
import StoreSQLite

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database to this version's schema, or try that on a copy.",
        discussion: """
            benji serve does the same when it starts. This is for whoever wants to know before how long it takes, or \
            to do it
            apart from the start. There is no way back but a backup made before.

            With PostgreSQL it also gives the role of store.serving-role the rights that serving needs, and takes others
            from it. Run it with a store.postgres that names the owner of the tables; stop every server before an \
            upgrade
            that says so.

            Examples:
              benji migrate -c benji.yaml --dry-run
              benji backup -c benji.yaml /backup/before-upgrade.sqlite && benji migrate -c benji.yaml
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Say what would be done, and do it to a copy; the server may run.") var dryRun = false
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "Where the copy of --dry-run is made; the system's temporary folder if not given.", valueName: "folder"))
    var scratch: String?
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        guard dryRun || scratch == nil else { throw ValidationError("--in: goes with --dry-run") }
        let configuration = try await options.load()
        if dryRun {
            try configuration.refusePostgres(
                "benji migrate --dry-run",
                instead: "make a backup with pg_dump, bring it back in another database, and run benji migrate there")
        }
        guard try configuration.hasDatabase else { throw configuration.noInstallation }
        configuration.announce()
        if let postgres = configuration.postgres { return try await bringForward(postgres, configuration) }
        let migration = Migration(configuration: configuration)
        let outcome = try await dryRun ? migration.rehearse(in: scratch) : migration.perform()
        show(outcome, configuration)
    }

    /// Brings PostgreSQL's tables forward, and gives the serving role its rights.
    private func bringForward(
        _ postgres: ServerConfiguration.Postgres, _ configuration: ServerConfiguration
    ) async throws {
        let terminal = Terminal()
        do throws(StoreError) {
            let wasCurrent = try OpenStore.isCurrent(configuration)
            var opened = configuration
            // The rights alone are mended below, where it is seen whether any changed.
            if wasCurrent { opened.postgres?.servingRole = nil }
            let clock = ContinuousClock()
            let began = clock.now
            await (try OpenStore.forWork(opened, beginning: true, logger: Logger(label: "benji"))).close()
            let time = (clock.now - began).wholeMilliseconds
            var changesRights = false
            if let role = postgres.servingRole {
                changesRights = try PostgresStore.mendRights(of: role, postgres.parameters)
            }
            let known = try OpenStore.examine(configuration)
            if json {
                return terminal.print(
                    JSON.object([
                        "changed": .bool(!wasCurrent || changesRights), "milliseconds": .integer(time),
                        "warnings": .array(known.warnings.map { .string($0) }),
                    ]).text)
            }
            terminal.print(
                wasCurrent
                    ? "the schema is this version's" : "the schema was brought to this version's in \(time) ms")
            if let role = postgres.servingRole, known.ofRights.isEmpty {
                terminal.print(
                    "\(role) has the rights of a serving role"
                        + (wasCurrent ? changesRights ? ", which were changed" : ", and nothing was changed" : ""))
            }
            for warning in known.warnings { Terminal.note(warning) }
        } catch { throw CommandFailure(error.detail) }
    }

    private func show(_ outcome: Migration.Outcome, _ configuration: ServerConfiguration) {
        let terminal = Terminal()
        if json {
            let steps = outcome.steps.map { step, time in
                JSON.object([
                    "version": .string(step.version), "does": .string(step.summary),
                    "milliseconds": time.map { .integer($0.wholeMilliseconds) },
                ])
            }
            terminal.print(
                JSON.object([
                    "from": .string(outcome.from), "to": .string(outcome.to), "dryRun": .bool(dryRun),
                    "steps": .array(steps), "milliseconds": .integer(outcome.time.wholeMilliseconds),
                    "bytesBefore": .integer(outcome.bytesBefore), "bytesAfter": .integer(outcome.bytesAfter),
                ]).text)
            return
        }
        guard !outcome.steps.isEmpty else {
            return terminal.print("the schema is \(outcome.from), which is this version's; there is nothing to do")
        }
        terminal.print("schema \(outcome.from) to \(outcome.to):")
        for (step, time) in outcome.steps {
            let took = time.map { " (\($0.wholeMilliseconds) ms)" } ?? ""
            terminal.print("  \(terminal.styled(Terminal.padded(step.version, to: 5), .cyan))\(step.summary)\(took)")
        }
        let size = "\(ByteCount.text(outcome.bytesBefore)) before, \(ByteCount.text(outcome.bytesAfter)) after"
        if dryRun {
            terminal.print(
                "on a copy it took \(outcome.time.wholeMilliseconds) ms; \(size). Nothing of the database was changed.")
            terminal.print(
                "Next: benji backup\(configuration.options) FILE, stop the server, benji "
                    + "migrate\(configuration.options)"
            )
        } else {
            terminal.print("done in \(outcome.time.wholeMilliseconds) ms; \(size)")
        }
    }
}

/// Brings an installation's database forward, or a copy of it.
struct Migration {
    let configuration: ServerConfiguration

    struct Outcome {
        var from: String
        var to: String
        /// With the time that each took, where that was measured.
        var steps: [(step: SchemaStep, time: Duration?)]
        var time: Duration
        var bytesBefore: Int
        var bytesAfter: Int
    }

    func rehearse(in scratch: String?) async throws -> Outcome {
        let path = configuration.databasePath
        let before = try SQLiteStore.contents(path: path).schema
        guard try !SQLiteStore.pendingSteps(path: path).isEmpty else {
            let size = FileManager.default.size(of: path)
            return Outcome(from: before, to: before, steps: [], time: .zero, bytesBefore: size, bytesAfter: size)
        }
        return try await ScratchFolder.use(in: scratch) { folder in
            let copy = "\(folder)/\(DataDirectory.database)"
            let progress = CopyProgress()
            defer { progress.end() }
            try SQLiteStore.copy(path, to: copy, progress: progress.report)
            let size = FileManager.default.size(of: copy)
            var steps: [(SchemaStep, Duration?)] = []
            let time = try ContinuousClock().measure {
                try SQLiteStore.bringForward(path: copy) { steps.append(($0, $1)) }
            }
            if let problem = try SQLiteStore.damage(path: copy) {
                throw CommandFailure("the copy is damaged after it was brought forward: \(problem)")
            }
            return Outcome(
                from: before, to: try SQLiteStore.contents(path: copy).schema, steps: steps, time: time,
                bytesBefore: size, bytesAfter: FileManager.default.size(of: copy))
        }
    }

    func perform() async throws -> Outcome {
        let path = configuration.databasePath
        let before = try SQLiteStore.contents(path: path).schema
        let steps = try SQLiteStore.pendingSteps(path: path)
        let size = FileManager.default.size(of: path)
        var time = Duration.zero
        if !steps.isEmpty {
            // A server of the earlier version would go on writing what it knows.
            try ExclusiveAccess.take(configuration).release()
            let clock = ContinuousClock()
            let began = clock.now
            await (try SQLiteStore(path: path, logger: Logger(label: "benji"))).close()
            time = clock.now - began
        }
        return Outcome(
            from: before, to: try SQLiteStore.contents(path: path).schema, steps: steps.map { ($0, nil) }, time: time,
            bytesBefore: size, bytesAfter: FileManager.default.size(of: path))
    }
}
