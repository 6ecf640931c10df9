import Authority
import BenjiProtocol
import Endpoints
import Foundation
import Gateway
import Hummingbird
import Logging
import NIOSSL
import OpenIDProvider
import Sandbox
import ServiceLifecycle
import Sightings
import Store

/// Parts that more than one role has.
extension ServerAssembly {
    /// One listener: its routes, where it listens, and under which certificate.
    struct Listener {
        var name: BoundPorts.Listener
        var router: Router<EndpointContext>
        var address: ListenAddress
        var tls: TLSConfiguration?
    }

    /// The gateway, with its accounting sockets bound.
    static func gatewayService(
        _ configuration: ServerConfiguration, register: any RegisterDesk, ports: BoundPorts, clock: any WallClock,
        logger: Logger
    ) async throws -> GatewayService {
        let gateway: GatewayService
        do {
            gateway = try GatewayService(
                configuration: configuration.gateway, register: register, clock: clock,
                random: SystemRandomSource(), logger: logger)
        } catch let error as JournalError where error.isHeldByAnother {
            throw CommandFailure(RunningServer(holding: configuration.journalPath).problem(configuration))
        }
        do {
            await ports.set(.accounting, try await gateway.bind().first.map(Int.init))
        } catch {
            throw ConfigurationError(listener: .accounting, address: configuration.accounting) ?? error
        }
        return gateway
    }

    /// Where phones call.
    static func deviceListener(
        _ configuration: ServerConfiguration, desk: any DeviceDesk, openID: OpenIDProvider? = nil,
        face: FaceLogin? = nil, browserTokens: (any BrowserTokenDesk)? = nil, gateway: GatewayService,
        sandbox: SandboxWiring? = nil, clock: any WallClock
    ) throws -> Listener {
        let tls = try configuration.tls.map { try ServerCertificate($0).tls }
        let sightings = GatewaySightings(gateway: gateway, domain: configuration.gatewayDomain)
        var routes = DeviceEndpoints(
            desk: sandbox?.desk(desk) ?? desk, sightings: sightings, clock: clock,
            publicURLs: configuration.publicURLs,
            derivedScheme: tls == nil ? "http" : "https"
        ).routes
        if let openID {
            routes +=
                OpenIDEndpoints(provider: openID, desk: sandbox?.desk(openID), sightings: sightings).browserRoutes
        }
        if let face { routes += face.deviceRoutes(tls == nil ? "http" : "https") }
        if let browserTokens {
            routes += CMPassportBrowserEndpoints(desk: browserTokens, sightings: sightings, clock: clock).routes
        }
        routes = sandbox?.routes(routes, of: .device) ?? routes
        return Listener(
            name: .device, router: PublicServer.router("device", routes: routes), address: configuration.device,
            tls: tls)
    }

    /// Where apps' servers call.
    static func serverListener(
        _ installation: Installation, openID: OpenIDProvider? = nil, face: FaceLogin? = nil,
        sandbox: SandboxWiring? = nil, clock: any WallClock
    ) throws -> Listener {
        let configuration = installation.configuration
        let desk: any ServerDesk = sandbox?.desk(installation.authority) ?? installation.authority
        var routes =
            CMPassportEndpoints(desk: desk, clock: clock).routes + OneLoginEndpoints(desk: desk).routes
            + GeYanEndpoints(desk: desk).routes
        if let openID {
            routes +=
                OpenIDEndpoints.serverRoutes(openID, desk: sandbox?.desk(openID))
                + CAMARAEndpoints(provider: openID).routes
        }
        if let face { routes += face.serverRoutes }
        routes = sandbox?.routes(routes, of: .server) ?? routes
        return Listener(
            name: .server, router: PublicServer.router("server", routes: routes, namesPeers: true),
            address: configuration.server, tls: try configuration.tls.map { try ServerCertificate($0).tls })
    }

    /// Health and metrics.
    static func adminListener(
        _ configuration: ServerConfiguration, checks: [HealthEndpoints.Check], metrics: @escaping @Sendable () -> String
    ) -> Listener {
        let endpoints = HealthEndpoints(checks: checks, hosts: configuration.adminHosts, metrics: { metrics() })
        return Listener(
            name: .admin, router: PublicServer.router("admin", routes: endpoints.routes, namesPeers: true),
            address: configuration.admin, tls: nil)
    }

    static func storeCheck(_ store: any Store) -> HealthEndpoints.Check {
        .init("store") {
            do throws(StoreError) { try await store.check() } catch { return error.detail }
            return nil
        }
    }

    static func services(
        _ listeners: [Listener], ports: BoundPorts, limits: ServerLimits, logger: Logger
    ) throws -> [any Service] {
        let limits = DescriptorLimit.fitted(limits, listeners: listeners.count, logger: logger)
        return try listeners.map { listener in
            var own = limits
            own.closesOldestPerAddress = listener.name == .device
            return ListenerService(
                name: listener.name, address: listener.address,
                application: try PublicServer.application(
                    listener.router,
                    address: .hostname(listener.address.host.description, port: Int(listener.address.port)),
                    limits: own, tls: listener.tls, logger: logger
                ) { [name = listener.name] in await ports.set(name, $0) })
        }
    }
}
