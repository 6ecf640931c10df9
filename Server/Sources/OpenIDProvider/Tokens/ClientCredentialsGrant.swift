import Authority
import BenjiProtocol
import Store

/// The grant `client_credentials` (RFC 6749 §4.4): a token without a subject. The number comes with the call, and the
/// token is good for as many calls as fit into its life; each is billed.
struct ClientCredentialsGrant {
    let context: ProviderContext

    func token(
        _ parameters: OpenIDParameters, _ client: KnownClient, _ binding: TokenBinding
    ) async throws(OpenIDFailure) -> JSON {
        let asked = Set(try parameters.required("scope").split(separator: " ").map(String.init))
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidScope, "scope: \(detail)") }
        guard CAMARAScopes.areAsked(asked) else { throw refuse("client_credentials is for CAMARA's interfaces") }
        guard !asked.contains("openid") else { throw refuse("openid names a person; this grant has none") }
        let scopes = try CAMARAScopes.granted(asked, of: client.record)
        guard !scopes.contains(where: { CAMARAScope(rawValue: $0)?.isOfNumberVerification == true }) else {
            throw refuse("number verification needs the phone's network, by authorization_code")
        }
        try client.check(scopes)
        let secret = context.newCredential()
        let credential = OpenIDCredential(
            hash: CredentialHash(of: secret, .openID), kind: .access, family: context.random.family(),
            appID: client.record.appID,
            subject: nil, trace: TraceID(at: context.now, random: context.random),
            details: OpenIDGrant(scopes: scopes, issuedAt: context.authority.clock.now, binding: binding).json.text,
            issuedAt: context.now,
            expiresAt: context.now + .seconds(OpenIDLifetime.accessToken))
        try await context.insert(credential)
        await context.tracer.record(
            credential.trace, .appServer, "openid.client-credentials", .success, "a token of the app's own was issued")
        return TokenEndpoint.response(secret, scopes, boundTo: binding)
    }
}
