package import BenjiProtocol
import Hummingbird
package import Logging
package import ServerHTTP
package import ServiceLifecycle
import UnixSignals

/// The services of one process.
package struct ProcessServices: Sendable {
    /// In the order in which they start; they end in the reverse order.
    package let services: [any Service]
    /// Reads certificates again when it is asked to by a signal. Runs beside ``services`` where signals are this
    /// program's to take.
    package let certificates: CertificateRenewal
    package let ports: BoundPorts

    package init(services: [any Service], certificates: CertificateRenewal, ports: BoundPorts) {
        (self.services, self.certificates, self.ports) = (services, certificates, ports)
    }

    /// Runs everything until SIGTERM or SIGINT, or until one service ends.
    package func run(_ logger: Logger) async throws {
        certificates.announce()
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: ([certificates] + services).map {
                    ServiceGroupConfiguration.ServiceConfiguration(
                        service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup)
                }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}

/// Puts the parts of a process together that every role has.
package struct ProcessAssembly: Sendable {
    /// One listener: its routes, where it listens, and under which certificate.
    package struct Listener {
        package var name: ListenerName
        package var routes: [EndpointRoute]
        package var address: ListenAddress
        package var tls: RenewableTLS?

        package init(name: ListenerName, routes: [EndpointRoute], address: ListenAddress, tls: RenewableTLS?) {
            (self.name, self.routes, self.address, self.tls) = (name, routes, address, tls)
        }
    }

    package let configuration: ProcessConfiguration
    /// The answer of the listener for health and metrics.
    package let metrics: @Sendable () -> String
    package let clock: any WallClock
    package let logger: Logger
    /// Wraps the routes of a listener.
    package let wrapping: @Sendable ([EndpointRoute], ListenerName) -> [EndpointRoute]
    package let ports: BoundPorts
    package let draining: Draining

    package init(
        configuration: ProcessConfiguration, metrics: @escaping @Sendable () -> String, clock: any WallClock,
        logger: Logger, ports: BoundPorts = BoundPorts(), draining: Draining = Draining(),
        wrapping: @escaping @Sendable ([EndpointRoute], ListenerName) -> [EndpointRoute] = { routes, _ in routes }
    ) {
        self.configuration = configuration
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
        self.ports = ports
        self.draining = draining
        self.wrapping = wrapping
    }

    /// A role's parts with a listener for health and metrics, which every role has.
    /// - Parameters:
    ///   - link: a gateway's certificate for its calls.
    ///   - radSec: the certificate of accounting over TLS.
    package func server(
        services: [any Service], listeners: [Listener], checks: [HealthEndpoints.Check],
        link: RenewableTLS? = nil, radSec: RenewableTLS? = nil
    ) -> ProcessServices {
        var uses = listeners.compactMap { listener in
            listener.tls.map { CertificateRenewal.Use(listener: "\(listener.name)", tls: $0) }
        }
        if let radSec { uses.append(CertificateRenewal.Use(listener: "\(ListenerName.radsec)", tls: radSec)) }
        if let link { uses.append(CertificateRenewal.Use(listener: "link", tls: link)) }
        let certificates = CertificateRenewal(uses, clock: clock, logger: logger)
        let checks =
            [HealthEndpoints.Check(ports, of: listeners.map(\.name))] + checks + certificates.checks
            + [HealthEndpoints.Check(draining)]
        return ProcessServices(
            services: services + run(listeners + [adminListener(checks)])
                + [DrainService(draining: draining, time: configuration.drain, logger: logger)],
            certificates: certificates, ports: ports)
    }

    /// Fails if a listener's address is taken. A start that makes files tries this first: otherwise it would leave them
    /// behind.
    package func refuseTakenPorts(_ listeners: [(name: ListenerName, address: ListenAddress)]) throws {
        for (name, address) in listeners {
            if let error = ConfigurationError(listener: name, address: address) { throw error }
        }
    }

    /// Health and metrics.
    private func adminListener(_ checks: [HealthEndpoints.Check]) -> Listener {
        let space = DataSpace(path: configuration.dataDirectory)
        let endpoints = HealthEndpoints(checks: checks, hosts: configuration.adminHosts) { [metrics] in
            space.measure()
            return metrics()
        }
        return Listener(name: .admin, routes: endpoints.routes, address: configuration.admin, tls: nil)
    }

    /// The services that listen.
    private func run(_ listeners: [Listener]) -> [any Service] {
        let limits = DescriptorLimit.fitted(configuration.limits, listeners: listeners.count, logger: logger)
        return listeners.map { listener in
            let isOfPhones = listener.name == .device
            var own = limits
            own.closesOldestPerAddress = isOfPhones
            return ListenerService(
                name: listener.name, address: listener.address,
                application: PublicServer.application(
                    PublicServer.router(
                        "\(listener.name)", routes: wrapping(listener.routes, listener.name),
                        namesPeers: !isOfPhones),
                    address: .hostname(listener.address.host.description, port: Int(listener.address.port)),
                    limits: own, tls: listener.tls, draining: draining, logger: logger
                ) { [ports] in await ports.set(listener.name, $0) })
        }
    }
}

extension HealthEndpoints.Check {
    /// Health is asked as soon as its own listener is up, which may be before the others.
    package init(_ ports: BoundPorts, of listeners: [ListenerName]) {
        self.init("listeners") {
            let missing = await ports.missing(of: listeners)
            return missing.isEmpty ? nil : "not up: \(missing.map { "\($0)" }.joined(separator: ", "))"
        }
    }

    package init(_ draining: Draining) {
        self.init("drain") { draining.isUnderWay ? "this process is being stopped" : nil }
    }
}
