import BenjiProtocol
import Logging
import Sandbox
import ServiceLifecycle

/// Wires the parts of one process by its role, and lists what must run.
///
/// The roles are in `ServerAssembly+All.swift`, `ServerAssembly+Gateway.swift` and `ServerAssembly+Authority.swift`;
/// the parts that they share in `ServerAssembly+Parts.swift`.
struct ServerAssembly: Sendable {
    let configuration: ServerConfiguration
    /// `nil` in the role *gateway*, which keeps no numbers, no keys and no database.
    let opened: Installation?
    let services: [any Service]
    let ports: BoundPorts

    /// The data directory of an authority.
    var installation: Installation {
        get throws {
            guard let opened else { throw ConfigurationError(key: "role", problem: "a gateway has no installation") }
            return opened
        }
    }

    /// What the configured role runs, over the data directory if the role needs one. Call ``close()`` when the
    /// services have ended.
    static func open(
        _ configuration: ServerConfiguration, metrics: @escaping @Sendable () -> String,
        clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws -> ServerAssembly {
        try refuseTakenPorts(beforeBeginning: configuration)
        if configuration.role == .gateway {
            return try await gateway(configuration, metrics: metrics, clock: clock, logger: logger)
        }
        let installation = try await Installation.open(
            configuration, beginning: true, clock: clock, logger: logger)
        do {
            return try await make(installation, metrics: metrics, clock: clock, logger: logger)
        } catch {
            await installation.close()
            throw error
        }
    }

    /// A start that makes files first tries whether it could listen: one that could not would leave them behind.
    private static func refuseTakenPorts(beforeBeginning configuration: ServerConfiguration) throws {
        let directory = try DataDirectory(configuration)
        guard configuration.role == .gateway ? !directory.hasJournal : !directory.hasDatabase else { return }
        for (name, address) in configuration.listeners {
            if let error = ConfigurationError(listener: name, address: address) { throw error }
        }
    }

    /// What the configured role runs over an open data directory.
    ///
    /// - Parameter sandbox: what stands between listeners and authority in the demo. ``open(_:metrics:clock:logger:)``,
    ///   which `benji serve` uses, has no such parameter, and no setting makes one.
    static func make(
        _ installation: Installation, sandbox: SandboxWiring? = nil, metrics: @escaping @Sendable () -> String,
        clock: any WallClock = SystemWallClock(),
        logger: Logger
    ) async throws -> ServerAssembly {
        switch installation.configuration.role {
        case .all: try await all(installation, sandbox: sandbox, metrics: metrics, clock: clock, logger: logger)
        case .authority: try authority(installation, metrics: metrics, clock: clock, logger: logger)
        case .gateway:
            try await gateway(installation.configuration, metrics: metrics, clock: clock, logger: logger)
        }
    }

    func close() async { await opened?.close() }
}
