import Administration
import BenjiPolicy
import BenjiProtocol
import Foundation
import Logging
import ServerHTTP
import ServerRuntime
import Store
import StoreSQLite

/// Puts the parts of one process together by its role.
///
/// The roles are in `ServerAssembly+All.swift`, `ServerAssembly+Authority.swift` and, as a library, in
/// ``ServerRuntime/GatewayAssembly``; the parts that the first two share in `ServerAssembly+Parts.swift`.
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
        if configuration.role == .gateway { return AssembledServer(try await gateway.open()) }
        if let clash = configuration.clashes.first { throw clash }
        // Only a first start would leave files behind that it has made.
        if try !configuration.hasDatabase { try process.refuseTakenPorts(configuration.listeners) }
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

    /// The parts that every role has.
    var process: ProcessAssembly {
        ProcessAssembly(
            configuration: configuration.process, metrics: metrics, clock: clock, logger: logger, ports: ports,
            draining: draining, wrapping: middleware.routes)
    }

    /// The gateway of this process.
    var gateway: GatewayAssembly { GatewayAssembly(configuration.gateway, process: process) }
}
