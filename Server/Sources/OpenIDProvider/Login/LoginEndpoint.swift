import Authority
import BenjiPage
import BenjiProtocol
import Sightings
import Store

extension OpenIDProvider {
    /// A page's form as it came back.
    package struct PageAnswer: Sendable {
        package var secret: String
        /// The button that was used: `login`, `agree` and `disagree` of the sheet, `digits`; anything else is a no.
        package var action: String
        package var isAgreed: Bool
        package var digits: String

        package init(secret: String, action: String, isAgreed: Bool, digits: String) {
            self.secret = secret
            self.action = action
            self.isAgreed = isAgreed
            self.digits = digits
        }
    }
}

/// Where the page's form goes: what a person did on the page buys a code.
struct LoginEndpoint: Sendable {
    private let context: ProviderContext
    private let pages: LoginPages
    private let guesses: any GuessStore
    /// Limits taps without the tick, for each page. They write nothing.
    private let tapLimiter: RateLimiter

    /// Wrong digits that may be typed for one number at one app in a day: ten of ten thousand. They are counted in the store,
    /// so that a restart gives no more of them.
    private static let digitTriesPerDay = 10
    /// Typed digits on one page.
    private static let digitTriesPerPage = 3

    init(context: ProviderContext, pages: LoginPages, guesses: any GuessStore) {
        self.context = context
        self.pages = pages
        self.guesses = guesses
        let configuration = context.authority.configuration
        tapLimiter = RateLimiter(
            limit: configuration.prefetchesPerNumber, window: .seconds(600),
            capacity: configuration.rememberedCallers)
    }

    /// A page that is shown, with everything that its answer is held against.
    private struct Visit {
        var credential: OpenIDCredential
        var shown: ShownPage
        var subscription: SubscriptionRecord
        var parts: PageParts
    }

    /// - Parameter call: of this request; its cookie must be the one that the page was shown with.
    func answer(
        _ answer: OpenIDProvider.PageAnswer, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep {
        let language = Language(wanted: call.languages)
        do {
            let found = try await context.lookUp(answer.secret)
            guard case .live(let credential) = found, credential.kind == .page, context.now < credential.expiresAt
            else { throw await overStop(found, call) }
            let shown = try credential.read { json throws(JSONError) in try ShownPage(json) }
            // Another browser, or another site that made this one send the form (CSRF): its cookie is not here.
            guard isShown(shown, credential, in: call) else {
                throw OpenIDStop.person(.consentInvalid, language, otherWay: nil)
            }
            do { return try await decide(answer, credential, shown, call) } catch {
                let trouble = error as? OpenIDStop
                let situation = trouble?.situation ?? .consentInvalid
                await record(credential, situation, call)
                if let trouble { throw await named(trouble, credential) }
                guard let failure = error as? OpenIDFailure else { throw error }
                return .redirect(
                    context.response.error(
                        failure.error, failure.detail, to: shown.request.redirectURI, state: shown.request.state))
            }
        } catch let stop as OpenIDStop {
            throw stop
        } catch {
            throw .person(.storeUnavailable, language, otherWay: nil)
        }
    }

    /// Whether it was this browser that the page was shown in.
    private func isShown(
        _ page: ShownPage, _ credential: OpenIDCredential, in call: OpenIDProvider.BrowserCall
    ) -> Bool {
        call.cookies[LoginPages.cookieName(of: credential.family)].map { page.browser == LoginPages.hash($0) } ?? false
    }

    /// A page that is over. The browser that it was shown in is led back to the app while the store remembers the page;
    /// another one must not learn whose login it was.
    private func overStop(_ page: OpenIDLookup, _ call: OpenIDProvider.BrowserCall) async -> OpenIDStop {
        guard let remembered = page.credential, remembered.kind == .page,
            let shown = try? remembered.read({ json throws(JSONError) in try ShownPage(json) }),
            isShown(shown, remembered, in: call)
        else { return .person(.scripExpired, Language(wanted: call.languages), otherWay: nil) }
        return await named(stop(.scripExpired, shown), remembered)
    }

    /// The person cannot go on, and is led back to the app.
    private func stop(_ situation: Situation, _ shown: ShownPage) -> OpenIDStop {
        .person(situation, shown.language, otherWay: context.response.otherWay(shown.request))
    }

    /// The stop with the app's name, if the app can still be found.
    private func named(_ stop: OpenIDStop, _ page: OpenIDCredential) async -> OpenIDStop {
        guard let client = try? await context.knownClient(page.appID.rawValue) else { return stop }
        return stop.named(client)
    }

    private func decide(
        _ answer: OpenIDProvider.PageAnswer, _ credential: OpenIDCredential, _ shown: ShownPage,
        _ call: OpenIDProvider.BrowserCall
    ) async throws -> OpenIDStep {
        let isDigits = shown.tappedAt != nil
        guard (isDigits ? ["digits"] : ["login", "agree", "disagree"]).contains(answer.action) else {
            _ = try await spend(credential, next: nil, shown)
            return .redirect(context.response.otherWay(shown.request))
        }
        let client = try await context.knownClient(credential.appID.rawValue)
        // The operator may have changed the app since the page was shown.
        guard client.record.redirectURIs.contains(shown.request.redirectURI) else {
            throw OpenIDStop.person(.scripExpired, shown.language, otherWay: nil)
        }
        try client.checkBrowser(shown.request.scopes)
        let seen: (sighting: Sighting, subscription: SubscriptionRecord)
        do { seen = try await context.authority.acceptedSighting(call.sighting) } catch {
            throw stop(error.situation, shown)
        }
        guard seen.sighting.subscription == credential.subject?.subscription else {
            throw stop(.subscriptionMismatch, shown)
        }
        let visit = Visit(
            credential: credential, shown: shown, subscription: seen.subscription,
            parts: try pages.parts(client, seen.subscription, shown.language))
        // If the page would look different now, the person has agreed to something else.
        guard visit.parts.content.digest == shown.contentDigest, visit.parts.pageDigest == shown.pageDigest else {
            throw stop(.scripExpired, shown)
        }
        return try await isDigits ? typed(answer.digits, visit) : tapped(answer, visit)
    }

    /// Writes a refused answer into the login's trace; not one that came from elsewhere than a phone, and not without end.
    private func record(
        _ credential: OpenIDCredential, _ situation: Situation, _ call: OpenIDProvider.BrowserCall
    ) async {
        let isSeen = if case .success = call.sighting { true } else { false }
        await context.tracer.record(
            [
                context.tracer.event(
                    credential.trace, .authority, "openid.answer", situation, "the page's answer was refused")
            ], isKept: isSeen && context.authority.mayTraceRefusal(of: "page \(credential.family)"))
    }

    private func tapped(_ answer: OpenIDProvider.PageAnswer, _ visit: Visit) async throws -> OpenIDStep {
        // A tap without the tick is answered by a sheet that asks for the yes, in the page's own words; a no there leads back to
        // the page.
        let isRefused = answer.action == "disagree"
        guard !isRefused, answer.isAgreed || answer.action == "agree" else {
            guard tapLimiter.admits("\(visit.credential.family)", now: context.now) else {
                throw stop(.tooManyRequests, visit.shown)
            }
            return try await page(isRefused ? .consent : .sheet, visit) { answer.secret }
        }
        var shown = visit.shown
        shown.tappedAt = context.authority.clock.now
        shown.isAgreedOnSheet = answer.action == "agree"
        guard shown.request.context == .networkAndDigits else { return try await grant(visit, shown) }
        return try await page(.digits(isRepeated: false), visit) { try await next(visit, shown) }
    }

    private func typed(_ digits: String, _ visit: Visit) async throws -> OpenIDStep {
        // By app, so that guesses made at one app shut nobody out of another.
        let guess = Guess(
            .digits(visit.credential.appID), of: visit.subscription.reference,
            isRight: digits.utf8.elementsEqual(visit.parts.hiddenDigits.utf8), now: context.now,
            limit: Self.digitTriesPerDay,
            window: .seconds(86400))
        let outcome: GuessOutcome
        do { outcome = try await guesses.settle(guess) } catch { throw OpenIDFailure(error) }
        switch outcome {
        case .right: return try await grant(visit, visit.shown)
        case .tooMany:
            throw stop(.tooManyRequests, visit.shown)
        case .wrong: break
        }
        var shown = visit.shown
        shown.wrongDigits += 1
        guard shown.wrongDigits < Int64(Self.digitTriesPerPage) else {
            _ = try await spend(visit.credential, next: nil, shown)
            throw OpenIDFailure(.accessDenied, "the digits were typed wrongly \(Self.digitTriesPerPage) times")
        }
        return try await page(.digits(isRepeated: true), visit) { try await next(visit, shown) }
    }

    /// - Parameter secret: made last, when nothing else can fail, because making it ends the page before.
    private func page(
        _ stage: OpenIDPage.Stage, _ visit: Visit, secret: () async throws -> String
    ) async throws -> OpenIDStep {
        let media = try await pages.media(of: visit.credential.appID)
        return .page(
            visit.parts.page(
                stage, secret: try await secret(), language: visit.shown.language,
                redirectURI: visit.shown.request.redirectURI, media: media))
    }

    /// The credential of the next page: a new one, so that the browser's back button gives no extra tries.
    private func next(_ visit: Visit, _ shown: ShownPage) async throws -> String {
        let secret = context.newCredential()
        var credential = visit.credential
        credential.hash = CredentialHash(of: secret, .openID)
        credential.details = shown.json.text
        try await spend(visit.credential, next: credential, shown)
        return secret
    }

    private func grant(_ visit: Visit, _ shown: ShownPage) async throws -> OpenIDStep {
        let code = context.newCredential()
        let now = context.now
        var credential = visit.credential
        credential.hash = CredentialHash(of: code, .openID)
        credential.kind = .code
        credential.details = OpenIDGrant(shown.request, authenticatedAt: context.authority.clock.now).json.text
        credential.issuedAt = now
        credential.expiresAt = now + .seconds(OpenIDLifetime.code)
        try await spend(visit.credential, next: credential, shown, consent: try evidence(visit, shown))
        await context.tracer.record([
            context.tracer.event(
                credential.trace, .device, "consent", .success,
                "tapped in a browser, \(shown.request.context.rawValue)"),
            context.tracer.event(credential.trace, .authority, "openid.code", .success, "a code was issued"),
        ])
        return context.response.code(code, for: shown.request)
    }

    private func spend(
        _ page: OpenIDCredential, next: OpenIDCredential?, _ shown: ShownPage, consent: ConsentEvidence? = nil
    ) async throws {
        let outcome = try await context.exchange(
            OpenIDExchange(
                hash: page.hash, kind: .page, appID: page.appID, now: context.now, next: next, consent: consent))
        switch outcome {
        case .spent: return
        case .revoked:
            throw stop(.subscriptionChanged, shown)
        default: throw stop(.scripExpired, shown)
        }
    }

    /// The consent record of a browser, which has no key of its own: the authority's signed word about which page it
    /// showed, in which browser, and when the tap came back (decision 25).
    private func evidence(_ visit: Visit, _ shown: ShownPage) throws -> ConsentEvidence {
        let tappedAt = shown.tappedAt ?? context.authority.clock.now
        let record = try CompactJWS.sign(
            header: [JSON.Member("typ", "benji-page-consent+jwt")],
            payload: .object([
                "iss": .string(context.configuration.issuer), "app": .string(visit.credential.appID.rawValue),
                "trace": .string(visit.credential.trace.rawValue), "browser": .string(shown.browser),
                "content": visit.parts.content.json, "contentDigest": .string(shown.contentDigest),
                "pageDigest": .string(shown.pageDigest),
                "scopes": .array(shown.request.scopes.map { .string($0) }),
                "shownAt": .integer(shown.shownAt.milliseconds), "tappedAt": .integer(tappedAt.milliseconds),
                "digitsTyped": .bool(shown.request.context == .networkAndDigits),
                "agreedBy": shown.isAgreedOnSheet ? "sheet" : "tick",
            ]), with: context.authority.vault.receiptSigner)
        return ConsentEvidence(
            appID: visit.credential.appID, trace: visit.credential.trace, subscription: visit.subscription.reference,
            contentDigest: shown.contentDigest, record: record, assurance: .net, receivedAt: tappedAt)
    }
}
