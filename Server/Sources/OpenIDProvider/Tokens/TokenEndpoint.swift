import Authority
import BenjiProtocol
import Store

/// The token endpoint (RFC 6749 §3.2), for apps' servers.
struct TokenEndpoint: Sendable {
    let context: ProviderContext
    private let pace: PollingPace

    init(context: ProviderContext) {
        self.context = context
        pace = PollingPace(capacity: context.authority.configuration.rememberedCallers)
    }

    func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        let client = try await context.authenticate(credentials, at: .token)
        let parameters = credentials.parameters
        let binding = try await context.binding(of: credentials, client.record)
        switch try parameters.required("grant_type") {
        case "authorization_code":
            return try await AuthorizationCodeGrant(context: context).token(parameters, client, binding)
        case "client_credentials":
            return try await ClientCredentialsGrant(context: context).token(parameters, client, binding)
        case BackchannelGrant.type:
            return try await BackchannelGrant(context: context, pace: pace).token(parameters, client, binding)
        default:
            throw OpenIDFailure(
                .unsupportedGrantType,
                "grant_type: must be authorization_code, client_credentials or \(BackchannelGrant.type)")
        }
    }

    /// RFC 6749 §5.1. There is never a refresh token.
    ///
    /// - Parameter binding: what the token is bound to.
    static func response(
        _ access: String, _ scopes: [String], idToken: String? = nil, boundTo binding: TokenBinding
    ) -> JSON {
        .object([
            "access_token": .string(access), "token_type": .string(binding.tokenType),
            "expires_in": .integer(OpenIDLifetime.accessToken),
            "scope": .string(scopes.joined(separator: " ")), "id_token": idToken.map { .string($0) },
        ])
    }
}
