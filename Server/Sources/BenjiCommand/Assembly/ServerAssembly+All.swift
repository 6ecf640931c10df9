import Callbacks
import Gateway
import ServerHTTP
import ServiceLifecycle

extension ServerAssembly {
    /// Role *all*: gateway and authority in one process.
    func all(_ installation: Installation) async throws -> AssembledServer {
        let radSec = try configuration.radSecTLS()
        let gateway = try await gatewayService(register: installation.register, radSec: radSec)
        let shortMessages = shortMessages(installation)
        let notices = NoticeQueue()
        let openID = try openIDProvider(installation, shortMessages, notices: notices)
        let face = await faceLogin(installation)
        let tls = try configuration.listenerTLS()
        let administration = installation.administration
        let oneTap = oneTap
        let clockWatch = await clockWatch(installation)
        let syslog = auditSyslog(installation)
        let checks: [HealthEndpoints.Check] =
            [.init(installation.store), .init(installation.vault), .init(gateway)]
            + [shortMessages?.check, oneTap?.check, clockWatch?.check, syslog?.check].compactMap(\.self)
        let administrators = try administrationListener(
            administration, gateway: gateway, checks: checks, oneTap: oneTap, tls: tls)
        return server(
            installation,
            services: try authorityServices(
                installation, shortMessages: shortMessages, oneTap: oneTap, clockWatch: clockWatch, syslog: syslog,
                gateway: [gateway, ErasurePoller(register: installation.register, gateway: gateway, logger: logger)],
                face: face, notices: notices),
            listeners: [
                deviceListener(gateway: gateway, tls: tls) { scheme, sightings in
                    phoneRoutes(
                        installation, sms: smsLogin(installation, shortMessages), openID: openID, face: face,
                        sightings: sightings, scheme: scheme)
                },
                serverListener(installation.authority, openID: openID, face: face, tls: tls),
                try mutualTLSListener(installation.authority, openID),
                administrators,
            ].compactMap(\.self),
            checks: checks, radSec: radSec)
    }
}
