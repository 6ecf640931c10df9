import Authority
package import BenjiProtocol
import Sightings
import Store

/// Introspection of access tokens (RFC 7662). A client learns only about its own tokens.
package struct IntrospectionEndpoint: Sendable {
    let context: ProviderContext

    package func introspect(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        let client = try await context.authenticate(credentials, at: .introspect)
        guard case .live(let token) = try await context.lookUp(try credentials.parameters.required("token")),
            token.kind.isAccessToken, token.appID == client.record.appID,
            context.now < token.expiresAt
        else { return .object(["active": false]) }
        let grant = try token.read { json throws(JSONError) in try OpenIDGrant(json) }
        var subject: String?
        if let owner = token.subject?.subscription {
            let row: SubscriptionRecord?
            do { row = try await context.store.subscription(owner.subscription) } catch { throw OpenIDFailure(error) }
            // Judged as on use: a change of SIM or owner also ends the token.
            guard let row, row.reference == owner else { return .object(["active": false]) }
            subject = context.subject(row, grant, token.appID)
        }
        return .object([
            "active": true, "client_id": .string(token.appID.rawValue),
            "token_type": .string(grant.binding.tokenType), "cnf": grant.binding.confirmation,
            "scope": .string(grant.scopes.joined(separator: " ")), "sub": subject.map { .string($0) },
            "iss": .string(context.configuration.issuer), "iat": .integer(token.issuedAt.seconds),
            "exp": .integer(token.expiresAt.seconds), "acr": grant.context.map { .string($0.rawValue) },
            "amr": grant.context.map { .array($0.methods.map { .string($0) }) },
        ])
    }
}
