import Authority
import BenjiPage
import BenjiProtocol
import Requests
import Sightings
import Store

/// The authorization endpoint (RFC 6749 §3.1): which app sent this browser, and which phone is it?
struct AuthorizationEndpoint: Sendable {
    let context: ProviderContext
    let pages: LoginPages
    private let pushedRequests: PushedAuthorizationRequests
    let network: NetworkAuthorization
    /// Not shared with the SDK: any web page can cause this request, and must not use up what the person's apps may
    /// ask.
    let limiter: RateBucket<String>
    /// `nil` if the installation sends no messages.
    private let smsLogin: SMSLogin?
    /// Limits the pages for a code by SMS, by source address. Any caller may ask for one, and each is kept for a while.
    private let smsPageLimiter: RateBucket<String>

    init(
        context: ProviderContext, pages: LoginPages, pushedRequests: PushedAuthorizationRequests, smsLogin: SMSLogin?
    ) {
        self.smsLogin = smsLogin
        let configuration = context.authority.configuration
        smsPageLimiter = RateBucket(
            perSecond: 1, burst: configuration.prefetchesPerNumber, capacity: configuration.rememberedCallers)
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
        // Before anything is looked up, counted or kept: an invisible frame uses up nothing.
        if let problem = problem(of: call.destination, client.record) {
            throw .developer(OpenIDFailure(.invalidRequest, problem))
        }
        var returnTo = try? AuthorizationRequest.returnAddress(parameters, client: client.record)
        var state = parameters["state"]
        var isPosted = AuthorizationRequest.isPosted(parameters, client: client.record)
        do {
            let introduction = try await introduce(parameters, client, call)
            state = introduction.parameters["state"]
            isPosted = AuthorizationRequest.isPosted(introduction.parameters, client: client.record)
            returnTo = nil
            returnTo = try AuthorizationRequest.returnAddress(introduction.parameters, client: client.record)
            let request = try AuthorizationRequest(introduction.parameters, client: client.record)
            try client.checkBrowser(request.scopes)
            let subjects = try await context.requestedSubjects(introduction.parameters, of: client.record)
            return try await open(
                ValidRequest(
                    request: request, client: client, subjects: subjects, pushed: introduction.pushed,
                    object: introduction.object), call,
                isBySMS: parameters[OpenIDProvider.bySMS.name] == OpenIDProvider.bySMS.value)
        } catch let stop as OpenIDStop {
            throw await pages.named(stop, client)
        } catch {
            let failure = error as? OpenIDFailure ?? OpenIDFailure(.serverError, "something went wrong on our side")
            guard let returnTo else { throw .developer(failure) }
            return context.response.failed(failure, to: returnTo, state: state, isPosted: isPosted)
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
                // A login that is done already, or a person who took a while to switch mobile data on: not the app's
                // mistake.
                throw OpenIDStop.person(
                    .scripExpired, Language(wanted: call.languages),
                    otherWay: context.response.error(
                        .accessDenied, "the login took too long, or was done before",
                        to: try AuthorizationRequest.returnAddress(stored, client: client.record),
                        state: stored["state"]))
            }
            return Introduction(parameters: pushed.parameters, pushed: pushed.credential)
        }
        guard !client.record.takesPushedRequestsAlone else {
            throw OpenIDFailure(.invalidRequest, "request_uri: missing; the app's requests must be pushed (RFC 9126)")
        }
        let resolved = try context.effective(parameters, client)
        return Introduction(parameters: resolved.parameters, object: resolved.id)
    }

    /// The reason against showing an answer there, or `nil`.
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
    ///
    /// - Parameter isBySMS: whether the person chose a code by SMS if it is not.
    private func open(
        _ known: ValidRequest, _ call: OpenIDProvider.BrowserCall, isBySMS: Bool
    ) async throws -> OpenIDStep {
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
            let otherWay = context.response.otherWay(request)
            guard let source = call.source,
                known.client.canBeSentCode(by: smsLogin, request, after: error.situation)
            else {
                throw OpenIDStop.person(error.situation, language, otherWay: otherWay)
            }
            guard isBySMS else { throw OpenIDStop.offeringSMS(error.situation, language, otherWay: otherWay) }
            return try await openForCode(known, from: source, language, trace)
        }
        guard !request.isWithoutPage else {
            return try await network.grant(known, to: seen.sighting, seen.subscription, trace)
        }
        if let step = try await remembered(known, call, seen.sighting, seen.subscription, trace) { return step }
        // Without a page the app gets no number (decision 17). Nor may the answer show whether the phone belongs to an
        // account that the app names: the error is the same for every phone.
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
        // A frame of another site's has no cookie that a window has.
        let isOffered = record.remembersConsent && call.destination == .window
        let page = try pages.parts(
            known.client, seen.subscription, language, remembering: isOffered ? request.scopes : nil)
        let media = try await pages.media(of: record.appID)
        try await context.takeRequestObject(known.object, of: record.appID)
        let owner = OpenIDCredential.Subject(
            subscription: seen.sighting.subscription, carrier: seen.sighting.carrier, binding: seen.sighting.binding)
        let isBrief = context.isBrief(.page, record.appID, for: seen.subscription.id)
        let shown = try await show(page, .consent, known, language, media, trace, to: owner) {
            $0.offersRemembering = isOffered
            $0.isBrief = isBrief
        }
        await context.tracer.record(
            [
                context.tracer.event(trace, sighting: seen.sighting, of: record.appID),
                context.tracer.event(trace, .authority, "openid.page", .success, request.context.rawValue),
            ], isKept: !isBrief)
        return .page(shown)
    }

    /// Keeps the first page of a login for its answer.
    private func show(
        _ page: PageParts, _ stage: OpenIDPage.Stage, _ known: ValidRequest, _ language: Language,
        _ media: [String: String], _ trace: TraceID, to subject: OpenIDCredential.Subject?,
        for seconds: Int64 = OpenIDLifetime.page, _ change: (inout ShownPage) -> Void
    ) async throws -> OpenIDPage {
        let secret = context.newCredential()
        let browser = context.newSecret()
        let family = context.random.family()
        var shown = ShownPage(
            request: known.request, browser: LoginPages.hash(browser), language: language,
            shownAt: context.authority.clock.now,
            contentDigest: page.content.digest, pageDigest: page.pageDigest)
        shown.subjects = known.subjects?.sorted()
        shown.pushed = known.pushed.map { Base64URL.encode($0.hash.bytes) }
        change(&shown)
        let credential = OpenIDCredential(
            hash: CredentialHash(of: secret, .openID), kind: .page, family: family, appID: known.client.record.appID,
            subject: subject, trace: trace, details: shown.json.text, issuedAt: context.now,
            expiresAt: context.now + .seconds(seconds))
        try await pushedRequests.keep(credential, of: known.pushed, end: .kept)
        var shownPage = page.page(
            stage, secret: secret, language: language, redirectURI: known.request.redirectURI, media: media)
        shownPage.cookie = OpenIDPage.Cookie(name: LoginPages.cookieName(of: family), secret: browser)
        return shownPage
    }

    // MARK: - A code by SMS

    /// Shows the page that asks for the number.
    private func openForCode(
        _ known: ValidRequest, from source: InternetAddress, _ language: Language, _ trace: TraceID
    ) async throws -> OpenIDStep {
        guard smsPageLimiter.admits(SMSCodes.source(source), now: context.now) else {
            throw OpenIDStop.person(.tooManyRequests, language, otherWay: context.response.otherWay(known.request))
        }
        let app = known.client.record.appID
        let page = try pages.smsParts(known.client, language)
        let media = try await pages.media(of: app)
        try await context.takeRequestObject(known.object, of: app)
        // Nothing more is kept for an unknown visitor: messages and attempts are in the trace.
        return .page(
            try await show(
                page, .sms(SMSForm()), known, language, media, trace, to: nil, for: OpenIDLifetime.smsPage
            ) { shown in
                shown.isBySMS = true
                shown.request.context = .sms
            })
    }
}
