import Administration
import AdministrationEndpoints
import Authority
import BenjiProtocol
import Endpoints
import Gateway
import Hummingbird
import OpenIDProvider
import ServiceLifecycle
import ShortMessages
import Sightings
import Store

/// Parts that more than one role has.
extension ServerAssembly {
    /// One listener: its routes, where it listens, and under which certificate.
    struct Listener {
        var name: ListenerName
        var routes: [EndpointRoute]
        var address: ListenAddress
        var tls: RenewableTLS?
    }

    /// The gateway, with its accounting sockets bound.
    ///
    /// - Parameter pair: where a gateway of a pair records what the other one has to know.
    func gatewayService(register: any RegisterDesk, pair: (any PairDesk)? = nil) async throws -> GatewayService {
        let gateway: GatewayService
        do {
            gateway = try GatewayService(
                configuration: configuration.gateway, register: register, clock: clock, random: SystemRandomSource(),
                logger: logger, pair: pair)
        } catch let error as JournalError where error.isHeldByAnother {
            throw CommandFailure(LockHolder(holding: configuration.journalPath).problem(configuration))
        }
        do {
            await ports.set(.accounting, try await gateway.bind().first.map(Int.init))
        } catch {
            throw ConfigurationError(listener: .accounting, address: configuration.accounting) ?? error
        }
        return gateway
    }

    /// The OpenID provider, if it is switched on.
    func openIDProvider(_ installation: Installation, _ messages: ShortMessageParts? = nil) -> OpenIDProvider? {
        configuration.openID.map {
            OpenIDProvider(
                configuration: $0, authority: installation.authority, store: installation.store,
                smsCodes: smsCodes(installation, sender: messages?.senders))
        }
    }

    /// Logins by codes that are sent by SMS.
    func smsLogin(_ installation: Installation, _ messages: ShortMessageParts?) -> SMSLogin {
        SMSLogin(
            authority: installation.authority, codes: smsCodes(installation, sender: messages?.senders),
            quarantine: installation.register.quarantine)
    }

    private func smsCodes(_ installation: Installation, sender: (any ShortMessageSender)?) -> SMSCodes {
        SMSCodes(
            settings: configuration.smsCodes, authority: installation.authority, store: installation.store,
            sender: sender)
    }

    /// Where phones call.
    func deviceListener(
        desk: any DeviceDesk, sms: any SMSLoginDesk, browserTokens: any BrowserTokenDesk,
        openID: (desk: any OpenIDBrowserDesk, pages: String)?, face: ((_ scheme: String) -> [EndpointRoute])?,
        gateway: GatewayService,
        tls: RenewableTLS?
    ) -> Listener {
        let scheme = tls == nil ? "http" : "https"
        let sightings = GatewaySightings(gateway: gateway, domain: configuration.gatewayDomain)
        var routes = DeviceEndpoints(
            desk: decorations.device(desk), sms: sms, sightings: sightings, clock: clock,
            publicURLs: configuration.publicURLs,
            derivedScheme: scheme
        ).routes
        if let openID {
            routes += OpenIDEndpoints(desk: openID.desk, pages: openID.pages, sightings: sightings).browserRoutes
        }
        if let face { routes += face(scheme) }
        routes += CMPassportBrowserEndpoints(desk: browserTokens, sightings: sightings, clock: clock).routes
        return Listener(name: .device, routes: routes, address: configuration.device, tls: tls)
    }

    /// Where apps' servers call.
    func serverListener(
        _ authority: Authority, openID: OpenIDProvider?, face: FaceParts? = nil, tls: RenewableTLS?
    ) -> Listener {
        let desk = decorations.server(authority)
        var routes =
            CMPassportEndpoints(desk: desk, clock: clock).routes + OneLoginEndpoints(desk: desk).routes
            + GeYanEndpoints(desk: desk).routes
        if let openID {
            routes +=
                OpenIDEndpoints.serverRoutes(openID, desk: decorations.openID(openID))
                + CAMARAEndpoints(provider: openID).routes
        }
        if let face { routes += face.serverRoutes }
        return Listener(name: .server, routes: routes, address: configuration.server, tls: tls)
    }

    /// Where admins give orders; `nil` if it is not switched on.
    func administrationListener(_ administration: Administration, tls: RenewableTLS?) throws -> Listener? {
        guard let settings = configuration.administration else { return nil }
        let endpoints = AdministrationEndpoints(administration: administration, clock: clock, hosts: settings.hosts)
        var tls = tls
        if let authority = settings.clientAuthority, let identity = configuration.tls {
            tls = try RenewableTLS("administration") {
                try ServerCertificate(identity, clientAuthority: authority).identity
            }
        }
        return Listener(
            name: .administration, routes: endpoints.routes, address: settings.address, tls: tls)
    }

    /// The senders of short messages; `nil` if none is configured.
    func shortMessages(_ installation: Installation) -> ShortMessageParts? {
        // Receipts are kept with their codes, which need no sender for that.
        ShortMessageParts(
            configuration.shortMessageSenders, listener: smsCodes(installation, sender: nil), clock: clock,
            logger: logger)
    }

    /// Health and metrics.
    func adminListener(_ checks: [HealthEndpoints.Check]) -> Listener {
        let space = DataSpace(path: configuration.dataDirectory)
        let endpoints = HealthEndpoints(checks: checks, hosts: configuration.adminHosts) { [metrics] in
            space.measure()
            return metrics()
        }
        return Listener(name: .admin, routes: endpoints.routes, address: configuration.admin, tls: nil)
    }

    /// The services that listen.
    func run(_ listeners: [Listener]) -> [any Service] {
        let limits = DescriptorLimit.fitted(configuration.limits, listeners: listeners.count, logger: logger)
        return listeners.map { listener in
            let isOfPhones = listener.name == .device
            var own = limits
            own.closesOldestPerAddress = isOfPhones
            return ListenerService(
                name: listener.name, address: listener.address,
                application: PublicServer.application(
                    PublicServer.router(
                        "\(listener.name)", routes: decorations.routes(listener.routes, listener.name),
                        namesPeers: !isOfPhones),
                    address: .hostname(listener.address.host.description, port: Int(listener.address.port)),
                    limits: own, tls: listener.tls, draining: draining, logger: logger
                ) { [ports] in await ports.set(listener.name, $0) })
        }
    }
}

extension HealthEndpoints.Check {
    init(_ store: any Store) {
        self.init(
            "store",
            warnings: {
                guard let count = try? await store.unfinishedErasures(), count > 0 else { return [] }
                return [
                    "\(count) erased subscriber\(count == 1 ? "'s" : "s'") bytes may still be in the database's files; the log says why"
                ]
            },
            problem: {
                do throws(StoreError) { try await store.check() } catch { return error.detail }
                return nil
            })
    }

    init(_ vault: Vault) {
        self.init("master-key") {
            // A known problem is looked at again once a minute, not for each check: an HSM may have to answer.
            if let problem = vault.problem { return problem }
            do { try await vault.follow() } catch {
                // The store has a check of its own.
                return vault.problem
            }
            return nil
        }
    }

    /// Health is asked as soon as its own listener is up, which may be before the others.
    init(_ ports: BoundPorts, of listeners: [ListenerName]) {
        self.init("listeners") {
            let missing = await ports.missing(of: listeners)
            return missing.isEmpty ? nil : "not up: \(missing.map { "\($0)" }.joined(separator: ", "))"
        }
    }

    init(_ draining: Draining) {
        self.init("drain") { draining.isUnderWay ? "this process is being stopped" : nil }
    }

    init(_ gateway: GatewayService) {
        self.init("gateway", warnings: { gateway.warnings }, problem: { gateway.problem })
    }

    init(_ authority: RemoteAuthority) {
        self.init("authority", warnings: { authority.warnings }, problem: { await authority.problem() })
    }

    init(_ openID: RemoteOpenID) {
        self.init("openid", warnings: { await openID.mismatch().map { [$0] } ?? [] }, problem: { nil })
    }
}
