import Authority
import Callbacks
import Endpoints
import Link
import ServerHTTP
import ServerRuntime
import ServiceLifecycle

extension ServerAssembly {
    /// Role *authority*: decides for gateways in other processes, and answers apps' servers.
    func authority(_ installation: Installation) async throws -> AssembledServer {
        guard let address = configuration.gatewayListener else {
            throw ConfigurationError(key: "listen.gateways", problem: "missing; where do gateways call?")
        }
        let shortMessages = shortMessages(installation)
        let notices = NoticeQueue()
        let openID = try openIDProvider(installation, shortMessages, notices: notices)
        let face = await faceLogin(installation)
        let clockWatch = await clockWatch(installation)
        let syslog = auditSyslog(installation)
        let link = LinkEndpoints(
            forwarded: phoneRoutes(
                installation, sms: smsLogin(installation, shortMessages), openID: openID, face: face,
                sightings: StatedSightings()),
            register: installation.register,
            pairs: GatewayPairs(store: installation.store, pairs: configuration.gatewayPairs, clock: clock),
            gateways: configuration.gatewayCarriers,
            installation: installation.vault.installation, clock: clock, problem: { clockWatch?.problem })
        let tls = try configuration.process.listenerTLS()
        let administration = installation.administration
        let oneTap = oneTap
        let checks: [HealthEndpoints.Check] =
            [.init(installation.store), .init(installation.vault)]
            + [shortMessages?.check, oneTap?.check, clockWatch?.check, syslog?.check].compactMap(\.self)
        let administrators = try administrationListener(administration, checks: checks, oneTap: oneTap, tls: tls)
        return AssembledServer(
            process.server(
                services: try authorityServices(
                    installation, shortMessages: shortMessages, oneTap: oneTap, clockWatch: clockWatch, syslog: syslog,
                    face: face, notices: notices),
                listeners: [
                    ProcessAssembly.Listener(
                        name: .gateways, routes: link.routes, address: address,
                        tls: try RenewableTLS("mutual-tls") { [configuration] in
                            try configuration.process.linkTLS().serverIdentity
                        }),
                    serverListener(installation.authority, openID: openID, face: face, tls: tls),
                    try mutualTLSListener(installation.authority, openID),
                    administrators,
                ].compactMap(\.self),
                checks: checks), installation)
    }
}
