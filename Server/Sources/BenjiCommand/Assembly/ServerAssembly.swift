internal import Authority
internal import BenjiProtocol
internal import Endpoints
internal import Foundation
@_spi(Server) internal import Gateway
internal import Hummingbird
internal import Logging
internal import NIOSSL
internal import ServiceLifecycle
internal import Store

/// Wires the parts of one process by its role, and lists what must run.
struct ServerAssembly: Sendable {
    let configuration: ServerConfiguration
    let installation: Installation
    let gateway: GatewayService
    let services: [any Service]
    let ports: BoundPorts

    /// What the configured role runs.
    static func make(
        _ installation: Installation, metrics: @escaping @Sendable () -> String, clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws -> ServerAssembly {
        try await all(installation, metrics: metrics, clock: clock, logger: logger)
    }

    /// Role *all*: gateway and authority in one process.
    static func all(
        _ installation: Installation, metrics: @escaping @Sendable () -> String, clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws -> ServerAssembly {
        let configuration = installation.configuration
        let ports = BoundPorts()
        var gatewayConfiguration = GatewayConfiguration(
            name: configuration.gatewayName, networkAccessServers: configuration.networkElements,
            listeners: [.init(address: configuration.accounting.host, port: configuration.accounting.port)],
            journalPath: configuration.journalPath)
        gatewayConfiguration.restartGrace = configuration.gatewayGrace
        let gateway = try GatewayService(
            configuration: gatewayConfiguration,
            register: RegisterLink(register: installation.register, authority: installation.authority), clock: clock,
            random: SystemRandomSource(), logger: logger)
        await ports.set(.accounting, try await gateway.bind().first.map(Int.init))
        let tls = try configuration.tls.map { try TLSConfiguration.server($0) }
        let device = PublicServer.router(
            "device",
            routes: DeviceEndpoints(
                desk: installation.authority,
                sightings: GatewaySightings(gateway: gateway, domain: configuration.gatewayDomain), clock: clock,
                publicURLs: configuration.publicURLs, derivedScheme: tls == nil ? "http" : "https"
            ).routes)
        let server = PublicServer.router(
            "server", routes: CMPassportEndpoints(desk: installation.authority, clock: clock).routes, namesPeers: true)
        let store = installation.store
        let admin = PublicServer.router(
            "admin",
            routes: HealthEndpoints(
                checks: [
                    .init("store") {
                        do throws(StoreError) { try await store.check() } catch { return error.detail }
                        return nil
                    },
                    .init("gateway") { gateway.problem },
                ], metrics: { metrics() }
            ).routes, namesPeers: true)
        var services: [any Service] = [gateway, Maintenance(authority: installation.authority, logger: logger)]
        for (router, address, listener, tls) in [
            (device, configuration.device, BoundPorts.Listener.device, tls),
            (server, configuration.server, .server, tls), (admin, configuration.admin, .admin, nil),
        ] {
            services.append(
                try PublicServer.application(
                    router, address: .hostname(address.host.description, port: Int(address.port)), tls: tls, logger: logger
                ) { await ports.set(listener, $0) })
        }
        return ServerAssembly(
            configuration: configuration, installation: installation, gateway: gateway, services: services, ports: ports)
    }
}

extension TLSConfiguration {
    /// TLS 1.2 or newer under a certificate of ours.
    static func server(_ identity: ServerConfiguration.Identity) throws -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(identity.certificate).map { NIOSSLCertificateSource.certificate($0) }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain,
                privateKey: .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            return configuration
        } catch {
            throw ConfigurationError(
                key: "tls", problem: "\(identity.certificate) and \(identity.key) are not a PEM certificate and its key")
        }
    }
}
