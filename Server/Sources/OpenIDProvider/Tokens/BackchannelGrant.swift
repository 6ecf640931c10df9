import Authority
import BenjiProtocol
import Crypto
import Store

/// The grant `urn:openid:params:grant-type:ciba` (OpenID Connect CIBA Core 1.0 §10.1): a person's yes buys an access
/// token.
struct BackchannelGrant {
    static let type = "urn:openid:params:grant-type:ciba"

    let context: ProviderContext
    let pace: PollingPace

    /// - Parameter binding: what the token is bound to.
    func token(
        _ parameters: OpenIDParameters, _ client: KnownClient, _ binding: TokenBinding
    ) async throws(OpenIDFailure) -> JSON {
        guard client.record.backchannel != nil else {
            throw OpenIDFailure(.unauthorizedClient, "the app may not ask people on their phones")
        }
        let found = try await context.lookUp(try parameters.required("auth_req_id"))
        guard let request = found.credential, request.kind == .backchannel, request.appID == client.record.appID else {
            throw OpenIDFailure(.invalidGrant, "auth_req_id: unknown")
        }
        guard context.now < request.expiresAt else {
            throw OpenIDFailure(
                .expiredToken, "auth_req_id: has expired; nobody decided in time, or nobody asked in time")
        }
        switch found {
        case .live:
            guard pace.admits(request.hash, now: context.now) else {
                throw OpenIDFailure(
                    .slowDown, "ask less often: \(PollingPace.interval) seconds longer from one question to the next")
            }
            throw OpenIDFailure(.authorizationPending, "the person has not decided yet")
        case .spent: return try await token(agreedTo: request, client, binding)
        case .revoked, .unknown: throw OpenIDFailure(.accessDenied, "the request was ended")
        }
    }

    private func token(
        agreedTo request: OpenIDCredential, _ client: KnownClient, _ binding: TokenBinding
    ) async throws(OpenIDFailure) -> JSON {
        let found: OpenIDLookup
        do { found = try await context.store.openIDCredential(request.hash.agreed) } catch {
            throw OpenIDFailure(error)
        }
        guard let agreed = found.credential, agreed.kind == .agreed, agreed.appID == request.appID else {
            throw OpenIDFailure(.accessDenied, "the person refused")
        }
        var grant = try agreed.read { json throws(JSONError) in try OpenIDGrant(json) }
        // The operator may have changed the app since the person was asked.
        try client.checkBrowser(grant.scopes)
        let access = context.newCredential()
        grant.binding = binding
        var credential = agreed
        credential.hash = CredentialHash(of: access, .openID)
        credential.kind = .access
        credential.details = grant.json.text
        credential.issuedAt = context.now
        credential.expiresAt = context.now + .seconds(OpenIDLifetime.accessToken)
        // Made before the consent is spent, so that a fault on the way loses none.
        let idToken =
            grant.scopes.contains("openid")
            ? try await context.idToken(for: agreed, grant, client, accessToken: access) : nil
        try await spend(agreed, credential)
        return TokenEndpoint.response(access, grant.scopes, idToken: idToken, boundTo: binding)
    }

    private func spend(_ agreed: OpenIDCredential, _ access: OpenIDCredential) async throws(OpenIDFailure) {
        if let carrier = agreed.subject?.carrier { RequestSubject.current?.note(carrier: carrier) }
        let outcome = try await context.exchange(
            OpenIDExchange(hash: agreed.hash, kind: .agreed, appID: agreed.appID, now: context.now, next: access))
        let end: (situation: Situation, detail: String)
        switch outcome {
        case .spent: end = (.success, "the person's yes was exchanged")
        // Its access token stays valid: a client that is pinged and also polls may well ask twice, and only it can ask.
        case .alreadySpent: end = (.tokenSpent, "auth_req_id: was used before")
        case .expired: end = (.tokenExpired, "auth_req_id: has expired")
        case .revoked:
            end = (.subscriptionChanged, "auth_req_id: was ended, or the SIM or the owner of the number changed")
        case .unknown, .wrongApp, .quotaExceeded, .answered: end = (.tokenUnknown, "auth_req_id: unknown")
        }
        await context.tracer.record(agreed.trace, .appServer, "openid.token", end.situation, end.detail)
        guard end.situation == .success else {
            throw OpenIDFailure(end.situation == .tokenExpired ? .expiredToken : .invalidGrant, end.detail)
        }
    }
}

extension CredentialHash {
    /// The hash under which the consent to a backchannel request is kept. It follows from the request's hash, and no
    /// request can be made to have it. It sorts next to the request's hash: both begin with the time of issue.
    var agreed: CredentialHash {
        let hash = Array(bytes.suffix(32))
        return CredentialHash(
            bytes: bytes.dropLast(32) + Array(SHA256.hash(data: Array("benji backchannel agreed".utf8) + hash)))
    }
}
