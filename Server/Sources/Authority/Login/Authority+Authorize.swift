import BenjiPolicy
package import BenjiProtocol
package import Requests
import Sightings
import Store

/// Step 4 of a login: a scrip, a consent and a proof buy a single-use token.
extension Authority {
    package func authorize(
        _ request: AuthorizeRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse {
        try checkTime(of: device.proof)
        let lookup: ScripLookup
        do { lookup = try await store.scrip(CredentialHash(of: request.scrip, .scrip)) } catch { throw failure(error) }
        let scrip = lookup.record
        return try await tracer.traced(scrip?.trace, "authorize", isNamed: true) { () async throws(Refusal) in
            let (response, consent) = try await decideAuthorize(request, from: device, lookup: lookup)
            let consented = consent.map { consent in
                tracer.event(
                    response.trace, .device, "consent", .success,
                    ConsentDetail(tappedAt: consent.tappedAt, assurance: response.assurance).text)
            }
            return TracedAnswer(
                response, "\(request.purpose.rawValue) token, \(response.assurance.rawValue)",
                isKept: scrip.map { isTraced($0, earning: response.assurance) } ?? false,
                after: consented.map { [$0] } ?? [])
        } keeps: { refusal in
            isTraced(refusal, of: scrip, device)
        }
    }

    /// Whether the steps of a token are written into the login's trace. A reusable scrip buys tokens without further
    /// prefetches, so tokens have a budget of their own. It is as large as that of prefetches, and counts by app,
    /// number and assurance.
    private func isTraced(_ scrip: ScripRecord, earning assurance: Assurance) -> Bool {
        !scrip.isBrief
            && tracedTokens.admits(
                "\(scrip.appID.rawValue)/\(scrip.subscription.subscription)/\(assurance.rawValue)", now: expiryClock.now
            )
    }

    /// Whether a refusal is written into the login's trace. A call from outside a subscriber's address or a replayed
    /// proof is not, and neither is a brief scrip's. The limit counts by app and number, because scrips cost nothing.
    private func isTraced(_ refusal: Refusal, of scrip: ScripRecord?, _ device: DeviceCall) -> Bool {
        guard let scrip, !scrip.isBrief, case .success = device.sighting, refusal.situation != .proofReplayed else {
            return false
        }
        return mayTraceRefusal(of: "scrip \(scrip.appID.rawValue)/\(scrip.subscription.subscription)")
    }

    private func decideAuthorize(
        _ request: AuthorizeRequest, from device: DeviceCall, lookup: ScripLookup
    ) async throws(Refusal) -> (AuthorizeResponse, consent: ConsentRecord?) {
        let app = try await judged(byApp: request.appID) { (app) throws(Refusal) in app }
        let scrip = try await usableScrip(lookup, app: app.record.id, proof: device.proof)
        let (sighting, subscription) = try await acceptedSighting(device.sighting)
        guard sighting.subscription.subscription == scrip.subscription.subscription else {
            throw failure(.subscriptionMismatch, "the address belongs to another subscription than the scrip")
        }
        guard sighting.subscription == scrip.subscription else {
            throw failure(.subscriptionChanged, "the SIM or the owner of the number changed; prefetch again")
        }
        var counted: Vouching?
        return try await judged(byApp: request.appID, seen: app) { (app) throws(Refusal) in
            try await issueToken(
                for: request, from: device, app: app.record, scrip: scrip, sighting: sighting,
                subscription: subscription, counted: &counted)
        }
    }

    /// The part that depends on the app's record, and the write for which the store compares its revision.
    private func issueToken(
        for request: AuthorizeRequest, from device: DeviceCall, app record: AppRecord, scrip: ScripRecord,
        sighting: Sighting, subscription: SubscriptionRecord, counted: inout Vouching?
    ) async throws(Refusal) -> (AuthorizeResponse, consent: ConsentRecord?) {
        // Judged again with each record of the app; its counter is taken once.
        let vouching = try await vouching(for: device, of: record, counted: counted)
        let assurance = assurance(vouching, sighting: sighting)
        guard assurance >= record.leastAssurance else {
            throw failure(
                .assuranceTooLow,
                "earned \(assurance.rawValue), the app accepts \(record.leastAssurance.rawValue) or more")
        }
        guard record.capabilities.contains(request.purpose == .login ? .login : .verification) else {
            throw failure(.capabilityMissing, "the app is not registered for \(request.purpose.rawValue)")
        }
        let consent = try checkedConsent(request, device: device, scrip: scrip, app: record)
        guard let lifetimes = configuration.policy.lifetimes(scrip.carrier, scrip.dialect) else {
            throw failure(.carrierUnsupported, "this carrier is not in the policy")
        }
        try await count(vouching, of: record.id, unless: &counted)
        let now = expiryClock.now
        let receivedAt = clock.now
        let tokenLifetime = min(record.tokenLifetime ?? .max, lifetimes.token)
        let token = CredentialGrammar.token.make(at: now, random: random)
        let next = scrip.reusable ? nextGeneration(of: scrip) : nil
        let issue = TokenIssue(
            scrip: scrip.hash, appRevision: record.revision, fence: fence(of: sighting), nextScrip: next?.record,
            token: TokenRecord(
                hash: CredentialHash(of: token, .token), appID: record.id, purpose: request.purpose,
                subscription: sighting.subscription, carrier: scrip.carrier, binding: sighting.binding,
                deviceKey: scrip.deviceKey, assurance: assurance, trace: scrip.trace, dialect: scrip.dialect,
                issuedAt: now, expiresAt: now + .seconds(tokenLifetime)),
            consent: consent.map {
                ConsentEvidence(
                    appID: record.id, trace: scrip.trace, subscription: sighting.subscription,
                    contentDigest: $0.contentDigest, record: request.consent ?? "", assurance: assurance,
                    receivedAt: receivedAt)
            },
            now: now, unusedSince: now - .seconds(configuration.policy.unusedTokenWindow),
            unusedPerKey: configuration.policy.unusedTokensPerApp,
            unusedPerNumber: configuration.policy.unusedTokensPerNumber,
            numberLimit: numberLimit(of: record, at: now))
        try await perform(issue)
        // A pseudonym for this app alone, not a number.
        let says = request.purpose == .login || scrip.dialect.saysPseudonymForVerification
        let openID = says ? vault.openID(subscription, app: record.id) : nil
        let response = AuthorizeResponse(
            trace: scrip.trace, token: token, tokenLifetime: tokenLifetime, openID: openID, scrip: next?.text,
            nonce: next?.nonce, assurance: assurance,
            consentReceipt: try consent.map { consent throws(Refusal) in
                try receipt(
                    for: consent, evidence: request.consent ?? "", openID: openID ?? "", assurance: assurance,
                    at: receivedAt)
            })
        return (response, consent)
    }

    /// The scrip, if it is the present generation, alive, and shown by the device it was issued to.
    private func usableScrip(
        _ lookup: ScripLookup, app: AppID, proof: DeviceProof
    ) async throws(Refusal) -> ScripRecord {
        guard let scrip = lookup.record, scrip.appID == app else {
            throw failure(.scripInvalid, "this app has no such scrip; prefetch again")
        }
        guard scrip.deviceKey == proof.key.thumbprint else {
            throw failure(.scripStolen, "the scrip was issued to another device key")
        }
        // Only now: proofs of keys that hold no scrip must not fill the memory of those that do.
        try checkNew(proof)
        switch lookup {
        case .unknown, .revoked: throw failure(.scripInvalid, "the scrip was ended; prefetch again")
        case .superseded:
            do { try await store.revokeScrips(family: scrip.family) } catch { throw failure(error) }
            throw failure(.scripReused, "an older generation of the scrip was shown; all of them are ended")
        case .current:
            guard expiryClock.now < scrip.expiresAt else {
                throw failure(.scripExpired, "the scrip has expired; prefetch again")
            }
            return scrip
        }
    }

    private func nextGeneration(of scrip: ScripRecord) -> (text: String, nonce: String, record: ScripRecord) {
        let text = CredentialGrammar.scrip.make(at: expiryClock.now, random: random)
        let nonce = CredentialGrammar.nonce.make(random: random)
        var record = scrip
        record.hash = CredentialHash(of: text, .scrip)
        record.nonceHash = CredentialHash(of: nonce)
        record.generation += 1
        return (text, nonce, record)
    }

    /// Issues a token that no scrip of its phone buys. A scrip is made for it and spent at once, in the same
    /// conditional write and with the same limits.
    ///
    /// - Parameters:
    ///   - app: the app's record that the request was judged by.
    ///   - appRevision: its revision; `nil` if the record was read for this call.
    func issueAtOnce(
        _ token: TokenRecord, of app: AppRecord, appRevision: Int64? = nil,
        fence: PairFence? = nil,
        consent: ConsentEvidence? = nil, unusedPerKey: Int
    ) async throws(Refusal) {
        let now = token.issuedAt
        let scrip = ScripRecord(
            hash: CredentialHash(of: CredentialGrammar.scrip.make(at: now, random: random), .scrip),
            family: random.family(), generation: 1, appID: token.appID, subscription: token.subscription,
            carrier: token.carrier, binding: token.binding, deviceKey: token.deviceKey,
            nonceHash: CredentialHash(of: CredentialGrammar.nonce.make(random: random)), trace: token.trace,
            dialect: token.dialect, reusable: false, isBrief: false, expiresAt: now + .seconds(60))
        do { try await store.insertScrip(scrip, appRevision: appRevision, fence: fence) } catch {
            throw appRevision != nil && error.code == .outdated ? appChanged() : failure(error)
        }
        try await perform(
            TokenIssue(
                scrip: scrip.hash, appRevision: appRevision, fence: fence, nextScrip: nil, token: token,
                consent: consent, now: now, unusedSince: now - .seconds(configuration.policy.unusedTokenWindow),
                unusedPerKey: unusedPerKey, unusedPerNumber: configuration.policy.unusedTokensPerNumber,
                numberLimit: numberLimit(of: app, at: now)))
    }

    func perform(_ issue: TokenIssue) async throws(Refusal) {
        let outcome: TokenIssueOutcome
        do { outcome = try await store.issueToken(issue) } catch { throw failure(error) }
        switch outcome {
        case .issued: return
        case .appChanged: throw appChanged()
        case .gatewayReplaced: throw gatewayReplaced()
        case .scripGone: throw failure(.scripInvalid, "the scrip was used or ended meanwhile; prefetch again")
        case .tooManyForKey:
            throw failure(
                .tooManyUnusedTokens, "\(issue.unusedPerKey) tokens of this device key, app and number are unused")
        case .subscriptionChanged:
            throw failure(.subscriptionChanged, "the SIM or the owner of the number changed; prefetch again")
        case .tooManyForNumber:
            throw failure(
                .numberQuotaExceeded,
                "the app had \(issue.numberLimit?.tokens ?? 0) tokens for this number today, as its contract allows")
        }
    }
}

extension ScripLookup {
    var record: ScripRecord? {
        switch self {
        case .unknown: nil
        case .current(let scrip), .superseded(let scrip), .revoked(let scrip): scrip
        }
    }
}
