import Authority
import BenjiProtocol
import Store

/// Revocation of access tokens (RFC 7009). A client ends only its own tokens.
package struct RevocationEndpoint: Sendable {
    let context: ProviderContext

    /// Unknown tokens (RFC 7009 §2.2) and other clients' are answered as revoked.
    package func revoke(_ credentials: ClientCredentials) async throws(OpenIDFailure) {
        let client = try await context.authenticate(credentials, at: .revoke)
        guard case .live(let token) = try await context.lookUp(try credentials.parameters.required("token")),
            token.kind.isAccessToken, token.appID == client.record.appID
        else { return }
        try await context.revoke(family: token.family)
        await context.tracer.record(token.trace, .appServer, "openid.revoke", .success, "the token was revoked")
    }
}
