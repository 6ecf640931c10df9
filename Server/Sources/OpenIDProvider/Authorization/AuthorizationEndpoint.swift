import Authority
import BenjiPage
import BenjiProtocol
import Sightings
import Store

/// The authorization endpoint (RFC 6749 §3.1): which app sent this browser, and which phone is it?
struct AuthorizationEndpoint: Sendable {
    private let context: ProviderContext
    private let pages: LoginPages
    private let pushedRequests: PushedAuthorizationRequests
    let network: NetworkAuthorization
    /// Not shared with the SDK: any web page can cause this request, and must not use up what the person's apps may
    /// ask.
    let limiter: RateBucket<String>

    init(context: ProviderContext, pages: LoginPages, pushedRequests: PushedAuthorizationRequests) {
        self.context = context
        self.pages = pages
        self.pushedRequests = pushedRequests
        network = NetworkAuthorization(context: context, pushedRequests: pushedRequests)
        limiter = context.newLimiter()
    }

    /// The parameters that count, and where they came from.
    private struct Introduction {
        var parameters: OpenIDParameters
        var pushed: OpenIDCredential?
        /// The `jti` of the signed request object that they came in.
        var object: String?
    }

    /// Redirects only to a redirect URI that the client registered; earlier errors are shown as a page.
    func authorize(
        _ parameters: OpenIDParameters, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        let client: KnownClient
        do { client = try await context.knownClient(try parameters.required("client_id")) } catch {
            throw .developer(error)
        }
        // Before anything is looked up, counted or kept: a frame that nobody sees uses up nothing.
        if let problem = problem(of: call.destination, client.record) {
            throw .developer(OpenIDFailure(.invalidRequest, problem))
        }
        var returnTo = try? AuthorizationRequest.returnAddress(parameters, client: client.record)
        var state = parameters["state"]
        do {
            let introduction = try await introduce(parameters, client, call)
            state = introduction.parameters["state"]
            returnTo = nil
            returnTo = try AuthorizationRequest.returnAddress(introduction.parameters, client: client.record)
            let request = try AuthorizationRequest(introduction.parameters, client: client.record)
            try client.checkBrowser(request.scopes)
            let subjects = try await context.requestedSubjects(introduction.parameters, of: client.record)
            return try await open(
                ValidRequest(
                    request: request, client: client, subjects: subjects, pushed: introduction.pushed,
                    object: introduction.object), call)
        } catch let stop as OpenIDStop {
            throw stop.named(client)
        } catch {
            let failure = error as? OpenIDFailure ?? OpenIDFailure(.serverError, "something went wrong on our side")
            guard let returnTo else { throw .developer(failure) }
            return .redirect(context.response.error(failure.error, failure.detail, to: returnTo, state: state))
        }
    }

    /// The request's parameters, whether pushed, signed or plain.
    private func introduce(
        _ parameters: OpenIDParameters, _ client: KnownClient, _ call: OpenIDProvider.BrowserCall
    ) async throws -> Introduction {
        if let uri = parameters["request_uri"] {
            let pushed = try await pushedRequests.find(uri, of: client)
            guard pushed.isLive else {
                let stored = pushed.parameters
                // CAMARA requests have no page, so this cannot be a reload.
                guard !CAMARAScopes.areAsked(Set((stored["scope"] ?? "").split(separator: " ").map(String.init))) else {
                    throw OpenIDFailure(
                        .invalidRequestURI, "request_uri: used, or older than \(OpenIDLifetime.pushedRequest) seconds")
                }
                // A page that was loaded again (RFC 9126 §4), or a person who took a while to switch mobile data on: not the app's
                // mistake.
                throw OpenIDStop.person(
                    .scripExpired, Language(wanted: call.languages),
                    otherWay: context.response.error(
                        .accessDenied, "the login took too long, or its page was loaded again",
                        to: try AuthorizationRequest.returnAddress(stored, client: client.record),
                        state: stored["state"]))
            }
            return Introduction(parameters: pushed.parameters, pushed: pushed.credential)
        }
        guard !client.record.requiresPushedRequests else {
            throw OpenIDFailure(.invalidRequest, "request_uri: missing; the app's requests must be pushed (RFC 9126)")
        }
        let resolved = try context.effective(parameters, client)
        return Introduction(parameters: resolved.parameters, object: resolved.id)
    }

    /// What is wrong with showing an answer there, or `nil`.
    private func problem(of destination: OpenIDProvider.BrowserCall.Destination, _ client: OpenIDClientRecord)
        -> String?
    {
        guard case .frame(let origin) = destination else { return nil }
        guard !client.frameAncestors.isEmpty else {
            return "the page cannot be shown inside another page; the app's operator can allow it (--frame-ancestor)"
        }
        guard let origin else {
            return "the page around the frame must tell its origin: its Referrer-Policy must not be no-referrer"
        }
        // A link on a page of ours, which such a frame shows already.
        guard client.frameAncestors.contains(origin) || origin == context.configuration.pages else {
            return "the page around the frame is none that the app's operator allows (--frame-ancestor)"
        }
        return nil
    }

    /// Shows the page, if the phone is recognised.
    private func open(_ known: ValidRequest, _ call: OpenIDProvider.BrowserCall) async throws -> OpenIDStep {
        let request = known.request
        let record = known.client.record
        let trace = TraceID(at: context.now, random: context.random)
        let language = Language(wanted: request.languages + call.languages)
        let seen: (sighting: Sighting, subscription: SubscriptionRecord)
        do { seen = try await context.authority.acceptedSighting(call.sighting) } catch {
            guard !request.isWithoutPage else { throw network.unrecognised(error) }
            guard !request.isSilent else {
                throw OpenIDFailure(.loginRequired, "\(error.situation.rawValue): \(error.detail)")
            }
            throw OpenIDStop.person(error.situation, language, otherWay: context.response.otherWay(request))
        }
        guard !request.isWithoutPage else {
            return try await network.grant(known, to: seen.sighting, seen.subscription, trace)
        }
        // Without a page the app gets no number (decision 17). Nor may the answer tell whether the phone is of an
        // account that the app names: the error is the same whoever's phone it is.
        guard !request.isSilent else {
            guard known.subjects == nil else {
                throw OpenIDFailure(.loginRequired, "nobody is logged in without a page")
            }
            throw OpenIDFailure(.consentRequired, "a login needs the person's consent")
        }
        guard limiter.admits(known.name(for: seen.subscription.id), now: context.now) else {
            throw OpenIDStop.person(.tooManyRequests, language, otherWay: context.response.otherWay(request))
        }
        let subject = context.authority.vault.openID(seen.subscription, app: record.appID)
        guard known.subjects?.contains(subject) ?? true else {
            throw OpenIDStop.otherAccount(
                language,
                wayBack: context.response.error(
                    .loginRequired, "the phone is not of the account that was asked for", to: request.redirectURI,
                    state: request.state))
        }
        let page = try pages.parts(known.client, seen.subscription, language)
        let media = try await pages.media(of: record.appID)
        try await context.takeRequestObject(known.object, of: record.appID)
        let secret = context.newCredential()
        let browser = context.newSecret()
        let family = context.random.family()
        let shown = ShownPage(
            request: request, browser: LoginPages.hash(browser), language: language,
            shownAt: context.authority.clock.now,
            contentDigest: page.content.digest, pageDigest: page.pageDigest)
        let credential = OpenIDCredential(
            hash: CredentialHash(of: secret, .openID), kind: .page, family: family, appID: record.appID,
            subject: OpenIDCredential.Subject(
                subscription: seen.sighting.subscription, carrier: seen.sighting.carrier,
                binding: seen.sighting.binding), trace: trace, details: shown.json.text, issuedAt: context.now,
            expiresAt: context.now + .seconds(OpenIDLifetime.page))
        try await pushedRequests.keep(credential, insteadOf: known.pushed)
        await context.tracer.record([
            context.tracer.event(trace, sighting: seen.sighting, of: record.appID),
            context.tracer.event(trace, .authority, "openid.page", .success, request.context.rawValue),
        ])
        var shownPage = page.page(
            .consent, secret: secret, language: language, redirectURI: request.redirectURI, media: media)
        shownPage.cookie = OpenIDPage.Cookie(name: LoginPages.cookieName(of: family), secret: browser)
        return .page(shownPage)
    }
}
