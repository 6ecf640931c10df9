import Authority
import BenjiProtocol
import Store

/// Mutual TLS (RFC 8705).
extension ProviderContext {
    /// The client whose certificate the connection has (§2).
    func client(_ id: String, by certificate: ClientCertificate) async throws(OpenIDFailure) -> KnownClient {
        func refuse(_ detail: String) -> OpenIDFailure {
            OpenIDFailure(.invalidClient, "the client certificate \(detail)")
        }
        let client = try await knownClient(id)
        let record = client.record
        guard record.authentication.usesCertificate else {
            throw OpenIDFailure(.invalidClient, "the app is registered for \(record.authentication.rawValue)")
        }
        let now = authority.clock.now
        guard certificate.isCurrent(at: now) else { throw refuse("has expired, or does not count yet") }
        if record.authentication == .tlsClientAuth {
            guard let name = record.certificateName, certificate.has(name) else {
                throw refuse("does not have the name that is registered")
            }
            guard await clientAuthorities?.haveSigned(certificate, at: now) == true else {
                throw refuse("is not signed, for clients, by an authority that is trusted here")
            }
        } else {
            let registered: [[UInt8]]
            do { registered = try record.keySet.map { try ClientKeySet(parsing: $0).certificates } ?? [] } catch {
                throw OpenIDFailure(.serverError, "the client's key set cannot be read")
            }
            guard registered.contains(certificate.bytes) else { throw refuse("is not the one that is registered") }
        }
        return client
    }

    /// The binding of the access token that a request buys.
    func binding(of credentials: ClientCredentials, _ client: OpenIDClientRecord) async throws(OpenIDFailure)
        -> TokenBinding
    {
        var binding = TokenBinding()
        if client.bindsToCertificate {
            guard let certificate = credentials.certificate, certificate.isCurrent(at: authority.clock.now) else {
                throw OpenIDFailure(
                    .invalidRequest,
                    "the client's access tokens are bound to its certificate: call the mtls_endpoint_aliases with it")
            }
            binding.certificate = certificate.thumbprint
        }
        binding.key = try await provenKey(credentials.proof, of: client)
        guard binding.key != nil || !client.takesKeyBoundTokensAlone else {
            throw OpenIDFailure(.invalidDPoPProof, "DPoP: missing; the client's access tokens are bound to a key")
        }
        return binding
    }

    /// Whether a call may use an access token: over a connection with the certificate that it is bound to (§3), and
    /// with the key.
    func checkPossession(
        of binding: TokenBinding, _ call: OpenIDProvider.BearerCall, of client: OpenIDClientRecord
    ) async throws(OpenIDFailure) {
        if let certificate = binding.certificate {
            guard let shown = call.certificate, shown.thumbprint == certificate,
                shown.isCurrent(at: authority.clock.now)
            else {
                throw OpenIDFailure(
                    .invalidToken,
                    "the access token is bound to a certificate: call the mtls_endpoint_aliases with that one")
            }
        } else if client.bindsToCertificate {
            throw OpenIDFailure(
                .invalidToken, "the access token is not bound to a certificate, and the client's must be")
        }
        try await checkPossession(of: binding.key, call, of: client)
    }
}
