import BenjiProtocol

/// One call of the engine as a value: an event in, the next action out (decision 1). Knows no clock, no network, no
/// screen.
///
/// The rules of a login are all here. Nothing is authorized for a login before a consent. A valid prefetch needs no
/// network. A wrong clock is corrected once. A scrip that may already be spent is never shown again.
struct LoginAttempt: Sendable {
    enum Goal: String, Sendable { case prefetch, login, verification }

    /// The events that the edge reports.
    enum Event: Sendable {
        case started
        /// - Parameter sentAt: uptime before the request left; the scrip's life is counted from it.
        case prefetched(PrefetchResponse, sentAt: Duration)
        case authorized(AuthorizeResponse)
        /// - Parameter at: the phone's clock when the refusal came.
        case refused(DeviceFailure, at: Timestamp)
        /// - Parameter mayBeDone: whether the server may have acted although no answer came.
        case failed(BenjiError, mayBeDone: Bool)
        case presented(PresentationOutcome)
        case timedOut
        case cancelled
    }

    /// The next action of the edge, which answers with one event.
    enum Action: Sendable {
        case prefetch
        case present(PageOffer)
        case authorize(LoginMemory.Prefetched, PageConsent?)
        case finish(Result<Outcome, BenjiError>)
    }

    enum Outcome: Sendable {
        case prefetched(PrefetchSummary)
        case token(LoginToken)
    }

    struct Notice: Hashable, Sendable {
        var step: LoginEvent.Step
        var situation: Situation?
    }

    struct Decision: Sendable {
        var notices: [Notice]
        var action: Action
    }

    private enum Phase {
        case ready, prefetching, over
        case presenting(LoginMemory.Prefetched)
        case authorizing(LoginMemory.Prefetched, PageConsent?)
    }

    let goal: Goal
    /// A scrip that has less than this to live is not used for a new call.
    let margin: Duration
    /// Whether a page may begin with the tick set.
    let allowsInitialTick: Bool
    private(set) var memory: LoginMemory
    private var phase = Phase.ready
    private var correctedClock = false
    private var prefetchedAnew = false
    private var notices: [Notice] = []

    init(goal: Goal, memory: LoginMemory, margin: Duration, allowsInitialTick: Bool = false) {
        self.goal = goal
        self.allowsInitialTick = allowsInitialTick
        self.memory = memory
        self.margin = margin
    }

    /// - Parameter uptime: how long the engine has lived.
    mutating func handle(_ event: Event, at uptime: Duration) -> Decision {
        notices = []
        let action = decide(event, uptime)
        if case .finish(let result) = action {
            phase = .over
            let situation: Situation = if case .failure(let error) = result { error.situation } else { .success }
            notice(.finished, situation)
        }
        return Decision(notices: notices, action: action)
    }

    private mutating func notice(_ step: LoginEvent.Step, _ situation: Situation? = nil) {
        notices.append(Notice(step: step, situation: situation))
    }

    private func fail(_ situation: Situation, _ detail: String) -> Action {
        .finish(.failure(BenjiError(situation, detail, trace: memory.trace)))
    }

    private mutating func decide(_ event: Event, _ uptime: Duration) -> Action {
        switch (phase, event) {
        case (.ready, .started): return start(uptime)
        case (.prefetching, .prefetched(let response, let sentAt)): return prefetched(response, sentAt, uptime)
        case (.presenting(let held), .presented(let outcome)): return presented(outcome, held, uptime)
        case (.authorizing(let held, _), .authorized(let response)): return authorized(response, held)
        case (.prefetching, .refused(let failure, let time)), (.authorizing, .refused(let failure, let time)):
            return refused(failure, time)
        case (_, .failed(let error, let mayBeDone)):
            if mayBeDone { dropScripInFlight() }
            var error = error
            error.trace = error.trace ?? memory.trace
            return .finish(.failure(error))
        case (_, .timedOut):
            dropScripInFlight()
            return fail(.timedOut, "the time allowed for this call has passed")
        case (_, .cancelled):
            dropScripInFlight()
            return fail(.cancelledByApp, "the app cancelled this call")
        default:
            return fail(.internalError, "an event came that does not belong to this step")
        }
    }

    // MARK: steps

    private mutating func start(_ uptime: Duration) -> Action {
        notice(.started)
        guard let held = memory.prefetched, held.isValid(at: uptime, margin: margin) else { return prefetch() }
        memory.trace = held.offer.trace
        notice(.remembered)
        return proceed(held, uptime, fromMemory: true)
    }

    private mutating func prefetch() -> Action {
        dropScrip()
        memory.trace = nil
        phase = .prefetching
        notice(.prefetching)
        return .prefetch
    }

    private mutating func prefetched(_ response: PrefetchResponse, _ sentAt: Duration, _ uptime: Duration) -> Action {
        let held = LoginMemory.Prefetched(
            offer: PageOffer(
                maskedNumber: response.maskedNumber, carrier: response.carrier, page: response.page,
                policyVersion: response.policyVersion, trace: response.trace,
                allowsInitialTick: response.tickedPage), scrip: response.scrip,
            nonce: response.nonce, assurance: response.assurance,
            expiresAt: sentAt + .seconds(response.scripLifetime))
        memory.prefetched = held
        memory.trace = response.trace
        memory.offersSMSLogin = response.smsLogin
        notice(.prefetched)
        return proceed(held, uptime, fromMemory: false)
    }

    private mutating func proceed(_ held: LoginMemory.Prefetched, _ uptime: Duration, fromMemory: Bool) -> Action {
        switch goal {
        case .prefetch:
            return .finish(.success(.prefetched(held.summary(at: uptime, margin: margin, fromMemory: fromMemory))))
        case .login:
            phase = .presenting(held)
            notice(.presenting)
            return .present(held.offer)
        case .verification:
            return authorize(held, nil)
        }
    }

    private mutating func presented(
        _ outcome: PresentationOutcome, _ held: LoginMemory.Prefetched, _ uptime: Duration
    ) -> Action {
        switch outcome {
        case .cancelled: return fail(.userCancelled, "the person closed the page")
        case .switchAccount: return fail(.switchAccount, "the person chose another way to log in")
        case .sharesScreen:
            return fail(
                .splitViewUnsupported,
                "the app shares the screen with another one; ask the person to give it the whole screen and try again")
        case .notAgreed(let detail): return fail(.consentMissing, detail)
        case .failed(let detail): return fail(.pageFailed, detail)
        case .consented(let consent):
            guard allowsInitialTick || !consent.content.initiallyTicked else {
                return fail(.pageFailed, "the page was ticked before the person ticked it; start it unticked")
            }
            // The authority would refuse it. Without asking, the scrip is still good.
            guard held.offer.allowsInitialTick || !consent.content.initiallyTicked else {
                return fail(.pageFailed, PageOffer.initialTickRefusal)
            }
            guard consent.shownAt <= consent.tickedAt, consent.tickedAt <= consent.tappedAt else {
                return fail(.pageFailed, "the page must be shown, then ticked, then tapped, in this order")
            }
            guard consent.content.policyVersion == held.offer.policyVersion else {
                return fail(.pageFailed, "the page was made from another policy version than the offer's")
            }
            notice(.consented)
            // The consent belongs to this scrip: a new one would need a new page.
            guard held.isValid(at: uptime) else {
                dropScrip()
                return fail(.scripExpired, "the page was open longer than the scrip lives; log in again")
            }
            return authorize(held, consent)
        }
    }

    private mutating func authorize(_ held: LoginMemory.Prefetched, _ consent: PageConsent?) -> Action {
        phase = .authorizing(held, consent)
        notice(.authorizing)
        return .authorize(held, consent)
    }

    private mutating func authorized(_ response: AuthorizeResponse, _ held: LoginMemory.Prefetched) -> Action {
        memory.trace = response.trace
        memory.prefetched = nil
        if let scrip = response.scrip, let nonce = response.nonce {
            // A rotated scrip lives no longer than its family, whose end is known.
            var next = held
            next.scrip = scrip
            next.nonce = nonce
            memory.prefetched = next
        }
        notice(.authorized)
        return .finish(
            .success(
                .token(
                    LoginToken(
                        token: response.token, lifetime: .seconds(response.tokenLifetime),
                        purpose: goal == .login ? .login : .verification, openID: response.openID,
                        assurance: response.assurance, carrier: held.offer.carrier,
                        maskedNumber: held.offer.maskedNumber, consentReceipt: response.consentReceipt,
                        trace: response.trace))))
    }

    private mutating func refused(_ failure: DeviceFailure, _ time: Timestamp) -> Action {
        memory.trace = failure.trace ?? memory.trace
        // Others are answered before the app is looked at, or by a server that does not say it.
        if case .prefetching = phase, failure.smsLogin || failure.situation.mayLeadToSMS {
            memory.offersSMSLogin = failure.smsLogin
        }
        notice(.refused, failure.situation)
        if failure.situation == .clockSkew, !correctedClock, let serverTime = failure.serverTime {
            correctedClock = true
            memory.clockOffset = serverTime - time
            notice(.clockCorrected)
            if case .authorizing(let held, let consent) = phase { return authorize(held, consent) }
            return prefetch()
        }
        var error = BenjiError(failure)
        error.trace = memory.trace
        guard case .authorizing(_, let consent) = phase else { return .finish(.failure(error)) }
        if Self.endsScrip(failure.situation) { dropScrip() }
        let renewable = failure.situation == .scripExpired || failure.situation == .scripInvalid
        if renewable, consent == nil, !prefetchedAnew {
            prefetchedAnew = true
            return prefetch()
        }
        return .finish(.failure(error))
    }

    /// Refusals after which the scrip is dead, or may be. Also refusals after which it leads to no login, as when the
    /// policy of its page has changed.
    private static func endsScrip(_ situation: Situation) -> Bool {
        switch situation {
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen, .subscriptionMismatch, .subscriptionChanged,
            .consentInvalid, .storeUnavailable, .internalError:
            true
        default: false
        }
    }

    // MARK: memory

    /// The answer to an authorize was not heard. The scrip may have been rotated, and showing an old generation
    /// ends the whole family as if it had been stolen.
    private mutating func dropScripInFlight() {
        if case .authorizing = phase { dropScrip() }
    }

    private mutating func dropScrip() {
        guard memory.prefetched != nil else { return }
        memory.prefetched = nil
        notice(.scripDropped)
    }
}
