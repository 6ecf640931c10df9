import BenjiProtocol
package import Gateway
import Link
import Requests
package import ServerHTTP
package import Sightings

/// Puts the gateway of a process together.
package struct GatewayAssembly: Sendable {
    private let settings: GatewaySettings
    private let process: ProcessAssembly
    private var configuration: ProcessConfiguration { process.configuration }

    package init(_ settings: GatewaySettings, process: ProcessAssembly) {
        (self.settings, self.process) = (settings, process)
    }

    /// Everything that a start would refuse except taken ports, because the server that has them may be this one's
    /// predecessor. Changes nothing.
    package func check() async throws {
        _ = try refuseUnfit()
        let authority = try remoteAuthority(try linkTLS())
        await authority.shutdown()
        _ = try settings.radSecTLS()
        _ = try configuration.listenerTLS()
    }

    /// Fails if settings contradict each other or the data directory.
    /// - Returns: the listeners of the process.
    private func refuseUnfit() throws -> [(name: ListenerName, address: ListenAddress)] {
        try configuration.refuseFileAsDataDirectory()
        var listeners: [(name: ListenerName, address: ListenAddress)] = [(.device, settings.device)]
        listeners += [(.admin, configuration.admin)] + settings.feedListeners
        if let clash = ConfigurationError.clashes(of: listeners).first { throw clash }
        guard !settings.authorityURLs.isEmpty else {
            throw ConfigurationError(
                key: "authority.url", problem: "missing; where does the authority listen for gateways?")
        }
        // Left where it is, it would be believed once the gateway is of no pair any more.
        if settings.isPaired, try configuration.hasFile(ProcessConfiguration.journal) {
            throw ConfigurationError(
                key: "gateway.pair",
                problem: "a gateway of a pair keeps no journal, and \(configuration.journalPath) is from before: "
                    + "delete it, for it names who had an address then")
        }
        return listeners
    }

    private func linkTLS() throws -> RenewableTLS {
        try RenewableTLS("mutual-tls") { [self] in try gatewayTLS().clientIdentity }
    }

    private func remoteAuthority(_ tls: RenewableTLS) throws(ConfigurationError) -> RemoteAuthority {
        do {
            return try RemoteAuthority(
                urls: settings.authorityURLs, tls: tls, timeout: settings.authorityTimeout, clock: process.clock,
                logger: process.logger)
        } catch {
            throw ConfigurationError(key: "authority.url", problem: error.problem)
        }
    }

    /// Role *gateway*: receives accounting, recognises phones, and asks an authority in another process. It keeps a
    /// journal of sessions, which holds no number, and nothing else.
    package func open() async throws -> ProcessServices {
        let listeners = try refuseUnfit()
        // Only a first start would leave a file behind that it has made.
        if try !configuration.hasFile(ProcessConfiguration.journal) { try process.refuseTakenPorts(listeners) }
        let tls = try linkTLS()
        let radSec = try settings.radSecTLS()
        try configuration.makeDataDirectory()
        let authority = try remoteAuthority(tls)
        do {
            let gateway = try await service(
                register: authority, pair: settings.isPaired ? authority : nil, radSec: radSec)
            // One node remembers proofs by itself, whichever gateway they were shown to.
            let proofs =
                settings.authorityURLs.count == 1
                ? nil
                : ReplayGuard(FreshProofs(capacity: configuration.rememberedProofs, clock: process.clock)) {
                    gateway.ownedSince
                }
            return process.server(
                // The link ends when no service uses it any more.
                services: [
                    LinkLifetime(authority: authority), gateway,
                    ErasurePoller(register: authority, gateway: gateway, logger: process.logger),
                ],
                listeners: [
                    deviceListener(gateway: gateway, tls: try configuration.listenerTLS()) { scheme, sightings in
                        ForwardingEndpoints(
                            authority, sightings: sightings, proofs: proofs, clock: process.clock,
                            publicURLs: settings.publicURLs, derivedScheme: scheme
                        ).routes
                    }
                ],
                checks: [.init(gateway), .init(authority)],
                link: tls, radSec: radSec)
        } catch {
            await authority.shutdown()
            throw error
        }
    }

    /// The gateway, with its accounting sockets bound.
    ///
    /// - Parameter pair: where a gateway of a pair records what the other one has to know.
    /// - Parameter radSec: the certificate of connections over TLS.
    package func service(
        register: any RegisterService, pair: (any PairService)? = nil, radSec: RenewableTLS?
    ) async throws -> GatewayService {
        let gateway: GatewayService
        var service = settings.service(journalPath: configuration.journalPath)
        if let radSec, let address = settings.radSec?.address {
            service.radSec = RadSecSettings(address: .init(address: address.host, port: address.port)) {
                radSec.current.context
            }
        }
        do {
            gateway = try GatewayService(
                configuration: service, register: register, clock: process.clock, random: SystemRandomSource(),
                logger: process.logger, pair: pair)
        } catch let error as JournalError where error.isHeldByAnother {
            throw CommandFailure(LockHolder(holding: configuration.journalPath).problem(configuration))
        }
        do {
            await process.ports.set(.accounting, try await gateway.bind().first.map(Int.init))
        } catch {
            throw ConfigurationError(listener: .accounting, address: settings.accounting)
                ?? settings.radSec.flatMap { ConfigurationError(listener: .radsec, address: $0.address) } ?? error
        }
        await process.ports.set(.radsec, gateway.radSecPort.map(Int.init))
        return gateway
    }

    /// Where phones call.
    ///
    /// - Parameter routes: by the scheme that phones use, and who holds an address.
    package func deviceListener(
        gateway: GatewayService, tls: RenewableTLS?,
        _ routes: (_ scheme: String, _ sightings: GatewaySightings) -> [EndpointRoute]
    ) -> ProcessAssembly.Listener {
        let sightings = GatewaySightings(gateway: gateway, domain: settings.gatewayDomain)
        return ProcessAssembly.Listener(
            name: .device, routes: routes(tls == nil ? "http" : "https", sightings), address: settings.device,
            tls: tls)
    }

    /// This gateway's certificate for the link, which must name it: the authority would refuse every sighting.
    private func gatewayTLS() throws(ConfigurationError) -> LinkTLS {
        let tls = try configuration.linkTLS()
        guard tls.name == settings.gatewayName else {
            throw ConfigurationError(
                key: "gateway.name",
                problem: "is \(settings.gatewayName), but the one DNS name of the certificate for the link "
                    + "(\(tls.certificatePath)) is \(tls.name ?? "missing")")
        }
        return tls
    }
}

extension HealthEndpoints.Check {
    package init(_ gateway: GatewayService) {
        self.init("gateway", warnings: { gateway.warnings }, problem: { gateway.problem })
    }

    init(_ authority: RemoteAuthority) {
        self.init("authority", warnings: { authority.warnings }, problem: { await authority.problem() })
    }
}
