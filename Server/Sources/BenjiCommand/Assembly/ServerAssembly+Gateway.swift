import BenjiProtocol
import Endpoints
import Gateway
import Logging
import ServiceLifecycle

extension ServerAssembly {
    /// Role *gateway*: hears accounting, recognises phones, and asks an authority in another process. It keeps a
    /// journal of sessions, which holds no number, and nothing else.
    static func gateway(
        _ configuration: ServerConfiguration, metrics: @escaping @Sendable () -> String, clock: any WallClock,
        logger: Logger
    ) async throws -> ServerAssembly {
        guard let url = configuration.authorityURL else {
            throw ConfigurationError(
                key: "authority.url", problem: "missing; where does the authority listen for gateways?")
        }
        let tls = try configuration.linkTLS()
        // The authority would refuse every sighting.
        guard tls.name == configuration.gatewayName else {
            throw ConfigurationError(
                key: "gateway.name",
                problem:
                    "is \(configuration.gatewayName), but the one DNS name of the certificate for the link is \(tls.name ?? "missing")"
            )
        }
        try configuration.makeDataDirectory()
        let authority: RemoteAuthority
        do { authority = try RemoteAuthority(url: url, tls: tls.client, logger: logger) } catch {
            throw ConfigurationError(key: "authority.url", problem: error.problem)
        }
        do {
            let ports = BoundPorts()
            let gateway = try await gatewayService(
                configuration, register: authority, ports: ports, clock: clock, logger: logger)
            let listeners = [
                try deviceListener(configuration, desk: authority, gateway: gateway, clock: clock),
                adminListener(
                    configuration,
                    checks: [
                        .init("gateway", warnings: { gateway.warnings }) { gateway.problem },
                        .init("authority") { await authority.problem() },
                    ],
                    metrics: metrics),
            ]
            // Services end in the reverse order: the link when nobody uses it any more.
            return ServerAssembly(
                configuration: configuration, opened: nil,
                services: [LinkLifetime(authority: authority), gateway]
                    + (try services(listeners, ports: ports, limits: configuration.limits, logger: logger)),
                ports: ports)
        } catch {
            await authority.shutdown()
            throw error
        }
    }
}

/// Closes the link's connections at the end.
private struct LinkLifetime: Service {
    let authority: RemoteAuthority

    func run() async throws {
        try? await gracefulShutdown()
        await authority.shutdown()
    }
}
