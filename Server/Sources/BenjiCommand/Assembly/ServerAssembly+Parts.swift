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
import ServerRuntime
import ServiceLifecycle
import ShortMessages
import Sightings
import Store

/// Parts that more than one role has.
extension ServerAssembly {
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
            service: DeviceLogins(installation.authority, sms: sms), sightings: sightings, clock: clock,
            publicURLs: configuration.publicURLs, derivedScheme: scheme
        ).routes
        if let openID {
            routes +=
                OpenIDEndpoints(
                    service: middleware.openID(openID), pages: openID.configuration.pages, sightings: sightings
                ).browserRoutes
        }
        if let face { routes += face.deviceRoutes(scheme) }
        if configuration.showsOwnLog {
            routes += OwnLogEndpoints(authority: installation.authority, sightings: sightings).routes
        }
        return routes
            + CMPassportBrowserEndpoints(authority: installation.authority, sightings: sightings, clock: clock).routes
    }

    /// Where apps' servers call.
    func serverListener(
        _ authority: Authority, openID: OpenIDProvider?, face: FaceParts? = nil, tls: RenewableTLS?
    ) -> ProcessAssembly.Listener {
        let service = middleware.server(authority)
        var routes =
            CMPassportEndpoints(service: service, clock: clock).routes + OneLoginEndpoints(service: service).routes
            + GeYanEndpoints(service: service).routes + ServerAPIEndpoints(service: service, provider: openID).routes
            + CodeEndpoints().routes + LogEndpoints(authority: authority).routes
        if let openID {
            routes +=
                OpenIDEndpoints.serverRoutes(openID, service: middleware.openID(openID))
                + CAMARAEndpoints(provider: openID).routes
        }
        if let face { routes += face.serverRoutes }
        return ProcessAssembly.Listener(name: .server, routes: routes, address: configuration.server, tls: tls)
    }

    /// Where apps' servers call that have a client certificate; `nil` if nowhere.
    func mutualTLSListener(_ authority: Authority, _ openID: OpenIDProvider?) throws -> ProcessAssembly.Listener? {
        guard let settings = configuration.clientTLS, let identity = configuration.tls, let openID else { return nil }
        let tls = try RenewableTLS("mtls", takesAnyCertificate: true) {
            let read = try MutualTLSCertificate(identity, asking: settings)
            if let authorities = read.clientAuthorities { try openID.clientAuthorities?.replace(pem: authorities) }
            return read.identity
        }
        return ProcessAssembly.Listener(
            name: .mtls,
            routes: OpenIDEndpoints.serverRoutes(openID, service: middleware.openID(openID), isMutualTLS: true)
                + CAMARAEndpoints(provider: openID, isMutualTLS: true).routes
                + ServerAPIEndpoints(service: middleware.server(authority), provider: openID, isMutualTLS: true).routes
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
    ) throws -> ProcessAssembly.Listener? {
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
        return ProcessAssembly.Listener(
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

}

extension ServerConfiguration {
    /// The addresses that others call, as far as this process knows: the configured ones, or else its own listeners.
    ///
    /// - Parameter host: by which somebody has just called this machine.
    fileprivate func addresses(from host: String, _ ports: BoundPorts) async -> Console.Addresses {
        func origin(_ name: ListenerName, _ address: ListenAddress) async -> String {
            """
            \(process.tls == nil ? "http" : "https")://\(address.isEverywhere ? host : address.host.description):\
            \(await ports.port(name))
            """
        }
        let issuer = openID?.issuer
        var phones = gateway.publicURLs.first
        if phones == nil, process.role == .all { phones = await origin(.device, gateway.device) }
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
}
