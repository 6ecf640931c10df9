import Authority
import BenjiProtocol
import Store

/// The token endpoint (RFC 6749 §3.2), for apps' servers.
struct TokenEndpoint: Sendable {
    let context: ProviderContext

    func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        let client = try await context.authenticate(credentials, at: .token)
        let parameters = credentials.parameters
        switch try parameters.required("grant_type") {
        case "authorization_code": return try await AuthorizationCodeGrant(context: context).token(parameters, client)
        case "client_credentials": return try await ClientCredentialsGrant(context: context).token(parameters, client)
        default:
            throw OpenIDFailure(
                .unsupportedGrantType, "grant_type: must be authorization_code or client_credentials")
        }
    }

    /// RFC 6749 §5.1. There is never a refresh token.
    static func response(_ access: String, _ scopes: [String], idToken: String? = nil) -> JSON {
        .object([
            "access_token": .string(access), "token_type": "Bearer", "expires_in": .integer(OpenIDLifetime.accessToken),
            "scope": .string(scopes.joined(separator: " ")), "id_token": idToken.map { .string($0) },
        ])
    }
}
