internal import BenjiPage
public import BenjiProtocol
internal import Store

/// A browser arrives at `/authorize`: which app sent it, and which phone is this?
extension OpenIDProvider {
    /// What stands around a browser's request.
    public struct BrowserCall: Sendable {
        /// The secret in the browser's cookie, or a new one that it is given with the answer.
        public var browser: String
        /// What `Accept-Language` asks for, best first.
        public var languages: [String]
        public var sighting: Result<Sighting, SightingRefusal>
        /// Whether the browser says that the answer goes into a frame of another page, where no page of ours is shown.
        public var isFramed: Bool

        public init(
            browser: String, languages: [String], sighting: Result<Sighting, SightingRefusal>, isFramed: Bool = false
        ) {
            self.browser = browser
            self.languages = languages
            self.sighting = sighting
            self.isFramed = isFramed
        }
    }

    /// The parameters that count, and where they came from.
    private struct Introduction {
        var parameters: OpenIDParameters
        var pushed: OpenIDCredential?
    }

    /// Nobody is sent anywhere before app and address are known to belong together; then the app hears what is wrong.
    public func authorize(_ parameters: OpenIDParameters, _ call: BrowserCall) async throws(OpenIDStop) -> OpenIDStep {
        let client: KnownClient
        do { client = try await knownClient(try parameters.required("client_id")) } catch { throw .developer(error) }
        var returnTo = try? AuthorizationRequest.returnAddress(parameters, client: client.record)
        var state = parameters["state"]
        do {
            let introduction = try await introduce(parameters, client, call)
            state = introduction.parameters["state"]
            returnTo = nil
            returnTo = try AuthorizationRequest.returnAddress(introduction.parameters, client: client.record)
            let request = try AuthorizationRequest(introduction.parameters, client: client.record)
            try client.checkBrowser(request.scopes)
            return try await open(request, of: client.record, insteadOf: introduction.pushed, call)
        } catch let stop as OpenIDStop {
            throw stop
        } catch {
            let failure = error as? OpenIDFailure ?? OpenIDFailure(.serverError, "something went wrong on our side")
            guard let returnTo else { throw .developer(failure) }
            return .redirect(refusal(failure.error, failure.detail, to: returnTo, state: state))
        }
    }

    /// Takes pushed and signed requests apart.
    private func introduce(
        _ parameters: OpenIDParameters, _ client: KnownClient, _ call: BrowserCall
    ) async throws -> Introduction {
        if let uri = parameters["request_uri"] {
            guard uri.hasPrefix(Self.pushedPrefix) else {
                throw OpenIDFailure(.requestURINotSupported, "request_uri: only those of pushed requests (RFC 9126)")
            }
            let found = try await lookUp(String(uri.dropFirst(Self.pushedPrefix.count)))
            guard let pushed = found.credential, pushed.kind == .pushed, pushed.appID == client.record.appID else {
                throw OpenIDFailure(.invalidRequestURI, "request_uri: unknown")
            }
            let stored = try pushed.read { json throws(JSONError) in try Self.parameters(json) }
            guard case .live = found, now < pushed.expiresAt else {
                // Where there is never a page, nobody loads one again.
                guard !CAMARAScopes.areAsked(Set((stored["scope"] ?? "").split(separator: " ").map(String.init))) else {
                    throw OpenIDFailure(
                        .invalidRequestURI, "request_uri: used, or older than \(Lifetime.pushedRequest) seconds")
                }
                // A page that was loaded again (RFC 9126 §4), or a person who took a while to switch mobile data on: not the app's
                // mistake.
                throw OpenIDStop.person(
                    .scripExpired, PageLanguage(wanted: call.languages),
                    otherWay: refusal(
                        .accessDenied, "the login took too long, or its page was loaded again",
                        to: try AuthorizationRequest.returnAddress(stored, client: client.record),
                        state: stored["state"]))
            }
            return Introduction(parameters: stored, pushed: pushed)
        }
        guard !client.record.requiresPushedRequests else {
            throw OpenIDFailure(.invalidRequest, "request_uri: missing; the app's requests must be pushed (RFC 9126)")
        }
        return Introduction(parameters: try effective(parameters, client), pushed: nil)
    }

    /// The parameters of a signed request object, or these.
    func effective(_ parameters: OpenIDParameters, _ client: KnownClient) throws(OpenIDFailure) -> OpenIDParameters {
        try RequestObject.resolve(
            parameters, client: client.record, audiences: [configuration.issuer, url(.authorize), url(.push)],
            now: authority.clock.now)
    }

    /// Shows the page, if the phone is recognised.
    private func open(
        _ request: AuthorizationRequest, of record: OpenIDClientRecord, insteadOf pushed: OpenIDCredential?,
        _ call: BrowserCall
    ) async throws -> OpenIDStep {
        let trace = TraceID(random: random)
        let language = PageLanguage(wanted: request.languages + call.languages)
        let seen: (sighting: Sighting, subscription: SubscriptionRecord)
        do { seen = try await authority.acceptedSighting(call.sighting, trace: trace) } catch {
            guard !request.isWithoutPage else { throw unrecognised(error) }
            guard !request.isSilent else {
                throw OpenIDFailure(.loginRequired, "\(error.situation.rawValue): \(error.detail)")
            }
            throw OpenIDStop.person(error.situation, language, otherWay: otherWay(request))
        }
        guard !request.isWithoutPage else {
            return try await grant(request, of: record, to: seen.sighting, insteadOf: pushed, trace)
        }
        // No page, no number (decision 17): what is asked without a page cannot be answered.
        guard !request.isSilent else { throw OpenIDFailure(.consentRequired, "a login needs the person's consent") }
        guard !call.isFramed else {
            throw OpenIDStop.developer(OpenIDFailure(.invalidRequest, "the page cannot be shown inside another page"))
        }
        try checkOften(record.appID, seen.subscription, request, language)
        let page = try pageParts(record, seen.subscription, language)
        let media = try await mediaDigests(of: record.appID)
        let secret = newSecret()
        let shown = ShownPage(
            request: request, browser: Self.hash(call.browser), language: language, shownAt: authority.clock.now,
            contentDigest: page.content.digest)
        let credential = OpenIDCredential(
            hash: CredentialHash(of: secret), kind: .page, family: random.family(), appID: record.appID,
            subject: OpenIDCredential.Subject(
                subscription: seen.sighting.subscription, carrier: seen.sighting.carrier,
                binding: seen.sighting.binding), trace: trace, details: shown.json.text, issuedAt: now,
            expiresAt: now + .seconds(Lifetime.page))
        try await store(credential, insteadOf: pushed)
        await authority.tracer.record(
            trace, .gateway, "sighting", .success, "\(seen.sighting.carrier.rawValue), by \(seen.sighting.gateway)")
        await authority.tracer.record(trace, .authority, "openid.page", .success, request.context.rawValue)
        return .page(
            page.page(
                .consent, secret: secret, language: language, redirectURI: request.redirectURI, media: media))
    }

    /// - Throws: a notice when this app's page was asked for too often on this phone.
    func checkOften(
        _ app: AppID, _ subscription: SubscriptionRecord, _ request: AuthorizationRequest, _ language: PageLanguage
    ) throws(OpenIDStop) {
        guard pageLimiter.admits("\(app.rawValue)/\(subscription.id)", now: now) else {
            throw .person(.tooManyRequests, language, otherWay: otherWay(request))
        }
    }

    /// Keeps the first credential of a login, in the place of the pushed request if there was one.
    func store(_ credential: OpenIDCredential, insteadOf pushed: OpenIDCredential?) async throws {
        guard let pushed else {
            do { return try await store.insertOpenIDCredential(credential) } catch { throw OpenIDFailure(error) }
        }
        let outcome = try await exchange(
            OpenIDExchange(hash: pushed.hash, kind: .pushed, appID: pushed.appID, now: now, next: credential))
        guard case .spent = outcome else { throw OpenIDFailure(.invalidRequestURI, "request_uri: was used before") }
    }

    // MARK: - Answers by way of the browser

    /// The app gets its code.
    func landing(_ request: AuthorizationRequest, code: String) -> OpenIDStep {
        .redirect(
            FormText.adding(
                ["code": code, "state": request.state, "iss": configuration.issuer], to: request.redirectURI))
    }

    /// The app hears that the person wants another way.
    func otherWay(_ request: AuthorizationRequest) -> String {
        refusal(.accessDenied, "the person chose another way to log in", to: request.redirectURI, state: request.state)
    }

    func refusal(_ error: OAuthError, _ detail: String, to uri: String, state: String?) -> String {
        // RFC 6749 §4.1.2.1: no quotation marks and no backslashes.
        let detail = detail.filter { $0.isASCII && $0 != "\"" && $0 != "\\" }
        return FormText.adding(
            ["error": error.rawValue, "error_description": detail, "state": state, "iss": configuration.issuer],
            to: uri)
    }
}
