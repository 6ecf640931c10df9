import Authority
import BenjiProtocol
import Crypto
import Sightings
import Store

/// The grant `authorization_code` (RFC 6749 §4.1.3): a code buys an ID token and an access token.
struct AuthorizationCodeGrant {
    let context: ProviderContext

    /// - Parameter binding: what the token is bound to.
    func token(
        _ parameters: OpenIDParameters, _ client: KnownClient, _ binding: TokenBinding
    ) async throws(OpenIDFailure) -> JSON {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidGrant, detail) }
        let secret = try parameters.required("code")
        guard let code = try await context.lookUp(secret).credential, code.kind == .code,
            code.appID == client.record.appID
        else { throw refuse("code: unknown") }
        let grant = try code.read { json throws(JSONError) in try OpenIDGrant(json) }
        guard parameters["redirect_uri"] == grant.redirectURI else {
            throw refuse("redirect_uri: is not the one of the authorization request")
        }
        // A verifier without a challenge: somebody took PKCE out of the request (RFC 9700 §4.8.2).
        if !grant.challenge.isEmpty || parameters["code_verifier"] != nil {
            // RFC 7636 §4.1, §4.6: none is a wrong one.
            guard let verifier = parameters["code_verifier"], (43...128).contains(verifier.utf8.count),
                Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) == grant.challenge
            else { throw refuse("code_verifier: does not belong to the code_challenge") }
        }
        guard grant.binding.key == nil || grant.binding.key == binding.key else {
            throw refuse("code: is bound to another key (dpop_jkt)")
        }

        // The operator may have changed the app since the code was issued.
        try client.check(grant.scopes)
        try client.check(grant.context)

        let access = context.newCredential()
        let now = context.now
        var credential = code
        credential.hash = CredentialHash(of: access, .openID)
        credential.kind = .access
        var next = grant
        (next.redirectURI, next.challenge, next.nonce) = ("", "", nil)
        (next.isBrief, next.pendingConsent) = (false, nil)
        next.binding = binding
        credential.details = next.json.text
        credential.issuedAt = now
        credential.expiresAt = now + .seconds(OpenIDLifetime.accessToken)
        // Made before the code is spent, so that a fault on the way loses no login. Without the scope openid it is a
        // plain OAuth grant, and identifies no person.
        let idToken =
            grant.scopes.contains("openid")
            ? try await context.idToken(for: code, grant, client, accessToken: access) : nil
        try await spend(code, credential, grant)
        return TokenEndpoint.response(access, grant.scopes, idToken: idToken, boundTo: binding)
    }

    private func spend(
        _ code: OpenIDCredential, _ access: OpenIDCredential, _ grant: OpenIDGrant
    ) async throws(OpenIDFailure) {
        if let carrier = code.subject?.carrier { RequestSubject.current?.note(carrier: carrier) }
        let outcome = try await context.exchange(
            OpenIDExchange(
                hash: code.hash, kind: .code, appID: code.appID, now: context.now, next: access,
                consent: grant.pendingConsent?.evidence(of: code)))
        let end: (situation: Situation, detail: String)
        switch outcome {
        case .spent: end = (.success, "the code was exchanged")
        case .alreadySpent:
            // A second use means that the code may be stolen: all its tokens are revoked (RFC 6749 §4.1.2).
            try await context.revoke(family: code.family)
            end = (.tokenSpent, "code: was used before; what it had bought is revoked")
        case .expired: end = (.tokenExpired, "code: is older than \(OpenIDLifetime.code) seconds")
        case .revoked:
            end = (.subscriptionChanged, "code: was revoked, or the SIM or the owner of the number changed")
        case .unknown, .wrongApp, .quotaExceeded, .answered: end = (.tokenUnknown, "code: unknown")
        }
        // Of a brief login no earlier step says whose it is.
        let holder = grant.isBrief && end.situation == .success ? code.subject?.subscription : nil
        await context.tracer.record([
            context.tracer.event(
                code.trace, .appServer, "openid.token", end.situation, end.detail,
                of: holder.map { TraceEvent.Login(app: code.appID, subscription: $0.subscription, epoch: $0.epoch) })
        ])
        guard end.situation == .success else { throw OpenIDFailure(.invalidGrant, end.detail) }
    }
}

extension ProviderContext {
    /// OpenID Connect Core §2.
    func idToken(
        for credential: OpenIDCredential, _ grant: OpenIDGrant, _ client: KnownClient, accessToken: String
    ) async throws(OpenIDFailure) -> String {
        let issued = authority.clock.now.seconds
        let payload = JSON.object([
            "iss": .string(configuration.issuer),
            "sub": .string(subject(try await subscription(credential), grant, credential.appID)),
            "aud": .string(credential.appID.rawValue), "exp": .integer(issued + OpenIDLifetime.idToken),
            "iat": .integer(issued),
            "auth_time": .integer(grant.authenticatedAt.seconds), "nonce": grant.nonce.map { .string($0) },
            "acr": grant.context.map { .string($0.rawValue) },
            "amr": grant.context.map { .array($0.methods.map { .string($0) }) },
            // §3.1.3.6: the left half of the hash.
            "at_hash": .string(Base64URL.encode(Array(SHA256.hash(data: Array(accessToken.utf8))).prefix(16))),
        ])
        do { return try await clients.keys.sign(payload, client.record.idTokenAlgorithm) } catch {
            throw OpenIDFailure(error)
        }
    }
}
