internal import Authority
internal import BenjiProtocol
internal import Foundation
internal import Gateway
internal import Logging
internal import Store
internal import StoreSQLite

/// A data directory, opened: the store, the keys and the authority over them.
struct Installation: Sendable {
    let configuration: ServerConfiguration
    let store: any Store
    let vault: Vault
    let authority: Authority
    let register: Register

    /// Opens the directory, making it (0700) and its master key (0600) if they are not there yet.
    static func open(
        _ configuration: ServerConfiguration, clock: any WallClock = SystemWallClock(), logger: Logger? = nil,
        traceObserver: (@Sendable (TraceEvent) -> Void)? = nil
    ) async throws -> Installation {
        var quiet = Logger(label: "benji")
        quiet.logLevel = .warning
        let logger = logger ?? quiet
        try configuration.makeDataDirectory()
        let random = SystemRandomSource()
        let masterKey: MasterKey
        if let text = ProcessInfo.processInfo.environment["BENJI_MASTER_KEY"] {
            masterKey = try MasterKey(text: text)
        } else {
            masterKey = try MasterKey.load(path: configuration.masterKeyPath, random: random)
        }
        let store = try SQLiteStore(path: configuration.databasePath, logger: logger)
        let vault = Vault(masterKey: masterKey)
        var gateways = configuration.gatewayCarriers
        if configuration.role == .all {
            gateways[configuration.gatewayName] = Set(configuration.networkElements.map(\.carrier))
        }
        var decisions = Authority.Configuration(
            policy: configuration.policy, gateways: gateways, rememberedCallers: configuration.rememberedCallers,
            rememberedProofs: configuration.rememberedProofs)
        decisions.takesUnchallengedAttestations = configuration.takesUnchallengedAttestations
        let authority = Authority(
            configuration: decisions, store: store, vault: vault, clock: clock, random: random, logger: logger,
            traceObserver: traceObserver)
        return Installation(
            configuration: configuration, store: store, vault: vault, authority: authority,
            register: Register(store: store, vault: vault, random: random, quarantine: configuration.quarantine))
    }

    /// Opens the directory, lets `body` use it, and closes it whatever happens.
    static func use<Result>(
        _ configuration: ServerConfiguration, _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        let installation = try await open(configuration)
        do {
            let result = try await body(installation)
            await installation.close()
            return result
        } catch {
            await installation.close()
            throw error
        }
    }

    func close() async { await store.close() }
}

extension ServerConfiguration {
    /// Makes the data directory, for its owner alone, if it is not there yet.
    func makeDataDirectory() throws(ConfigurationError) {
        do {
            try FileManager.default.createDirectory(
                atPath: dataDirectory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ConfigurationError(
                key: "data", problem: "\(dataDirectory) cannot be made: \(error.localizedDescription)")
        }
    }
}
