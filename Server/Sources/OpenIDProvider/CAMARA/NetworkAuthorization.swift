import Authority
import BenjiProtocol
import Store

/// How tokens for CAMARA's interfaces are earned: by a phone's network and no page, or by an app for itself.
extension OpenIDProvider {
    /// A code at once: whose phone it is the network says, and nobody is asked (`prompt=none` is implied).
    func grant(
        _ known: KnownRequest, to sighting: Sighting, _ subscription: SubscriptionRecord, _ trace: TraceID
    ) async throws -> OpenIDStep {
        let request = known.request
        let client = known.client.record
        let person = sighting.subscription.subscription
        guard networkLimiter.admits(known.name(for: person), now: now) else {
            throw OpenIDFailure(.temporarilyUnavailable, "this app asked about this phone too often; try in a second")
        }
        var grant = OpenIDGrant(request, authenticatedAt: authority.clock.now)
        if client.stableSubjectWithoutPage {
            let subject = authority.vault.openID(subscription, app: client.appID)
            guard known.subjects?.contains(subject) ?? true else {
                throw OpenIDFailure(.accessDenied, "the phone is not of the account that was asked for")
            }
        } else {
            // Nobody was asked, so the app must not learn who comes back: a name that tells nothing, also not whether it is the
            // account that the app names.
            guard known.subjects == nil else {
                throw OpenIDFailure(
                    .accessDenied, "without a page no account can be asked for; the app's record has no stable sub")
            }
            grant.subject = newSecret()
        }
        try await takeRequestObject(known.object, of: client.appID)
        let code = newSecret()
        let credential = OpenIDCredential(
            hash: CredentialHash(of: code), kind: .code, family: random.family(), appID: client.appID,
            subject: OpenIDCredential.Subject(
                subscription: sighting.subscription, carrier: sighting.carrier, binding: sighting.binding),
            trace: trace, details: grant.json.text, issuedAt: now,
            expiresAt: now + .seconds(Lifetime.code))
        try await store(credential, insteadOf: known.pushed)
        await authority.tracer.record([
            authority.tracer.event(trace, sighting: sighting),
            authority.tracer.event(
                trace, .authority, "openid.code", .success, "issued by the network alone, for \(request.purpose)"),
        ])
        return landing(request, code: code)
    }

    /// What the app hears when the network does not know the phone. The profile's list of errors has no
    /// `login_required`.
    func unrecognised(_ failure: DeviceFailure) -> OpenIDFailure {
        let unavailable: Set<Situation> = [.storeUnavailable, .overloaded, .internalError]
        return OpenIDFailure(
            unavailable.contains(failure.situation) ? .temporarilyUnavailable : .accessDenied,
            "\(failure.situation.rawValue): \(failure.detail)")
    }

    /// The grant `client_credentials` (RFC 6749 §4.4): a token that stands for nobody. The number comes with the call, and
    /// the token is good for as many calls as fit into its life; each is billed.
    func ownToken(_ parameters: OpenIDParameters, _ client: KnownClient) async throws(OpenIDFailure) -> JSON {
        let asked = Set(try parameters.required("scope").split(separator: " ").map(String.init))
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidScope, "scope: \(detail)") }
        guard CAMARAScopes.areAsked(asked) else { throw refuse("client_credentials is for CAMARA's interfaces") }
        guard !asked.contains("openid") else { throw refuse("openid names a person; this grant has none") }
        let scopes = try CAMARAScopes.granted(asked, of: client.record)
        guard !scopes.contains(where: { CAMARAScope(rawValue: $0)?.isOfNumberVerification == true }) else {
            throw refuse("number verification needs the phone's network, by authorization_code")
        }
        try client.check(scopes)
        let secret = newSecret()
        let credential = OpenIDCredential(
            hash: CredentialHash(of: secret), kind: .access, family: random.family(), appID: client.record.appID,
            subject: nil, trace: TraceID(random: random),
            details: OpenIDGrant(scopes: scopes, issuedAt: authority.clock.now).json.text, issuedAt: now,
            expiresAt: now + .seconds(Lifetime.accessToken))
        do { try await store.insertOpenIDCredential(credential) } catch { throw OpenIDFailure(error) }
        await authority.tracer.record(
            credential.trace, .appServer, "openid.token", .success, "a token of the app's own was issued")
        return Self.tokenAnswer(secret, scopes)
    }
}

extension AuthorizationRequest {
    /// The one scope that says what the answer is for.
    var purpose: String { scopes.first(where: CAMARAScopes.isPurpose) ?? "login" }
}
