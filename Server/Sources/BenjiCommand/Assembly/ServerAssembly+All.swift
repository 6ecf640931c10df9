import Callbacks
import Gateway
import ServerHTTP
import ServerRuntime
import ServiceLifecycle

extension ServerAssembly {
    /// Role *all*: gateway and authority in one process.
    func all(_ installation: Installation) async throws -> AssembledServer {
        let radSec = try configuration.gateway.radSecTLS()
        let gateway = try await self.gateway.service(register: installation.register, radSec: radSec)
        let shortMessages = shortMessages(installation)
        let notices = NoticeQueue()
        let openID = try openIDProvider(installation, shortMessages, notices: notices)
        let face = await faceLogin(installation)
        let tls = try configuration.process.listenerTLS()
        let administration = installation.administration
        let oneTap = oneTap
        let clockWatch = await clockWatch(installation)
        let syslog = auditSyslog(installation)
        let checks: [HealthEndpoints.Check] =
            [.init(installation.store), .init(installation.vault), .init(gateway)]
            + [shortMessages?.check, oneTap?.check, clockWatch?.check, syslog?.check].compactMap(\.self)
        let administrators = try administrationListener(
            administration, gateway: gateway, checks: checks, oneTap: oneTap, tls: tls)
        return AssembledServer(
            process.server(
                services: try authorityServices(
                    installation, shortMessages: shortMessages, oneTap: oneTap, clockWatch: clockWatch, syslog: syslog,
                    gateway: [
                        gateway, ErasurePoller(register: installation.register, gateway: gateway, logger: logger),
                    ],
                    face: face, notices: notices),
                listeners: [
                    self.gateway.deviceListener(gateway: gateway, tls: tls) { scheme, sightings in
                        phoneRoutes(
                            installation, sms: smsLogin(installation, shortMessages), openID: openID, face: face,
                            sightings: sightings, scheme: scheme)
                    },
                    serverListener(installation.authority, openID: openID, face: face, tls: tls),
                    try mutualTLSListener(installation.authority, openID),
                    administrators,
                ].compactMap(\.self),
                checks: checks, radSec: radSec), installation)
    }
}
