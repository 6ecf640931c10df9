import Administration
import AdministrationEndpoints
import Authority
import BenjiPolicy
import BenjiProtocol
import Callbacks
import Console
import Endpoints
import Gateway
import Hummingbird
import Link
import Metrics
import OpenIDProvider
import Requests
import ServerHTTP
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
    /// - Parameter radSec: the certificate of connections over TLS.
    func gatewayService(
        register: any RegisterDesk, pair: (any PairDesk)? = nil, radSec: RenewableTLS?
    ) async throws -> GatewayService {
        let gateway: GatewayService
        var settings = configuration.gateway
        if let radSec, let address = configuration.radSec?.address {
            settings.radSec = RadSecSettings(address: .init(address: address.host, port: address.port)) {
                radSec.current.context
            }
        }
        do {
            gateway = try GatewayService(
                configuration: settings, register: register, clock: clock, random: SystemRandomSource(),
                logger: logger, pair: pair)
        } catch let error as JournalError where error.isHeldByAnother {
            throw CommandFailure(LockHolder(holding: configuration.journalPath).problem(configuration))
        }
        do {
            await ports.set(.accounting, try await gateway.bind().first.map(Int.init))
        } catch {
            throw ConfigurationError(listener: .accounting, address: configuration.accounting)
                ?? configuration.radSec.flatMap { ConfigurationError(listener: .radsec, address: $0.address) } ?? error
        }
        await ports.set(.radsec, gateway.radSecPort.map(Int.init))
        return gateway
    }

    /// The OpenID provider, if it is switched on.
    ///
    /// - Parameter notices: the queue of notices that are sent after an answer.
    func openIDProvider(
        _ installation: Installation, _ messages: ShortMessageParts? = nil, notices: NoticeQueue
    ) throws -> OpenIDProvider? {
        try configuration.openID.map {
            OpenIDProvider(
                configuration: $0, authority: installation.authority, store: installation.store,
                smsLogin: smsLogin(installation, messages),
                clientAuthorities: $0.mutualTLS == nil ? nil : ClientAuthorities(),
                notices: try backchannelNotices(installation, notices))
        }
    }

    /// Logins by codes that are sent by SMS, and by texts that phones send.
    func smsLogin(_ installation: Installation, _ messages: ShortMessageParts?) -> SMSLogin {
        SMSLogin(
            authority: installation.authority, codes: smsCodes(installation, sender: messages?.senders),
            quarantine: installation.register.quarantine)
    }

    private func smsCodes(_ installation: Installation, sender: (any ShortMessageSender)?) -> SMSCodes {
        SMSCodes(
            settings: configuration.smsCodes, authority: installation.authority, store: installation.store,
            sender: sender,
            upstream: configuration.smsUpstream.number.map { _ in
                SMSUpstream(
                    settings: configuration.smsUpstream, authority: installation.authority, store: installation.store
                ) { sender, outcome in
                    Counter(
                        label: "benji_sms_texts_total", dimensions: [("sender", sender), ("outcome", outcome.rawValue)]
                    ).increment()
                }
            })
    }

    /// The service that compares this node's clock with the database's; `nil` if the database is a file on this
    /// machine.
    func clockWatch(_ installation: Installation) async -> ClockWatch? {
        guard configuration.postgres != nil else { return nil }
        let watch = ClockWatch(installation.store, clock: clock, logger: logger)
        await watch.compare()
        return watch
    }

    /// The routes for phones and browsers, of the process that decides.
    ///
    /// - Parameters:
    ///   - sightings: who holds an address.
    ///   - scheme: by which phones call; for requests that a gateway forwards the gateway states it.
    func phoneRoutes(
        _ installation: Installation, sms: SMSLogin, openID: OpenIDProvider?, face: FaceParts?,
        sightings: any SightingSource, scheme: String = "https"
    ) -> [EndpointRoute] {
        var routes = DeviceEndpoints(
            desk: installation.authority, sms: sms, sightings: sightings, clock: clock,
            publicURLs: configuration.publicURLs, derivedScheme: scheme
        ).routes
        if let openID {
            routes +=
                OpenIDEndpoints(
                    desk: middleware.openID(openID), pages: openID.configuration.pages, sightings: sightings
                ).browserRoutes
        }
        if let face { routes += face.deviceRoutes(scheme) }
        if configuration.showsOwnLog {
            routes += OwnLogEndpoints(desk: installation.authority, sightings: sightings).routes
        }
        return routes
            + CMPassportBrowserEndpoints(desk: installation.authority, sightings: sightings, clock: clock).routes
    }

    /// Where phones call.
    ///
    /// - Parameter routes: by the scheme that phones use, and who holds an address.
    func deviceListener(
        gateway: GatewayService, tls: RenewableTLS?,
        _ routes: (_ scheme: String, _ sightings: GatewaySightings) -> [EndpointRoute]
    ) -> Listener {
        let sightings = GatewaySightings(gateway: gateway, domain: configuration.gatewayDomain)
        return Listener(
            name: .device, routes: routes(tls == nil ? "http" : "https", sightings), address: configuration.device,
            tls: tls)
    }

    /// Where apps' servers call.
    func serverListener(
        _ authority: Authority, openID: OpenIDProvider?, face: FaceParts? = nil, tls: RenewableTLS?
    ) -> Listener {
        let desk = middleware.server(authority)
        var routes =
            CMPassportEndpoints(desk: desk, clock: clock).routes + OneLoginEndpoints(desk: desk).routes
            + GeYanEndpoints(desk: desk).routes + ServerAPIEndpoints(desk: desk, provider: openID).routes
            + CodeEndpoints().routes + LogEndpoints(authority: authority).routes
        if let openID {
            routes +=
                OpenIDEndpoints.serverRoutes(openID, desk: middleware.openID(openID))
                + CAMARAEndpoints(provider: openID).routes
        }
        if let face { routes += face.serverRoutes }
        return Listener(name: .server, routes: routes, address: configuration.server, tls: tls)
    }

    /// Where apps' servers call that have a client certificate; `nil` if nowhere.
    func mutualTLSListener(_ authority: Authority, _ openID: OpenIDProvider?) throws -> Listener? {
        guard let settings = configuration.clientTLS, let identity = configuration.tls, let openID else { return nil }
        let tls = try RenewableTLS("mtls", takesAnyCertificate: true) {
            let read = try ServerCertificate(identity, asking: settings)
            if let authorities = read.clientAuthorities { try openID.clientAuthorities?.replace(pem: authorities) }
            return read.identity
        }
        return Listener(
            name: .mtls,
            routes: OpenIDEndpoints.serverRoutes(openID, desk: middleware.openID(openID), isMutualTLS: true)
                + CAMARAEndpoints(provider: openID, isMutualTLS: true).routes
                + ServerAPIEndpoints(desk: middleware.server(authority), provider: openID, isMutualTLS: true).routes
                + CodeEndpoints().routes,
            address: settings.address, tls: tls)
    }

    /// Where admins give orders, and the console is; `nil` if it is not switched on.
    /// - Parameters:
    ///   - gateway: the one in this process.
    ///   - checks: what readiness checks.
    ///   - oneTap: see ``ServerAssembly/oneTap``.
    func administrationListener(
        _ administration: Administration, gateway: GatewayService? = nil, checks: [HealthEndpoints.Check],
        oneTap: OneTapParts?, tls: RenewableTLS?
    ) throws -> Listener? {
        guard let settings = configuration.administration else { return nil }
        var administration = administration
        if let gateway { administration.findsSessions = { gateway.states(of: $0, port: $1, domain: $2) } }
        var tls = tls
        if let authority = settings.clientAuthority, let identity = configuration.tls {
            tls = try RenewableTLS("administration") {
                try ServerCertificate(identity, clientAuthority: authority).identity
            }
        }
        let endpoints = AdministrationEndpoints(
            administration: administration, clock: clock, hosts: settings.hosts, isSecure: tls != nil)
        let console = Console(
            administration: administration, clock: clock, hosts: settings.hosts, isSecure: tls != nil,
            process: consoleProcess(gateway, checks), oneTap: oneTap?.client
        ) { [configuration, ports] host in await configuration.addresses(from: host, ports) }
        return Listener(
            name: .administration, routes: endpoints.routes + console.routes, address: settings.address, tls: tls)
    }

    /// The one-tap sign-in of the console's admins; `nil` if it is off.
    var oneTap: OneTapParts? { configuration.administration?.oneTap.map { OneTapParts($0, clock: clock) } }

    private func consoleProcess(_ gateway: GatewayService?, _ checks: [HealthEndpoints.Check]) -> Console.Process {
        var process = Console.Process(
            checks: checks, readPolicy: Self.readPolicy, policyFile: configuration.policyFile,
            options: configuration.options, isPostgres: configuration.postgres != nil)
        if let gateway { process.feeds = { gateway.feeds.map { Console.Process.Feed($0) } } }
        return process
    }

    @Sendable private static func readPolicy(_ text: [UInt8]) throws(Refusal) -> JSON {
        let file: PolicyFile
        do throws(ConfigurationError) { file = try PolicyFile(text, named: "policy.json") } catch {
            throw Refusal(.parameterInvalid, error.problem)
        }
        return file.policy.json
    }

    /// The senders of short messages; `nil` if none is configured.
    func shortMessages(_ installation: Installation) -> ShortMessageParts? {
        if let sender = middleware.sender { return ShortMessageParts(sender) }
        // Receipts are kept with their codes, and who sent a text with that; neither needs a sender.
        return ShortMessageParts(
            configuration.shortMessageSenders, listener: smsCodes(installation, sender: nil), clock: clock,
            logger: logger)
    }

    /// The services that run beside the listeners in each process that decides.
    /// - Parameter gateway: the services of the gateway in this process.
    func authorityServices(
        _ installation: Installation, shortMessages: ShortMessageParts?, oneTap: OneTapParts?,
        clockWatch: ClockWatch?, syslog: AuditSyslog?, gateway: [any Service] = [], face: FaceParts?,
        notices: NoticeQueue
    ) throws -> [any Service] {
        let (authority, store) = (installation.authority, installation.store)
        let callbacks = try callbackDelivery(installation)
        let optional: [(any Service)?] = [oneTap?.service, clockWatch, syslog]
        let common: [any Service] = [
            Maintenance(
                administration: installation.administration, authority: authority, face: face, logger: logger),
            LoginCounting(authority: authority, logger: logger),
            LogAppending(authority: authority, logger: logger),
            LedgerSumming(authority: authority, logger: logger),
            EvidenceMarking(store: store, expiryClock: authority.expiryClock, clockWatch: clockWatch, logger: logger),
            RowExamination(store: store, expiryClock: authority.expiryClock, clockWatch: clockWatch, logger: logger),
            callbacks, notices,
        ]
        return (shortMessages?.services ?? []) + optional.compactMap(\.self) + gateway + common
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
                        "\(listener.name)", routes: middleware.routes(listener.routes, listener.name),
                        namesPeers: !isOfPhones),
                    address: .hostname(listener.address.host.description, port: Int(listener.address.port)),
                    limits: own, tls: listener.tls, draining: draining, logger: logger
                ) { [ports] in await ports.set(listener.name, $0) })
        }
    }
}

extension ServerConfiguration {
    /// The addresses that others call, as far as this process knows: the configured ones, or else its own listeners.
    ///
    /// - Parameter host: by which somebody has just called this machine.
    fileprivate func addresses(from host: String, _ ports: BoundPorts) async -> Console.Addresses {
        func origin(_ name: ListenerName, _ address: ListenAddress) async -> String {
            """
            \(tls == nil ? "http" : "https")://\(address.isEverywhere ? host : address.host.description):\
            \(await ports.port(name))
            """
        }
        let issuer = openID?.issuer
        var phones = publicURLs.first
        if phones == nil, role == .all { phones = await origin(.device, device) }
        var servers = issuer
        if servers == nil { servers = await origin(.server, server) }
        return Console.Addresses(server: servers ?? "", phones: phones, issuer: issuer)
    }
}

extension Console.Process.Feed {
    fileprivate init(_ feed: GatewayFeed) {
        self.init(
            name: feed.name, carrier: feed.carrier.rawValue, heardAt: feed.counts.heardAt, taken: feed.counts.taken,
            faults: Dictionary(uniqueKeysWithValues: feed.counts.faults.map { ($0.key.reason, $0.value.count) }),
            sessions: feed.sessions, isSilent: feed.isSilent, isOverTLS: feed.isOverTLS,
            clockAhead: feed.clockAhead?.wholeMilliseconds, unconfirmed: feed.confirmation.unconfirmed,
            losses: [
                "stop_without_start": feed.loss.stopsWithoutStart,
                "session_without_start": feed.loss.sessionsWithoutStart, "delayed": feed.counts.delayed,
            ])
    }
}

extension HealthEndpoints.Check {
    init(_ store: any Store) {
        self.init(
            "store",
            warnings: {
                let problems = store.rowCodes.problems
                guard let count = try? await store.unfinishedErasures(), count > 0 else { return problems }
                return problems + [
                    "\(count) erased subscriber\(count == 1 ? "'s" : "s'") bytes may still be in the database's files; "
                        + "the log says why"
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
}
