import Authority
import Endpoints
import Gateway
import OpenIDProvider

extension ServerAssembly {
    /// Role *all*: gateway and authority in one process.
    func all(_ installation: Installation) async throws -> AssembledServer {
        let gateway = try await gatewayService(register: installation.register)
        let shortMessages = shortMessages(installation)
        let openID = openIDProvider(installation, shortMessages)
        let face = await faceLogin(installation)
        let tls = try configuration.listenerTLS()
        let administration = installation.administration
        let administrators = try administrationListener(administration, tls: tls)
        return server(
            installation,
            services: (shortMessages?.services ?? []) + [
                gateway,
                ErasureNews(register: installation.register, gateway: gateway, logger: logger),
                Maintenance(
                    administration: administration, authority: installation.authority, face: face, logger: logger),
                try callbackDelivery(installation),
            ],
            listeners: [
                deviceListener(
                    desk: installation.authority, sms: smsLogin(installation, shortMessages),
                    browserTokens: installation.authority,
                    openID: openID.map { (decorations.openID($0), $0.configuration.pages) }, face: face?.deviceRoutes,
                    gateway: gateway, tls: tls),
                serverListener(installation.authority, openID: openID, face: face, tls: tls),
                administrators,
            ].compactMap(\.self),
            checks: [.init(installation.store), .init(installation.vault), .init(gateway)]
                + [shortMessages?.check].compactMap(\.self))
    }
}
