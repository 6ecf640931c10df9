import Authority
import BenjiProtocol
import Requests
import Sightings
import Store

/// Logins by a consent that was remembered: no page, because the person has agreed to that on one.
extension AuthorizationEndpoint {
    /// A code without a page, if the person's consent to this app is remembered in this browser and covers the request.
    /// `nil` if a page must be shown, or the app be told that one must.
    ///
    /// - Throws: the app's error for `prompt=none`, if a consent exists but does not suffice.
    func remembered(
        _ known: ValidRequest, _ call: OpenIDProvider.BrowserCall, _ sighting: Sighting,
        _ subscription: SubscriptionRecord, _ trace: TraceID
    ) async throws -> OpenIDStep? {
        let (request, record) = (known.request, known.client.record)
        guard record.remembersConsent else { return nil }
        /// Returns `nil`, or throws the error if the request asks for no page.
        func needs(_ error: OAuthError, _ detail: String) throws -> OpenIDStep? {
            guard !request.isSilent else { throw OpenIDFailure(error, detail) }
            return nil
        }
        guard call.destination == .window else {
            return try needs(.interactionRequired, "in a frame nobody is logged in without a page")
        }
        guard request.acceptsRemembered else {
            guard known.subjects == nil else { return nil }
            return try needs(
                .interactionRequired, "acr_values or the app's registration asks for a person who is there")
        }
        guard let secret = call.cookies[RememberedDetails.cookieName(of: record.appID)] else { return nil }
        guard network.limiter.admits(known.name(for: subscription.id), now: context.now) else {
            return try needs(.temporarilyUnavailable, "this app asked about this phone too often; try in a second")
        }
        // Another phone's consent counts as none, whatever is wrong with it: the answer must not reveal it.
        guard case .live(let consent) = try await context.lookUp(secret), consent.kind == .remembered,
            consent.appID == record.appID, consent.subject?.subscription == sighting.subscription,
            context.now < consent.expiresAt
        else { return nil }
        let details = try consent.read { json throws(JSONError) in try RememberedDetails(json) }
        // If the page would look different now, the person has agreed to something else.
        let page = try pages.parts(known.client, subscription, details.language, remembering: details.scopes)
        guard page.content.digest == details.contentDigest else { return nil }
        guard Set(request.scopes).isSubset(of: details.scopes) else {
            return try needs(.consentRequired, "scope: the person has agreed to less")
        }
        let subject = context.authority.vault.openID(subscription, app: record.appID)
        guard known.subjects?.contains(subject) ?? true else {
            return try needs(.loginRequired, "the phone is not of the account that was asked for")
        }
        // A clock that was put back knows no age.
        let age = (context.authority.clock.now - details.agreedAt).wholeMilliseconds
        guard 0 <= age, (age + 999) / 1000 <= request.maximumAge ?? .max else {
            return try needs(.loginRequired, "max_age: the person last tapped longer ago")
        }
        return try await grant(known, consent, details, sighting, subscription, trace)
    }

    /// One conditional write: the consent must hold in that instant, and a pushed request must be unspent.
    private func grant(
        _ known: ValidRequest, _ consent: OpenIDCredential, _ details: RememberedDetails, _ sighting: Sighting,
        _ subscription: SubscriptionRecord, _ trace: TraceID
    ) async throws -> OpenIDStep? {
        let app = known.client.record.appID
        try await context.takeRequestObject(known.object, of: app)
        let code = context.newCredential()
        var grant = OpenIDGrant(known.request, authenticatedAt: details.agreedAt)
        grant.context = .remembered
        let now = context.now
        var credential = OpenIDCredential(
            hash: CredentialHash(of: code, .openID), kind: .code, family: context.random.family(), appID: app,
            subject: OpenIDCredential.Subject(
                subscription: sighting.subscription, carrier: sighting.carrier, binding: sighting.binding),
            trace: trace, details: "", issuedAt: now, expiresAt: now + .seconds(OpenIDLifetime.code))
        grant.isBrief = context.isBrief(.remembered, app, for: subscription.id)
        let agreed = try evidence(known.request, consent, details, subscription, trace)
        if grant.isBrief { grant.pendingConsent = .init(agreed) }
        credential.details = grant.json.text
        let outcome = try await context.exchange(
            OpenIDExchange(
                hash: consent.hash, kind: .remembered, appID: app, now: now, next: credential,
                consent: grant.isBrief ? nil : agreed, end: .noted, pushed: known.pushed?.hash))
        switch outcome {
        case .spent: break
        case .alreadySpent: throw OpenIDFailure(.invalidRequestURI, "request_uri: was used before")
        // It ended while this request was under way.
        default: throw OpenIDFailure(.consentRequired, "the consent has ended")
        }
        await context.tracer.record(
            [
                context.tracer.event(trace, sighting: sighting, of: app),
                context.tracer.event(
                    trace, .authority, "openid.code", .success, "by a consent remembered in \(consent.trace.rawValue)"),
            ], isKept: !grant.isBrief)
        return context.response.code(code, for: known.request)
    }

    /// The authority's signed statement that the person was not asked, with the consent that it relies on.
    private func evidence(
        _ request: AuthorizationRequest, _ consent: OpenIDCredential, _ details: RememberedDetails,
        _ subscription: SubscriptionRecord, _ trace: TraceID
    ) throws -> ConsentEvidence {
        let usedAt = context.authority.clock.now
        let record = try CompactJWS.sign(
            header: [JSON.Member("typ", "benji-remembered-consent+jwt")],
            payload: .object([
                "iss": .string(context.configuration.issuer), "app": .string(consent.appID.rawValue),
                "trace": .string(trace.rawValue), "agreedIn": .string(consent.trace.rawValue),
                "contentDigest": .string(details.contentDigest),
                "scopes": .array(request.scopes.map { .string($0) }),
                "agreedAt": .integer(details.agreedAt.milliseconds), "usedAt": .integer(usedAt.milliseconds),
            ]), with: context.authority.vault.receiptSigner)
        return ConsentEvidence(
            appID: consent.appID, trace: trace, subscription: subscription.reference,
            contentDigest: details.contentDigest, record: record, assurance: AuthenticationContext.remembered.assurance,
            receivedAt: usedAt)
    }
}
