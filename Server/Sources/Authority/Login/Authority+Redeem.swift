@_spi(Server) package import BenjiProtocol
import Logging
package import Requests
import Sightings
package import Store

/// Step 5 of a login: the app's server redeems the token.
extension Authority {
    /// The app behind a server's request, whatever its state. Its key is needed to check the sign before any other
    /// answer.
    package func registeredApp(_ id: AppID) async throws(Refusal) -> RegisteredApp { try await apps.find(id) }

    /// The app as this process last saw it, if it did; see ``Apps/remembered(_:)``.
    package func rememberedApp(_ id: AppID) -> RegisteredApp? { apps.remembered(id) }

    /// The app that a token was issued to, for dialects whose requests name none. Spends nothing.
    package func app(ofToken token: String, trace: TraceID) async throws(Refusal) -> AppID {
        let isTraceKnown: Bool
        do {
            if let record = try await store.token(CredentialHash(of: token, .token)) { return record.appID }
            isTraceKnown = try await !store.traceEvents(trace).isEmpty
        } catch { throw Refusal(error) }
        throw isTraceKnown
            ? Refusal(.tokenUnknown, "no such token") : Refusal(.processIDUnknown, "no login has this process id")
    }

    /// The app with this source id, whose tokens `app` may redeem: one that the operator gave the same owner. Any
    /// other source id is unknown, so that a caller cannot find out which other apps exist.
    package func issuer(withSourceID sourceID: String, for app: AppRecord) async throws(Refusal) -> AppRecord {
        let found: AppRecord?
        do { found = try await store.app(withSourceID: sourceID) } catch { throw Refusal(error) }
        guard let found, let owner = found.owner, owner == app.owner else {
            throw Refusal(.sourceIDUnknown, "no service of the same owner has this source id")
        }
        do { try found.checkAnswered() } catch {
            // Not in the words for the caller, which is answered itself.
            throw Refusal(
                .sourceIDUnknown, "the service with this source id is not answered: \(error.situation.rawValue)")
        }
        return found
    }

    /// Whether the person agreed to be logged in to this app when another app's token was earned. Each consent of that
    /// login must have shown its name, on a page that would do for this app too.
    private func checkShared(_ token: String, of issuer: AppRecord, with app: AppRecord) async throws(Refusal) {
        let consents: [ConsentEvidence]
        let trace: TraceID
        do {
            // The redemption reports what it was spent for, or by whom.
            guard let record = try await store.token(CredentialHash(of: token, .token)), record.appID == issuer.id
            else {
                return
            }
            trace = record.trace
            consents = try await store.consents(of: trace)
        } catch { throw Refusal(error) }
        if app.needsApprovedPages, !issuer.needsApprovedPages {
            throw Refusal(
                .consentInvalid, "\(app.shownName) needs approved pages, and this login's page needed no approval",
                trace: trace)
        }
        let contents = consents.map { $0.appID == issuer.id ? ConsentContent.kept(in: $0.record) : nil }
        guard !contents.isEmpty, contents.allSatisfy({ $0?.names(app.shownName) == true }) else {
            throw Refusal(
                .consentInvalid, "the person was not shown that the login is for \(app.shownName) too", trace: trace)
        }
        guard app.capabilities.contains(.tickedPage) || contents.allSatisfy({ $0?.initiallyTicked == false }) else {
            throw Refusal(
                .consentInvalid,
                "the tick was set before the person saw the page, which \(app.shownName) is not registered for",
                trace: trace)
        }
    }

    /// Whether this call may be answered at all. Call it after the sign was found right.
    package func admit(_ call: ServerCall, needs capability: Capability) throws(Refusal) -> AdmittedCall {
        let app = call.app.record
        try check(call)
        guard app.capabilities.contains(capability) else {
            throw Refusal(.capabilityMissing, "the app is not registered for \(capability.rawValue)")
        }
        if let tolerance = app.requestTimeTolerance, let sentAt = call.sentAt {
            let now = clock.now
            let distance = sentAt > now ? sentAt - now : now - sentAt
            guard distance <= .seconds(tolerance) else {
                throw Refusal(.messageStale, "the request's time is more than \(tolerance) s from the server's")
            }
        }
        RequestSubject.current?.prove()
        note(call.key, of: app.id)
        return AdmittedCall(call, for: capability)
    }

    /// Whether this call is an answered app's, at one of its servers' addresses, for a call that asks for nothing. Call
    /// it after the sign was found right.
    package func recognise(_ call: ServerCall) throws(Refusal) {
        try check(call)
        RequestSubject.current?.prove()
        note(call.key, of: call.app.record.id)
    }

    private func check(_ call: ServerCall) throws(Refusal) {
        try check(call.key)
        try call.app.record.checkAnswered()
        guard call.isProvenByClient ? call.app.mayBeAnswered(at: call.peer) : call.app.isServer(at: call.peer) else {
            throw Refusal(.serverAddressNotAllowed, "\(call.peer) is not among the app's server addresses")
        }
    }

    /// The key that made a right sign is still accepted.
    func check(_ key: RegisteredKey?) throws(Refusal) {
        guard key?.isAccepted(at: expiryClock.now) ?? true else {
            throw Refusal(.signWrong, "the sign was made with a key that has ended")
        }
    }

    func note(_ key: RegisteredKey?, of app: AppID) {
        if let key { apps.noteUsage(key.use, key.version, of: app) }
    }

    /// Spends a login token and releases the number.
    package func redeemNumber(_ admitted: AdmittedCall, token: String) async throws(Refusal) -> ReleasedLogin {
        let call = try admitted.call(for: .login)
        var purposes: Set<TokenPurpose> = [.login]
        if call.app.record.legacyNumberWithoutPage, call.issuer == nil { purposes.insert(.verification) }
        return try await traced(call) { () async throws(Refusal) in
            if let issuer = call.issuer {
                do throws(Refusal) { try await checkShared(token, of: issuer, with: call.app.record) } catch {
                    // A refusal by a record that was changed since is none yet.
                    var refusal = error
                    let now = try? await store.app(call.app.record.id)
                    refusal.isAppOutdated = now.map { $0.revision != call.app.record.revision } ?? false
                    throw refusal
                }
            }
            let (record, subscription) = try await spend(call, token: token, purposes: purposes) { token, _ in
                token.purpose == .login ? "released" : "released-without-page"
            }
            let number: PhoneNumber
            do throws(VaultError) { number = try vault.number(of: subscription) } catch {
                throw Refusal(error, "the subscription's number does not open", trace: record.trace)
            }
            if record.purpose != .login {
                logger.notice(
                    "a number was released without a page, under the app's legacy grant",
                    metadata: ["app": "\(record.appID)", "trace": "\(record.trace)"])
            }
            let (vault, app) = (vault, call.app.record.id)
            let login = ReleasedLogin(
                number: number, carrier: subscription.carrier, openID: vault.openID(subscription, app: app),
                pseudonym: vault.pseudonym(subscription, app: app), purpose: record.purpose,
                assurance: record.assurance, trace: record.trace, authenticatedAt: record.issuedAt)
            let receiver = call.issuer == nil ? "" : " to \(app)"
            return (login, event(record, call, .success, "the number was released\(receiver)"))
        }
    }

    /// Spends a verification token and says whether the number is the phone's own. Either answer spends the token and
    /// is billed.
    package func verifyNumber(
        _ admitted: AdmittedCall, token: String, matches: @escaping @Sendable (PhoneNumber) -> Bool
    ) async throws(Refusal) -> VerificationAnswer {
        let call = try admitted.call(for: .verification)
        let vault = vault
        let compare: @Sendable (SubscriptionRecord) -> Bool? = { subscription in
            (try? vault.number(of: subscription)).map(matches)
        }
        return try await traced(call) { () async throws(Refusal) in
            let (record, subscription) = try await spend(call, token: token, purposes: [.verification]) {
                _, subscription in
                switch compare(subscription) {
                case true?: "matched"
                case false?: "differs"
                case nil: "unreadable"
                }
            }
            guard let isSame = compare(subscription) else {
                throw Refusal(.internalError, "the subscription's number does not open", trace: record.trace)
            }
            let end = isSame ? "it is this phone's number" : "it is another number"
            return (
                VerificationAnswer(isSame: isSame, trace: record.trace),
                event(record, call, isSame ? .success : .numberDiffers, end)
            )
        }
    }

    /// Takes a server's step and records how it ended, if it is known whose login it is: the one place for both ends.
    private func traced<Answer>(
        _ call: ServerCall, _ body: () async throws(Refusal) -> (Answer, TraceEvent)
    ) async throws(Refusal) -> Answer {
        do {
            let (answer, event) = try await body()
            await tracer.record([event])
            return answer
        } catch {
            if let trace = error.trace {
                await tracer.record(trace, .appServer, call.interface, error.situation, error.detail)
            }
            throw error
        }
    }

    private func event(
        _ token: TokenRecord, _ call: ServerCall, _ situation: Situation, _ detail: String
    ) -> TraceEvent {
        tracer.event(token.trace, .appServer, call.interface, situation, detail)
    }

    /// The event for the app's callback. Only a login with a page names the person, as its answer does.
    private func event(
        of call: ServerCall, at moment: Timestamp
    ) -> @Sendable (TokenRecord, SubscriptionRecord, String) -> OutboxEvent? {
        let (app, vault, random) = (call.app.record, vault, random)
        return { token, subscription, result in
            app.event(
                ofResult: result, of: token, subscription, interface: call.interface,
                openID: result == "released" ? vault.openID(subscription, app: app.id) : nil,
                passedThrough: call.passedThrough, at: moment, random: random)
        }
    }

    private func spend(
        _ call: ServerCall, token: String, purposes: Set<TokenPurpose>,
        result: @escaping @Sendable (TokenRecord, SubscriptionRecord) -> String
    ) async throws(Refusal) -> (TokenRecord, SubscriptionRecord) {
        let now = expiryClock.now
        let app = call.app.record
        let redemption = Redemption(
            token: CredentialHash(of: token, .token), appID: app.id, appRevision: app.revision,
            issuer: call.issuer.map { .init(appID: $0.id, revision: $0.revision) }, purposes: purposes,
            trace: call.trace, messageID: call.messageID, now: now, quota: quota(of: app, at: now),
            day: CalendarDay(now).number, leastAssurance: app.leastAssurance,
            interface: call.issuer.map { "\(call.interface) sso \($0.id)" } ?? call.interface)
        let outcome: RedemptionOutcome
        do {
            outcome = try await store.redeem(
                redemption,
                result: { [vault] token, subscription throws(StoreError) in
                    // A token is not spent on a number that will not open: it is good once the key is there.
                    try vault.checkKey(of: subscription)
                    return result(token, subscription)
                }, event: app.callback == nil ? nil : event(of: call, at: now))
        } catch { throw Refusal(error) }
        if case .spent(let record, let subscription, _) = outcome {
            RequestSubject.current?.note(carrier: record.carrier)
            return (record, subscription)
        }
        if case .messageReplayed = outcome, call.repeatsAnswer {
            return try await spentBefore(CredentialHash(of: token, .token))
        }
        let refusal = Refusal(outcome)
        if let carrier = refusal.carrier { RequestSubject.current?.note(carrier: carrier) }
        throw refusal
    }
}

extension Authority {
    /// A spent token and its subscription, for an answer that is given again.
    fileprivate func spentBefore(_ token: CredentialHash) async throws(Refusal) -> (TokenRecord, SubscriptionRecord) {
        let record: TokenRecord?
        let subscription: SubscriptionRecord?
        do {
            record = try await store.token(token)
            subscription =
                if let record { try await store.subscription(record.subscription.subscription) } else { nil }
        } catch { throw Refusal(error) }
        guard let record else { throw Refusal(.unknown) }
        guard let subscription, subscription.reference == record.subscription else {
            throw Refusal(.subscriptionChanged(record))
        }
        return (record, subscription)
    }
}

extension AdmittedCall {
    /// The call, if this is what it was let in for.
    fileprivate func call(for needed: Capability) throws(Refusal) -> ServerCall {
        guard capability == needed else {
            throw Refusal(.internalError, "the call was admitted for \(capability.rawValue), not \(needed.rawValue)")
        }
        return call
    }
}

extension Refusal {
    /// Which of them, the app's owner sees at the app and its contract.
    package static let quotaIsUsedUp = "the app's answers of today or of this month are used up"

    /// The refusal for an outcome other than spent. It does not name the app of another app's token.
    package init(_ outcome: RedemptionOutcome) {
        switch outcome {
        case .spent: self.init(.internalError, "unreachable: spent is not a refusal")
        case .appChanged:
            self.init(.internalError, "the app's registration was being changed; try again")
            isAppOutdated = true
        case .messageReplayed: self.init(.messageReplayed, "a request of this message id has spent the token")
        case .unknown: self.init(.tokenUnknown, "no such token")
        case .wrongApp: self.init(.tokenWrongApp, "the token belongs to another app")
        case .wrongPurpose(let token):
            self.init(
                .tokenWrongPurpose, "a \(token.purpose.rawValue) token does not open this interface",
                trace: token.trace,
                carrier: token.carrier)
        case .wrongLogin(let token):
            self.init(
                .tokenWrongProcess, "the token was earned in another login than the request names",
                trace: token.trace, carrier: token.carrier)
        case .alreadySpent(let token):
            self.init(.tokenSpent, "the token was spent before", trace: token.trace, carrier: token.carrier)
        case .expired(let token):
            self.init(.tokenExpired, "the token has expired", trace: token.trace, carrier: token.carrier)
        case .tooWeak(let token):
            self.init(
                .assuranceTooLow, "the token was earned with \(token.assurance.rawValue)", trace: token.trace,
                carrier: token.carrier)
        case .subscriptionChanged(let token):
            self.init(
                .subscriptionChanged, "the SIM or the owner of the number changed since the token was issued",
                trace: token.trace, carrier: token.carrier)
        case .quotaExceeded(let token):
            self.init(
                .quotaExceeded, Self.quotaIsUsedUp, trace: token.trace, carrier: token.carrier)
        }
    }
}
