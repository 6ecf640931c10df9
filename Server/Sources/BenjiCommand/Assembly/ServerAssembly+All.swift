import Authority
import BenjiProtocol
import Endpoints
import Gateway
import Logging
import OpenIDProvider
import Sandbox
import ServiceLifecycle

extension ServerAssembly {
    /// Role *all*: gateway and authority in one process.
    static func all(
        _ installation: Installation, sandbox: SandboxWiring? = nil, metrics: @escaping @Sendable () -> String,
        clock: any WallClock, logger: Logger
    ) async throws -> ServerAssembly {
        let configuration = installation.configuration
        let ports = BoundPorts()
        let gateway = try await gatewayService(
            configuration,
            register: installation.register,
            ports: ports,
            clock: clock, logger: logger)
        let openID = configuration.openID.map {
            OpenIDProvider(
                configuration: $0, authority: installation.authority, store: installation.store)
        }
        let face = await faceLogin(installation, clock: clock, logger: logger)
        let listeners = [
            try deviceListener(
                configuration, desk: installation.authority, openID: openID, face: face,
                browserTokens: installation.authority, gateway: gateway, sandbox: sandbox, clock: clock),
            try serverListener(installation, openID: openID, face: face, sandbox: sandbox, clock: clock),
            adminListener(
                configuration,
                checks: [
                    storeCheck(installation.store),
                    .init("gateway", warnings: { gateway.warnings }) { gateway.problem },
                ],
                metrics: metrics),
        ]
        return ServerAssembly(
            configuration: configuration, opened: installation,
            services: [gateway, Maintenance(authority: installation.authority, face: face, logger: logger)]
                + (try services(listeners, ports: ports, limits: configuration.limits, logger: logger)), ports: ports)
    }
}
