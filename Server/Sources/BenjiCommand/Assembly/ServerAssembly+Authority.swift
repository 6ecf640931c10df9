import BenjiProtocol
import Endpoints
import Logging
import ServiceLifecycle

extension ServerAssembly {
    /// Role *authority*: decides for gateways in other processes, and answers apps' servers.
    static func authority(
        _ installation: Installation, metrics: @escaping @Sendable () -> String, clock: any WallClock, logger: Logger
    ) throws -> ServerAssembly {
        let configuration = installation.configuration
        guard let address = configuration.gatewayListener else {
            throw ConfigurationError(key: "listen.gateways", problem: "missing; where do gateways call?")
        }
        let ports = BoundPorts()
        let link = LinkEndpoints(
            desk: installation.authority,
            register: installation.register,
            gateways: configuration.gatewayCarriers, clock: clock)
        let listeners = [
            Listener(
                name: .gateways, router: PublicServer.router("gateways", routes: link.routes, namesPeers: true),
                address: address, tls: try configuration.linkTLS().server),
            try serverListener(installation, clock: clock),
            adminListener(configuration, checks: [storeCheck(installation.store)], metrics: metrics),
        ]
        return ServerAssembly(
            configuration: configuration, opened: installation,
            services: [Maintenance(authority: installation.authority, face: nil, logger: logger)]
                + (try services(listeners, ports: ports, limits: configuration.limits, logger: logger)), ports: ports)
    }
}

extension ServerConfiguration {
    /// This end's certificate for the link.
    func linkTLS() throws(ConfigurationError) -> LinkTLS {
        guard let mutualTLS else {
            throw ConfigurationError(
                key: "mutual-tls.certificate", problem: "missing; roles that are apart talk over mutual TLS")
        }
        do {
            return try LinkTLS(
                certificatePath: mutualTLS.identity.certificate, keyPath: mutualTLS.identity.key,
                authorityPath: mutualTLS.certificateAuthority)
        } catch { throw ConfigurationError(key: "mutual-tls", problem: error.problem) }
    }
}
