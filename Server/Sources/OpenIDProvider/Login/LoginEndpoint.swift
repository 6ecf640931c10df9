import Authority
import BenjiPage
import BenjiProtocol
import Requests
import Sightings
import Store

extension OpenIDProvider {
    /// A page's form as it came back.
    package struct PageAnswer: Sendable {
        package var secret: String
        /// The button that was used: `login`; `agree` and `disagree` of the sheet; `digits`; `sms` of a notice. A page
        /// for a code by SMS has `send`, `number` and `code`. Anything else is a no.
        package var action: String
        package var isAgreed: Bool
        /// Whether the box is ticked that has the consent remembered.
        package var isRemembered: Bool
        /// Those that the mask hides, or of a code.
        package var digits: String
        /// The number that a code is to be sent to, as it was typed.
        package var number: String
        /// By what the code is known that was sent.
        package var transaction: String

        package init(
            secret: String, action: String, isAgreed: Bool, digits: String, number: String = "",
            transaction: String = "", isRemembered: Bool = false
        ) {
            self.isRemembered = isRemembered
            self.number = number
            self.transaction = transaction
            self.secret = secret
            self.action = action
            self.isAgreed = isAgreed
            self.digits = digits
        }
    }
}

/// Where the page's form goes: what a person did on the page buys a code.
struct LoginEndpoint: Sendable {
    let context: ProviderContext
    let pages: LoginPages
    private let guesses: any GuessStore
    /// `nil` if the installation sends no messages.
    let smsLogin: SMSLogin?
    let lastCodes: LastCodes
    /// Limits taps without the tick, and other answers that write nothing, for each page.
    let tapLimiter: RateLimiter
    /// Limits how often one number's consents to one app are remembered again.
    let rememberLimiter: RateLimiter

    /// In a day; after that a login goes on, and is not remembered.
    static let rememberedPerDay = 10
    /// Wrong digits that may be typed for one number at one app in a day: ten of ten thousand. They are counted in the
    /// store, so that a restart gives no more of them.
    private static let digitTriesPerDay = 10
    /// Typed digits on one page.
    private static let digitTriesPerPage = 3

    init(context: ProviderContext, pages: LoginPages, guesses: any GuessStore, smsLogin: SMSLogin?) {
        self.context = context
        self.smsLogin = smsLogin
        self.pages = pages
        self.guesses = guesses
        let configuration = context.authority.configuration
        lastCodes = LastCodes(capacity: configuration.rememberedCallers)
        tapLimiter = RateLimiter(
            limit: configuration.prefetchesPerNumber, window: .seconds(600),
            capacity: configuration.rememberedCallers)
        rememberLimiter = RateLimiter(
            limit: Self.rememberedPerDay, window: .seconds(86400), capacity: configuration.rememberedCallers)
    }

    /// A page that is shown, with everything that its answer is held against.
    struct Visit {
        var credential: OpenIDCredential
        var shown: ShownPage
        var subscription: SubscriptionRecord
        var parts: PageParts
        /// The cookie by which this browser is known to the app, if it has one.
        var rememberedCookie: String?
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
            do {
                return try await shown.isBySMS
                    ? answerForCode(answer, credential, shown, call) : decide(answer, credential, shown, call)
            } catch {
                let trouble = error as? OpenIDStop
                let situation = trouble?.situation ?? .consentInvalid
                await record(credential, situation, call, isBrief: shown.isBrief)
                if let trouble { throw await named(trouble, credential) }
                guard let failure = error as? OpenIDFailure else { throw error }
                return context.response.failed(
                    failure, to: shown.request.redirectURI, state: shown.request.state,
                    isPosted: shown.request.isPosted)
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

    /// The stop for a page that is over. The browser that showed it is led back to the app while the store remembers
    /// the page. Another browser must not learn whose login it was.
    private func overStop(_ page: OpenIDLookup, _ call: OpenIDProvider.BrowserCall) async -> OpenIDStop {
        guard let remembered = page.credential,
            let shown = try? remembered.read({ json throws(JSONError) in try ShownPage(json) }),
            isShown(shown, remembered, in: call)
        else { return .person(.scripExpired, Language(wanted: call.languages), otherWay: nil) }
        return await named(stop(.scripExpired, shown), remembered)
    }

    /// The person cannot go on, and is led back to the app.
    func stop(_ situation: Situation, _ shown: ShownPage) -> OpenIDStop {
        .person(situation, shown.language, otherWay: context.response.otherWay(shown.request))
    }

    /// The stop with the app's name, if the app can still be found.
    private func named(_ stop: OpenIDStop, _ page: OpenIDCredential) async -> OpenIDStop {
        guard let client = try? await context.knownClient(page.appID.rawValue) else { return stop }
        return await pages.named(stop, client)
    }

    private func decide(
        _ answer: OpenIDProvider.PageAnswer, _ credential: OpenIDCredential, _ shown: ShownPage,
        _ call: OpenIDProvider.BrowserCall
    ) async throws -> OpenIDStep {
        let isDigits = shown.tappedAt != nil
        guard (isDigits ? ["digits", "sms"] : ["login", "agree", "disagree", "sms"]).contains(answer.action) else {
            _ = try await spend(credential, next: nil, shown)
            return context.response.turnedDown(shown.request)
        }
        let client = try await client(of: credential, shown)
        guard answer.action != "sms" else { return try await turnToCode(client, credential, shown, call) }
        let seen: (sighting: Sighting, subscription: SubscriptionRecord)
        do { seen = try await context.authority.acceptedSighting(call.sighting) } catch {
            guard call.source != nil, client.canBeSentCode(by: smsLogin, shown.request, after: error.situation) else {
                throw stop(error.situation, shown)
            }
            throw OpenIDStop.offeringSMS(
                error.situation, shown.language, otherWay: context.response.otherWay(shown.request))
        }
        guard seen.sighting.subscription == credential.subject?.subscription else {
            throw stop(.subscriptionMismatch, shown)
        }
        let visit = Visit(
            credential: credential, shown: shown, subscription: seen.subscription,
            parts: try pages.parts(
                client, seen.subscription, shown.language,
                remembering: shown.offersRemembering && client.record.remembersConsent ? shown.request.scopes : nil),
            rememberedCookie: call.cookies[RememberedDetails.cookieName(of: credential.appID)])
        // If the page would look different now, the person has agreed to something else.
        guard visit.parts.isWhatWasShown(shown) else { throw stop(.scripExpired, shown) }
        return try await isDigits ? typed(answer.digits, visit) : tapped(answer, visit)
    }

    /// The client of a page, as the app is registered now: the operator may have changed it since the page was shown.
    func client(of page: OpenIDCredential, _ shown: ShownPage) async throws -> KnownClient {
        let client = try await context.knownClient(page.appID.rawValue)
        guard client.record.redirectURIs.contains(shown.request.redirectURI) else {
            throw OpenIDStop.person(.scripExpired, shown.language, otherWay: nil)
        }
        try client.checkBrowser(shown.request.scopes)
        return client
    }

    /// Writes a refused answer into the login's trace; not one that came from elsewhere than a phone, and not without
    /// end. It is counted by app and the phone that answers, because pages cost nothing.
    private func record(
        _ credential: OpenIDCredential, _ situation: Situation, _ call: OpenIDProvider.BrowserCall, isBrief: Bool
    ) async {
        var isKept = false
        if !isBrief, case .success(let sighting) = call.sighting {
            isKept = context.authority.mayTraceRefusal(
                of: "page \(credential.appID.rawValue)/\(sighting.subscription.subscription)")
        }
        await context.tracer.record(
            [
                context.tracer.event(
                    credential.trace, .authority, "openid.answer", situation, "the page's answer was refused")
            ], isKept: isKept)
    }

    private func tapped(_ answer: OpenIDProvider.PageAnswer, _ visit: Visit) async throws -> OpenIDStep {
        // A tap without the tick is answered by a sheet that asks for consent, in the page's own words. A no on the
        // sheet leads back to the page.
        let isRefused = answer.action == "disagree"
        guard !isRefused, answer.isAgreed || answer.action == "agree" else {
            guard tapLimiter.admits("\(visit.credential.family)", now: context.now) else {
                throw stop(.tooManyRequests, visit.shown)
            }
            return try await page(isRefused ? .consent : .sheet, visit, isRemembered: answer.isRemembered) {
                answer.secret
            }
        }
        var shown = visit.shown
        shown.tappedAt = context.authority.clock.now
        shown.isAgreedOnSheet = answer.action == "agree"
        shown.isRemembered = shown.offersRemembering && answer.isRemembered
        guard shown.request.context == .networkAndDigits else { return try await grant(visit, shown) }
        return try await page(.digits(isRepeated: false), visit, isRemembered: false) { try await next(visit, shown) }
    }

    private func typed(_ digits: String, _ visit: Visit) async throws -> OpenIDStep {
        // By app, so that guesses at one app lock no subscriber out of another.
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
        return try await page(.digits(isRepeated: true), visit, isRemembered: false) { try await next(visit, shown) }
    }

    /// - Parameter secret: made last, when nothing else can fail, because making it ends the page before.
    private func page(
        _ stage: OpenIDPage.Stage, _ visit: Visit, isRemembered: Bool, secret: () async throws -> String
    ) async throws -> OpenIDStep {
        let media = try await pages.media(of: visit.credential.appID)
        return .page(
            visit.parts.page(
                stage, secret: try await secret(), language: visit.shown.language,
                redirectURI: visit.shown.request.redirectURI, media: media, isRemembered: isRemembered))
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

    func grant(_ visit: Visit, _ shown: ShownPage) async throws -> OpenIDStep {
        let code = context.newCredential()
        let now = context.now
        let authenticatedAt = context.authority.clock.now
        var credential = visit.credential
        credential.hash = CredentialHash(of: code, .openID)
        credential.kind = .code
        credential.issuedAt = now
        credential.expiresAt = now + .seconds(OpenIDLifetime.code)
        let remembered = rememberedConsent(visit, shown, agreedAt: authenticatedAt)
        let consent = try evidence(visit, shown)
        // A remembered consent must be shown later, and has a limit per day.
        let isPending = shown.isBrief && remembered == nil
        var grant = OpenIDGrant(shown.request, authenticatedAt: authenticatedAt)
        grant.isBrief = shown.isBrief
        if isPending { grant.pendingConsent = .init(consent) }
        credential.details = grant.json.text
        try await spend(
            visit.credential, next: credential, shown, remembered: remembered?.credential,
            forgotten: try await forgottenConsent(visit, shown, remembered?.credential),
            consent: isPending ? nil : consent)
        await context.tracer.record(
            [
                context.tracer.event(
                    credential.trace, .device, "consent", .success,
                    "tapped in a browser, \(shown.request.context.rawValue)",
                    of: shown.isBySMS
                        ? .init(
                            app: credential.appID, subscription: visit.subscription.id, epoch: visit.subscription.epoch)
                        : nil),
                context.tracer.event(credential.trace, .authority, "openid.code", .success, "a code was issued"),
            ], isKept: !shown.isBrief)
        let step = context.response.code(code, for: shown.request)
        return remembered.map { OpenIDStep.remembering($0.cookie, step) } ?? step
    }

    /// The consent that the person wants remembered, and the cookie that it is known by.
    private func rememberedConsent(
        _ visit: Visit, _ shown: ShownPage, agreedAt: Timestamp
    ) -> (credential: OpenIDCredential, cookie: OpenIDPage.Cookie)? {
        guard shown.isRemembered,
            rememberLimiter.admits("\(visit.subscription.id) \(visit.credential.appID.rawValue)", now: context.now)
        else { return nil }
        let secret = context.newCredential()
        var credential = visit.credential
        credential.hash = CredentialHash(of: secret, .openID)
        credential.kind = .remembered
        // A family of its own: a reused code of this login is no fault of the browser.
        credential.family = context.random.family()
        credential.details =
            RememberedDetails(
                scopes: shown.request.scopes, language: shown.language, contentDigest: shown.contentDigest,
                agreedAt: agreedAt
            ).json.text
        credential.issuedAt = context.now
        credential.expiresAt = context.now + .seconds(OpenIDLifetime.remembered)
        let name = RememberedDetails.cookieName(of: credential.appID)
        return (credential, OpenIDPage.Cookie(name: name, secret: secret))
    }

    /// The consent that this browser had for the app so far: the person was asked again, and the last answer counts.
    private func forgottenConsent(
        _ visit: Visit, _ shown: ShownPage, _ next: OpenIDCredential?
    ) async throws -> CredentialHash? {
        // If the daily limit kept the new one from being remembered, the old one stays.
        guard shown.offersRemembering, shown.isRemembered == (next != nil),
            let cookie = visit.rememberedCookie, case .live(let consent) = try await context.lookUp(cookie),
            consent.kind == .remembered
        else { return nil }
        return consent.hash
    }

    func spend(
        _ page: OpenIDCredential, next: OpenIDCredential?, _ shown: ShownPage, remembered: OpenIDCredential? = nil,
        forgotten: CredentialHash? = nil, consent: ConsentEvidence? = nil
    ) async throws {
        // The end of a login, a yes or a no, spends the pushed request; the pages on the way to it do not.
        let pushed = next == nil || next?.kind == .code ? shown.pushed.flatMap { Base64URL.decode($0) } : nil
        let outcome = try await context.exchange(
            OpenIDExchange(
                hash: page.hash, kind: .page, appID: page.appID, now: context.now, next: next, remembered: remembered,
                forgotten: forgotten, consent: consent,
                pushed: pushed.map { CredentialHash(bytes: $0) }))
        switch outcome {
        case .spent: return
        case .revoked:
            throw stop(.subscriptionChanged, shown)
        default: throw stop(.scripExpired, shown)
        }
    }

    /// The consent record of a browser, which has no key of its own. It is the authority's signed statement of the
    /// page, the browser, and the time when the tap came back (decision 25).
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
                "remembered": shown.offersRemembering ? .bool(shown.isRemembered) : nil,
            ]), with: context.authority.vault.receiptSigner)
        return ConsentEvidence(
            appID: visit.credential.appID, trace: visit.credential.trace, subscription: visit.subscription.reference,
            contentDigest: shown.contentDigest, record: record,
            assurance: shown.request.context.assurance, receivedAt: tappedAt)
    }
}
