import Authority
import BenjiPage
package import BenjiProtocol
import Crypto
import Store

/// A browser arrives at `/authorize`: which app sent it, and which phone is this?
extension OpenIDProvider {
    /// What stands around a browser's request.
    package struct BrowserCall: Sendable {
        /// Where the browser says that the answer goes.
        package enum Place: Hashable, Sendable {
            case window
            /// A frame of a page of this origin, if the browser names one: `https://shop.example`.
            case frame(of: String?)
        }

        /// The secrets of the pages that are open in this browser, by the names of their cookies.
        package var cookies: [String: String]
        /// What `Accept-Language` asks for, best first.
        package var languages: [String]
        package var sighting: Result<Sighting, SightingRefusal>
        package var place: Place

        package init(
            cookies: [String: String], languages: [String], sighting: Result<Sighting, SightingRefusal>,
            place: Place = .window
        ) {
            self.cookies = cookies
            self.languages = languages
            self.sighting = sighting
            self.place = place
        }
    }

    /// The parameters that count, and where they came from.
    private struct Introduction {
        var parameters: OpenIDParameters
        var pushed: OpenIDCredential?
        /// The `jti` of the signed request object that they came in.
        var object: String?
    }

    /// A request of a client's that nothing is wrong with.
    struct KnownRequest {
        var request: AuthorizationRequest
        var client: KnownClient
        /// The accounts that it asks for; `nil` if it takes whoever is there.
        var subjects: Set<String>?
        var pushed: OpenIDCredential?
        var object: String?

        /// What the request is counted under: itself, if it is one that the app's server made and that counts once, or else app and
        /// phone. So nobody who shares the phone's connection uses up what the app's own requests may ask.
        func name(for subscription: Int64) -> String {
            let app = client.record.appID.rawValue
            if let pushed { return "\(app)/pushed/\(Base64URL.encode(pushed.hash.bytes))" }
            return object.map { "\(app)/signed/\($0)" } ?? "\(app)/\(subscription)"
        }
    }

    /// Nobody is sent anywhere before app and address are known to belong together; then the app hears what is wrong.
    package func authorize(_ parameters: OpenIDParameters, _ call: BrowserCall) async throws(OpenIDStop) -> OpenIDStep {
        let client: KnownClient
        do { client = try await knownClient(try parameters.required("client_id")) } catch { throw .developer(error) }
        // Before anything is looked up, counted or kept: a frame that nobody sees uses up nothing.
        if let problem = problem(of: call.place, client.record) {
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
            let subjects = try await requestedSubjects(introduction.parameters, of: client.record)
            return try await open(
                KnownRequest(
                    request: request, client: client, subjects: subjects, pushed: introduction.pushed,
                    object: introduction.object), call)
        } catch let stop as OpenIDStop {
            throw stop.named(client)
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
                    .scripExpired, Language(wanted: call.languages),
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
        let resolved = try effective(parameters, client)
        return Introduction(parameters: resolved.parameters, object: resolved.id)
    }

    /// What is wrong with showing an answer there, or `nil`.
    private func problem(of place: BrowserCall.Place, _ client: OpenIDClientRecord) -> String? {
        guard case .frame(let origin) = place else { return nil }
        guard !client.frameAncestors.isEmpty else {
            return "the page cannot be shown inside another page; the app's operator can allow it (--frame-ancestor)"
        }
        guard let origin else {
            return "the page around the frame must tell its origin: its Referrer-Policy must not be no-referrer"
        }
        // A link on a page of ours, which such a frame shows already.
        guard client.frameAncestors.contains(origin) || origin == configuration.pages else {
            return "the page around the frame is none that the app's operator allows (--frame-ancestor)"
        }
        return nil
    }

    /// Takes a signed request object, once: when it buys something, so that a phone that was not recognised can try again.
    func takeRequestObject(_ id: String?, of app: AppID) async throws(OpenIDFailure) {
        guard let id else { return }
        let name = "openid-request:" + Base64URL.encode(Array(SHA256.hash(data: Array(id.utf8))))
        let isNew: Bool
        do {
            isNew = try await store.takeName(
                name, app: app, until: now + .seconds(authority.configuration.messageMemory), now: now)
        } catch { throw OpenIDFailure(error) }
        guard isNew else { throw OpenIDFailure(.invalidRequestObject, "request: was used before; sign a new one") }
    }

    /// The parameters of a signed request object, or these.
    func effective(
        _ parameters: OpenIDParameters, _ client: KnownClient
    ) throws(OpenIDFailure) -> RequestObject.Resolved {
        try RequestObject.resolve(
            parameters, client: client.record, audiences: [configuration.issuer, url(.authorize), url(.push)],
            now: authority.clock.now)
    }

    /// Shows the page, if the phone is recognised.
    private func open(_ known: KnownRequest, _ call: BrowserCall) async throws -> OpenIDStep {
        let request = known.request
        let record = known.client.record
        let trace = TraceID(random: random)
        let language = Language(wanted: request.languages + call.languages)
        let seen: (sighting: Sighting, subscription: SubscriptionRecord)
        do { seen = try await authority.acceptedSighting(call.sighting, trace: trace) } catch {
            guard !request.isWithoutPage else { throw unrecognised(error) }
            guard !request.isSilent else {
                throw OpenIDFailure(.loginRequired, "\(error.situation.rawValue): \(error.detail)")
            }
            throw OpenIDStop.person(error.situation, language, otherWay: otherWay(request))
        }
        guard !request.isWithoutPage else {
            return try await grant(known, to: seen.sighting, seen.subscription, trace)
        }
        // No page, no number (decision 17): what is asked without a page cannot be answered. Nor may it tell whether the phone is
        // of an account that the app names: that is the same no for everybody.
        guard !request.isSilent else {
            guard known.subjects == nil else {
                throw OpenIDFailure(.loginRequired, "nobody is logged in without a page")
            }
            throw OpenIDFailure(.consentRequired, "a login needs the person's consent")
        }
        guard pageLimiter.admits(known.name(for: seen.subscription.id), now: now) else {
            throw OpenIDStop.person(.tooManyRequests, language, otherWay: otherWay(request))
        }
        let subject = authority.vault.openID(seen.subscription, app: record.appID)
        guard known.subjects?.contains(subject) ?? true else {
            throw OpenIDStop.otherAccount(
                language,
                wayBack: refusal(
                    .loginRequired, "the phone is not of the account that was asked for", to: request.redirectURI,
                    state: request.state))
        }
        let page = try pageParts(known.client, seen.subscription, language)
        let media = try await mediaDigests(of: record.appID)
        try await takeRequestObject(known.object, of: record.appID)
        let secret = newSecret()
        let browser = newSecret()
        let family = random.family()
        let shown = ShownPage(
            request: request, browser: Self.hash(browser), language: language, shownAt: authority.clock.now,
            contentDigest: page.content.digest)
        let credential = OpenIDCredential(
            hash: CredentialHash(of: secret), kind: .page, family: family, appID: record.appID,
            subject: OpenIDCredential.Subject(
                subscription: seen.sighting.subscription, carrier: seen.sighting.carrier,
                binding: seen.sighting.binding), trace: trace, details: shown.json.text, issuedAt: now,
            expiresAt: now + .seconds(Lifetime.page))
        try await store(credential, insteadOf: known.pushed)
        await authority.tracer.record([
            authority.tracer.event(trace, sighting: seen.sighting),
            authority.tracer.event(trace, .authority, "openid.page", .success, request.context.rawValue),
        ])
        var shownPage = page.page(
            .consent, secret: secret, language: language, redirectURI: request.redirectURI, media: media)
        shownPage.cookie = OpenIDPage.Cookie(name: Self.cookieName(of: family), secret: browser)
        return .page(shownPage)
    }

    /// The name of the cookie of one login's pages: each has its own, so that no other page ends them.
    static func cookieName(of family: Int64) -> String {
        "benji-" + Hexadecimal.encode(withUnsafeBytes(of: family.bigEndian) { Array($0) })
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
