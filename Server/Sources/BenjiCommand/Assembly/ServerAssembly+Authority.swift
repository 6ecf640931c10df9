import Authority
import Endpoints
import OpenIDProvider

extension ServerAssembly {
    /// Role *authority*: decides for gateways in other processes, and answers apps' servers.
    func authority(_ installation: Installation) async throws -> AssembledServer {
        guard let address = configuration.gatewayListener else {
            throw ConfigurationError(key: "listen.gateways", problem: "missing; where do gateways call?")
        }
        let shortMessages = shortMessages(installation)
        let openID = openIDProvider(installation, shortMessages)
        let face = await faceLogin(installation)
        let link = LinkEndpoints(
            desk: installation.authority, sms: smsLogin(installation, shortMessages),
            openID: openID.map { .init(desk: $0, pages: $0.configuration.pages) },
            face: face?.requests, register: installation.register,
            pairs: GatewayPairs(store: installation.store, pairs: configuration.gatewayPairs, clock: clock),
            gateways: configuration.gatewayCarriers,
            installation: installation.vault.installation, clock: clock)
        let tls = try configuration.listenerTLS()
        let administration = installation.administration
        let administrators = try administrationListener(administration, tls: tls)
        return server(
            installation,
            services: (shortMessages?.services ?? []) + [
                Maintenance(
                    administration: administration, authority: installation.authority, face: face, logger: logger),
                try callbackDelivery(installation),
            ],
            listeners: [
                Listener(
                    name: .gateways, routes: link.routes, address: address,
                    tls: try RenewableTLS("mutual-tls") { [configuration] in try configuration.linkTLS().serverIdentity
                    }),
                serverListener(installation.authority, openID: openID, face: face, tls: tls),
                administrators,
            ].compactMap(\.self),
            checks: [.init(installation.store), .init(installation.vault)] + [shortMessages?.check].compactMap(\.self))
    }
}

extension ServerConfiguration {
    /// The certificate of the listeners for phones and apps' servers; `nil` if they speak plain HTTP.
    func listenerTLS() throws -> RenewableTLS? {
        try tls.map { identity in try RenewableTLS("tls") { try ServerCertificate(identity).identity } }
    }

    /// This end's certificate for the link.
    func linkTLS() throws(ConfigurationError) -> LinkTLS {
        guard let mutualTLS else {
            throw ConfigurationError(
                key: "mutual-tls.certificate", problem: "missing; roles that are apart talk over mutual TLS")
        }
        do {
            return try LinkTLS(
                certificatePath: mutualTLS.identity.certificate, keyPath: mutualTLS.identity.key,
                authorityPath: mutualTLS.certificateAuthority)
        } catch { throw ConfigurationError(key: "mutual-tls", problem: error.problem) }
    }
}
