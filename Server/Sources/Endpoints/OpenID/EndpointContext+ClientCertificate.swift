import NIOSSL
import OpenIDProvider
import ServerHTTP

extension EndpointContext {
    /// ``peerCertificate()`` as OpenID's clients show it, who may have signed it themselves.
    func clientCertificate() async -> ClientCertificate? {
        guard let bytes = try? await peerCertificate()?.toDERBytes() else { return nil }
        return ClientCertificate(bytes)
    }
}
