import Authority
import Endpoints
import Gateway
import OpenIDProvider

extension ServerAssembly {
    /// Role *all*: gateway and authority in one process.
    func all(_ installation: Installation) async throws -> AssembledServer {
        let gateway = try await gatewayService(register: installation.register)
        let openID = configuration.openID.map {
            OpenIDProvider(configuration: $0, authority: installation.authority, store: installation.store)
        }
        let face = await faceLogin(installation)
        let tls = try configuration.listenerTLS()
        return server(
            installation,
            services: [gateway, Maintenance(authority: installation.authority, face: face, logger: logger)],
            listeners: [
                deviceListener(
                    desk: installation.authority, openID: openID, face: face, browserTokens: installation.authority,
                    gateway: gateway, tls: tls),
                serverListener(installation.authority, openID: openID, face: face, tls: tls),
            ],
            checks: [.init(installation.store), .init(gateway)])
    }
}
