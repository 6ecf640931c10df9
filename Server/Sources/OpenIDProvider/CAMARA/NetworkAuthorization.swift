import Authority
import BenjiProtocol
import Requests
import Sightings
import Store

/// Authorization by the phone's network alone, as number verification asks for it: a code, and no page.
struct NetworkAuthorization: Sendable {
    private let context: ProviderContext
    private let pushedRequests: PushedAuthorizationRequests
    /// Not shared with pages: invisible requests must not use up the budget of visible ones.
    let limiter: RateBucket<String>

    init(context: ProviderContext, pushedRequests: PushedAuthorizationRequests) {
        self.context = context
        self.pushedRequests = pushedRequests
        limiter = context.newLimiter()
    }

    /// A code at once: the network says whose phone it is, and the person is not asked (`prompt=none` is implied).
    func grant(
        _ known: ValidRequest, to sighting: Sighting, _ subscription: SubscriptionRecord, _ trace: TraceID
    ) async throws -> OpenIDStep {
        let request = known.request
        let client = known.client.record
        let person = sighting.subscription.subscription
        guard limiter.admits(known.name(for: person), now: context.now) else {
            throw OpenIDFailure(.temporarilyUnavailable, "this app asked about this phone too often; try in a second")
        }
        var grant = OpenIDGrant(request, authenticatedAt: context.authority.clock.now)
        if client.stableSubjectWithoutPage {
            let subject = context.authority.vault.openID(subscription, app: client.appID)
            guard known.subjects?.contains(subject) ?? true else {
                throw OpenIDFailure(.accessDenied, "the phone is not of the account that was asked for")
            }
        } else {
            // The person was not asked, so the app must not recognise them. It gets a random `sub`, and does not learn
            // whether the phone belongs to an account that it names.
            guard known.subjects == nil else {
                throw OpenIDFailure(
                    .accessDenied, "without a page no account can be asked for; the app's record has no stable sub")
            }
            grant.subject = context.newSecret()
        }
        try await context.takeRequestObject(known.object, of: client.appID)
        grant.isBrief = context.isBrief(.network, client.appID, for: person)
        let code = context.newCredential()
        let credential = OpenIDCredential(
            hash: CredentialHash(of: code, .openID), kind: .code, family: context.random.family(), appID: client.appID,
            subject: OpenIDCredential.Subject(
                subscription: sighting.subscription, carrier: sighting.carrier, binding: sighting.binding),
            trace: trace, details: grant.json.text, issuedAt: context.now,
            expiresAt: context.now + .seconds(OpenIDLifetime.code))
        try await pushedRequests.keep(credential, of: known.pushed)
        await context.tracer.record(
            [
                context.tracer.event(trace, sighting: sighting, of: client.appID),
                context.tracer.event(
                    trace, .authority, "openid.code", .success, "issued by the network alone, for \(request.purpose)"),
            ], isKept: !grant.isBrief)
        return context.response.code(code, for: request)
    }

    /// The app's error when the network does not know the phone. The profile's list of errors has no `login_required`.
    func unrecognised(_ refusal: Refusal) -> OpenIDFailure {
        let unavailable: Set<Situation> = [.storeUnavailable, .overloaded, .internalError]
        return OpenIDFailure(
            unavailable.contains(refusal.situation) ? .temporarilyUnavailable : .accessDenied,
            "\(refusal.situation.rawValue): \(refusal.detail)")
    }
}

extension AuthorizationRequest {
    /// The one scope that says what the answer is for.
    var purpose: String { scopes.first(where: CAMARAScopes.isPurpose) ?? "login" }
}
