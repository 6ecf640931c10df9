import Administration
import BenjiPolicy
import BenjiProtocol
import Foundation
import Logging
import ServerHTTP
import ServiceLifecycle
import Store
import StoreSQLite

/// Puts the parts of one process together by its role.
///
/// The roles are in `ServerAssembly+All.swift`, `ServerAssembly+Gateway.swift` and `ServerAssembly+Authority.swift`;
/// the parts that they share in `ServerAssembly+Parts.swift`.
struct ServerAssembly: Sendable {
    let configuration: ServerConfiguration
    /// The answer of the listener for health and metrics.
    let metrics: @Sendable () -> String
    var clock: any WallClock = SystemWallClock()
    let logger: Logger
    /// The master keys, if they were found already.
    var keys: MasterKeySource?
    var middleware = Middleware()
    let ports = BoundPorts()
    let draining = Draining()

    /// Assembles the configured role, over the data directory if the role needs one.
    func open() async throws -> AssembledServer {
        if let clash = configuration.clashes.first { throw clash }
        try refuseTakenPorts()
        if configuration.role == .gateway { return try await gateway() }
        try refuseEarlierServer()
        let installation = try await Installation.open(
            configuration, beginning: true, clock: clock, logger: logger, keys: keys)
        do {
            try await notePolicy(installation)
            return try await configuration.role == .all ? all(installation) : authority(installation)
        } catch {
            await installation.close()
            throw error
        }
    }

    /// The name of this machine; `nil` if the system does not tell it.
    static var machineName: String? {
        var name = [CChar](repeating: 0, count: 256)
        return gethostname(&name, name.count - 1) == 0 ? String(cString: name) : nil
    }

    /// Writes down with which policy this server starts, if another one held until now.
    private func notePolicy(_ installation: Installation) async throws {
        let machine = Self.machineName ?? PolicyRecord.unnamedMachine
        let source = configuration.policyFile ?? PolicyRecord.carriedAlong
        guard try await installation.administration.notePolicy(by: .machineUser, from: "\(machine), \(source)") else {
            return
        }
        logger.notice("another policy holds from now on", metadata: ["version": "\(configuration.policy.version)"])
    }

    /// A start that makes files first tries whether it could listen: one that could not would leave them behind.
    private func refuseTakenPorts() throws {
        let directory = try DataDirectory(configuration)
        guard configuration.role == .gateway ? !directory.hasJournal : !directory.hasDatabase else { return }
        for (name, address) in configuration.listeners {
            if let error = ConfigurationError(listener: name, address: address) { throw error }
        }
    }

    /// A start that brings the database forward first checks that no process uses it. A server of an earlier version
    /// would continue to write in its own form.
    private func refuseEarlierServer() throws {
        // Tables in PostgreSQL are brought forward one server at a time, and an earlier server refuses later ones when
        // it starts.
        guard configuration.postgres == nil, try configuration.hasDatabase,
            try !SQLiteStore.pendingSteps(path: configuration.databasePath).isEmpty
        else { return }
        try ExclusiveAccess.take(configuration).release()
    }

    /// A role's parts with a listener for health and metrics, which every role has.
    /// - Parameters:
    ///   - link: a gateway's certificate for its calls.
    ///   - radSec: the certificate of accounting over TLS.
    func server(
        _ installation: Installation?, services: [any Service], listeners: [Listener], checks: [HealthEndpoints.Check],
        link: RenewableTLS? = nil, radSec: RenewableTLS? = nil
    ) -> AssembledServer {
        var uses = listeners.compactMap { listener in
            listener.tls.map { CertificateRenewal.Use(listener: "\(listener.name)", tls: $0) }
        }
        if let radSec { uses.append(CertificateRenewal.Use(listener: "\(ListenerName.radsec)", tls: radSec)) }
        if let link { uses.append(CertificateRenewal.Use(listener: "link", tls: link)) }
        let certificates = CertificateRenewal(uses, clock: clock, logger: logger)
        let checks =
            [HealthEndpoints.Check(ports, of: listeners.map(\.name))] + checks + certificates.checks
            + [HealthEndpoints.Check(draining)]
        return AssembledServer(
            installation: installation,
            services: services + run(listeners + [adminListener(checks)])
                + [DrainService(draining: draining, time: configuration.drain, logger: logger)],
            certificates: certificates, ports: ports)
    }
}
