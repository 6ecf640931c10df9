import Authority
import BenjiPolicy
import BenjiProtocol
import Endpoints
import Foundation
import Gateway
import Logging
import Metrics
import OpenIDProvider
import ServerRuntime
import Store

/// A data directory, opened: the store, the keys and the authority over them.
struct Installation: Sendable {
    let configuration: ServerConfiguration
    let store: any Store
    let vault: Vault
    let authority: Authority
    let register: Register
    /// Whether the database was made now.
    var isNew = false
    /// Where a master key was made now.
    var newKey: String?

    /// Opens the directory.
    ///
    /// - Parameters:
    ///   - beginning: whether to make the directory (0700), its master key (0600) and the database if they are absent.
    ///     Only for `benji serve`, `benji init`, the demo and the benchmark.
    ///   - finishing: whether what an interrupted first start left may be completed (`benji init` only).
    ///   - keys: the master keys, if they were found already.
    ///   - environment: where `BENJI_MASTER_KEY` may be.
    /// - Throws: ``CommandFailure`` if there is no installation, `MasterKeyError` if its key is missing or another one.
    static func open(
        _ configuration: ServerConfiguration, beginning: Bool = false, finishing: Bool = false,
        clock: any WallClock = SystemWallClock(), logger: Logger? = nil, keys: MasterKeySource? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        traceObserver: (@Sendable (TraceEvent) -> Void)? = nil
    ) async throws -> Installation {
        var quiet = Logger(label: "benji")
        quiet.logLevel = .warning
        let logger = logger ?? quiet
        let random = SystemRandomSource()
        let directory = try DataDirectory(configuration)
        guard beginning || directory.hasDatabase else { throw configuration.noInstallation }
        var found = try keys ?? MasterKeySource.find(configuration, environment: environment)
        if beginning {
            try directory.refuseRemains(
                finishing: finishing, hasKeyElsewhere: MasterKeySource.isGiven(environment))
            if !directory.hasDatabase { try configuration.refuseOthersFolder() }
            if let weakness = configuration.databaseWeakness { logger.warning("\(weakness)") }
            let known = try OpenStore.examine(configuration)
            // benji init is a command of the owner.
            for warning in known.warnings + (finishing ? [] : known.ofServer) { logger.warning("\(warning)") }
            try configuration.process.makeDataDirectory()
        }
        let hadKey = found != nil
        if found == nil, !directory.hasDatabase { found = try .made(configuration, random: random) }
        let store: any Store
        do {
            store = try OpenStore.forWork(configuration, beginning: beginning, logger: logger).store
        } catch {
            if error.code == .outdated { throw CommandFailure(error.detail) }
            throw error
        }
        let counts = Dictionary(
            uniqueKeysWithValues: RowCodes.tables.map { table in
                (table, Gauge(label: "benji_store_rows_refused", dimensions: [("table", table)]))
            })
        for count in counts.values { count.record(0) }
        store.rowCodes.observe(
            { row in logger.error("\(row.problem)") }, counting: { table, count in counts[table]?.record(count) })
        let vault: Vault
        do {
            vault = try await fittingVault(
                found, store, configuration, beginning: beginning, at: clock.now, random: random, logger: logger)
        } catch {
            await store.close()
            throw error
        }
        var installation = over(
            store, vault, configuration, clock: clock, random: random, logger: logger, traceObserver: traceObserver)
        installation.isNew = !directory.hasDatabase
        installation.newKey = hadKey ? nil : configuration.masterKeyPath
        return installation
    }

    /// The authority over an open store.
    private static func over(
        _ store: any Store, _ vault: Vault, _ configuration: ServerConfiguration, clock: any WallClock,
        random: SystemRandomSource, logger: Logger, traceObserver: (@Sendable (TraceEvent) -> Void)? = nil
    ) -> Installation {
        var gateways = configuration.gatewayCarriers
        if configuration.role == .all {
            gateways[configuration.gatewayName] = Set(configuration.networkElements.map(\.carrier))
        }
        var decisions = Authority.Configuration(
            policy: configuration.policy, gateways: gateways, rememberedCallers: configuration.rememberedCallers,
            rememberedProofs: configuration.rememberedProofs)
        decisions.takesUnchallengedAttestations = configuration.takesUnchallengedAttestations
        decisions.appAttest = configuration.appAttest
        decisions.pairs = configuration.gatewayPairs
        decisions.retention = configuration.retention
        decisions.freeAnswersPerDay = configuration.freeAnswersPerDay
        decisions.callbacks = configuration.callbacks
        let meters = LoginMeters(carriers: Set(configuration.policy.carriers.keys))
        let authority = Authority(
            configuration: decisions, store: store, vault: vault, clock: clock, random: random, logger: logger,
            traceObserver: { event in
                meters.count(event)
                traceObserver?(event)
            })
        return Installation(
            configuration: configuration, store: store, vault: vault, authority: authority,
            register: Register(
                store: store, vault: vault, clock: clock, random: random, quarantine: configuration.quarantine))
    }

    /// Opens the directory for a look that changes nothing, and closes it whatever happens.
    /// - Parameter key: the master keys; they must fit.
    static func look<Result>(
        _ configuration: ServerConfiguration, key: MasterKeySource, _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        var logger = Logger(label: "benji")
        logger.logLevel = .warning
        let store = try OpenStore.forLooking(configuration, logger: logger).store
        let vault: Vault
        do {
            vault = try await MasterKeyVerification.look(
                key.keys, of: key.keeper, at: store,
                memory: SealedRowsFile(dataDirectory: configuration.dataDirectory), logger: logger)
        } catch {
            await store.close()
            throw error
        }
        let installation = over(
            store, vault, configuration, clock: SystemWallClock(), random: SystemRandomSource(), logger: logger)
        return try await installation.closing(body)
    }

    /// The vault of the key that the store is tied to from now on.
    private static func fittingVault(
        _ found: MasterKeySource?, _ store: any Store, _ configuration: ServerConfiguration, beginning: Bool,
        at moment: Timestamp, random: some RandomSource, logger: Logger
    ) async throws -> Vault {
        var source = found
        if source == nil, beginning {
            // A database with nothing in it is a new one, or that of a start that broke off. One with something may be
            // that of another process that began here since we looked, and it has made its key by then.
            source =
                if try await MasterKeyVerification.judge([], store: store) == .nothingSealed {
                    try .made(configuration, random: random)
                } else {
                    try MasterKeySource.find(configuration, environment: [:])
                }
        }
        guard let source else {
            throw MasterKeyError.missing(configuration.masterKeyPath, database: configuration.databaseName)
        }
        guard
            let vault = try await MasterKeyVerification.tie(
                source.keys, of: source.keeper, to: store, at: moment, random: random,
                memory: SealedRowsFile(dataDirectory: configuration.dataDirectory), logger: logger)
        else {
            throw MasterKeyError.doesNotFit(source.name, database: configuration.databaseName)
        }
        return vault
    }

    /// Opens the directory, lets `body` use it, and closes it whatever happens.
    static func use<Result>(
        _ configuration: ServerConfiguration, beginning: Bool = false, finishing: Bool = false, logger: Logger? = nil,
        keys: MasterKeySource? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        let installation = try await open(
            configuration, beginning: beginning, finishing: finishing, logger: logger, keys: keys,
            environment: environment)
        return try await installation.closing(body)
    }

    func close() async { await store.close() }

    /// The apps that log people in over OpenID Connect.
    var openIDClients: OpenIDClients { OpenIDClients(authority: authority, store: store) }
}

extension ServerConfiguration {
    /// Whether the data directory has a database.
    /// - Throws: ``CommandFailure`` if it cannot be looked into.
    var hasDatabase: Bool { get throws(CommandFailure) { try DataDirectory(self).hasDatabase } }

    /// Refuses a folder for a new installation in which others could read or replace files.
    func refuseOthersFolder() throws(CommandFailure) {
        guard DataDirectory.isOpenToOthers(process.dataDirectory) == true else { return }
        throw CommandFailure(
            "others may read or write in \(process.absoluteDataDirectory), where master key and database would be made"
                + "; run: chmod go-rwx \(process.absoluteDataDirectory)")
    }

    /// Says that there is no installation, and what to do.
    var noInstallation: CommandFailure {
        if let brokenRestore = try? DataDirectory(self).brokenRestore { return brokenRestore }
        let place = "there is no installation in \(process.absoluteDataDirectory) (\(process.dataOrigin))"
        let advice =
            process.options.isEmpty
            ? "name its configuration with -c or its folder with --data, or begin one with: benji init"
            : "begin one with: benji init\(process.options)"
        return CommandFailure(
            process.role == .gateway
                ? "\(place): a gateway keeps no apps and no numbers; run this with the configuration of its authority"
                : "\(place); \(advice)")
    }

}
