import Authority
package import BenjiProtocol
import Store

/// Revocation (RFC 7009) and introspection (RFC 7662) of access tokens. A client learns and ends what is its own.
extension OpenIDProvider {
    /// Quiet about tokens that are unknown or another client's: there is nothing to tell apart.
    package func revoke(_ credentials: ClientCredentials) async throws(OpenIDFailure) {
        let client = try await authenticate(credentials, at: .revoke)
        guard case .live(let token) = try await lookUp(try credentials.parameters.required("token")),
            token.kind == .access, token.appID == client.record.appID
        else { return }
        do { try await store.revokeOpenIDCredentials(family: token.family) } catch { throw OpenIDFailure(error) }
        await authority.tracer.record(token.trace, .appServer, "openid.revoke", .success, "the token was revoked")
    }

    package func introspect(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        let client = try await authenticate(credentials, at: .introspect)
        guard case .live(let token) = try await lookUp(try credentials.parameters.required("token")),
            token.kind == .access, token.appID == client.record.appID, now < token.expiresAt
        else { return .object(["active": false]) }
        let grant = try token.read { json throws(JSONError) in try OpenIDGrant(json) }
        var subject: String?
        if let owner = token.subject?.subscription {
            let row: SubscriptionRecord?
            do { row = try await store.subscription(owner.subscription) } catch { throw OpenIDFailure(error) }
            // As a call that shows it would be told: another SIM has ended it too.
            guard let row, row.reference == owner else { return .object(["active": false]) }
            subject = self.subject(row, grant, token.appID)
        }
        return .object([
            "active": true, "client_id": .string(token.appID.rawValue), "token_type": "Bearer",
            "scope": .string(grant.scopes.joined(separator: " ")), "sub": subject.map { .string($0) },
            "iss": .string(configuration.issuer), "iat": .integer(token.issuedAt.seconds),
            "exp": .integer(token.expiresAt.seconds), "acr": grant.context.map { .string($0.rawValue) },
            "amr": grant.context.map { .array($0.methods.map { .string($0) }) },
        ])
    }
}
