package import Authority
package import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
package import Requests
import Store

/// A session begins with whose face it should be. Only a search (`FaceProvider+Search.swift`) begins without, and it
/// cannot be finished before that was shown.
extension FaceProvider {
    package func begin(
        _ request: FaceBeginRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceBeginResponse {
        let app = try await admit(device, appToken: request.appToken).record
        let phone = try request.phone.map { text throws(Refusal) in try mainland(text) }
        guard request.purpose != .bind || request.uid != nil else {
            throw failure(.uidMissing, "$.uid: missing; a binding ties one of the app's users")
        }
        guard request.purpose == .bind || request.uid == nil else {
            throw failure(.parameterInvalid, "$.uid: only a binding has one")
        }
        var person = try await person(request, app: app, device: device)
        let subscription = person.subscription.id
        return try await authority.tracer.traced(person.trace, "face.begin") { () async throws(Refusal) in
            let response = try await begin(request, with: &person, phone: phone, app: app, device: device)
            return TracedAnswer(
                response, "\(request.purpose.rawValue), \(person.account == nil ? "a new account" : "a known account")")
        } keeps: { _ in
            mayTraceRefusal(app.id, subscription)
        }
    }

    /// Whom a session is about.
    struct Person {
        var subscription: SubscriptionRecord
        var account: FaceAccountRecord?
        var trace: TraceID
    }

    private func mainland(_ text: String) throws(Refusal) -> PhoneNumber {
        guard let number = PhoneNumber(text), number.isMainlandMobile else {
            throw failure(.numberNotMainland, "$.phone: must be a mobile number of mainland China")
        }
        return number
    }

    private func person(
        _ request: FaceBeginRequest, app: AppRecord, device: DeviceCall
    ) async throws(Refusal) -> Person {
        let isLogin = request.purpose.isLogin
        switch request.identity {
        case .oneTap(let token):
            guard isLogin else { throw failure(.parameterInvalid, "$.token: \(request.purpose) takes an accessToken") }
            return try await holder(ofNumberBehind: token, app: app, device: device)
        case .remembered(let secret):
            guard isLogin else {
                throw failure(.parameterInvalid, "$.remembered: \(request.purpose) takes an accessToken")
            }
            return try await holder(remembered: secret, app: app, device: device)
        case .access(let token):
            guard !isLogin else {
                throw failure(.parameterInvalid, "$.accessToken: a login takes a token or a remembered account")
            }
            do {
                let holding = try await access(token, app: app.id, device: device)
                return try await person(holding.account, trace: TraceID(at: now, random: random))
            } catch {
                // Wanting attributes without an authorised account has a code of its own.
                let isUnauthorized = error.situation == .notAuthorized || error.situation == .accessTokenInvalid
                guard request.purpose == .attributes, isUnauthorized else { throw error }
                throw failure(.attributesDenied, error.detail)
            }
        }
    }

    /// Spends a one-tap token: this very device key earned it, for this app, on the page.
    func holder(
        ofNumberBehind token: String, app: AppRecord, device: DeviceCall
    ) async throws(Refusal) -> Person {
        let hash = CredentialHash(of: token, .token)
        let known = try await stored { () async throws(StoreError) in try await store.token(hash) }
        // Before it is spent: a token that somebody else found must stay its owner's.
        guard let known, known.appID == app.id, known.deviceKey == device.proof.key.thumbprint else {
            throw failure(.tokenUnknown, "this device key has earned no such token for the app")
        }
        let now = now
        let redemption = Redemption(
            token: hash, appID: app.id, appRevision: app.revision, purposes: [.login], trace: nil, messageID: nil,
            now: now, quota: authority.quota(of: app, at: now), day: CalendarDay(now).number,
            leastAssurance: leastAssurance(for: app), interface: "face.begin")
        let outcome = try await stored(trace: known.trace) { () async throws(StoreError) in
            try await store.redeem(redemption) { [vault = authority.vault] _, subscription throws(StoreError) in
                try vault.checkKey(of: subscription)
                return "recognised"
            }
        }
        if case .tooWeak(let token) = outcome {
            throw failure(
                .assuranceTooLow,
                "the token was earned with \(token.assurance.rawValue); here a face takes "
                    + "\(leastAssurance(for: app).rawValue) (face.least-assurance, or the app's own least assurance)",
                trace: known.trace)
        }
        guard case .spent(let record, let subscription, _) = outcome else {
            let refusal = Refusal(outcome)
            throw failure(refusal.situation, refusal.detail, trace: known.trace)
        }
        let account = try await stored(trace: record.trace) { () async throws(StoreError) in
            try await store.faceAccount(subscription: subscription.id, epoch: subscription.epoch)
        }
        return Person(subscription: subscription, account: account, trace: record.trace)
    }

    private func leastAssurance(for app: AppRecord) -> Assurance {
        max(app.leastAssurance, configuration.leastAssurance)
    }

    func holder(
        remembered secret: String, app: AppRecord, device: DeviceCall
    ) async throws(Refusal) -> Person {
        let found = try await stored { () async throws(StoreError) in
            try await store.faceCredential(CredentialHash(of: secret))
        }
        if case .revoked(let credential, let ending) = found, credential.kind == .remembered,
            credential.appID == app.id, credential.deviceKey == device.proof.key.thumbprint,
            let ended = ended(ending, .rememberedAccountInvalid)
        {
            throw ended
        }
        guard case .live(let holding) = found, holding.credential.kind == .remembered,
            holding.credential.appID == app.id, holding.credential.deviceKey == device.proof.key.thumbprint,
            now < holding.credential.expiresAt
        else { throw failure(.rememberedAccountInvalid, "this install remembers no such account; use a one-tap token") }
        return try await person(holding.account, trace: TraceID(at: now, random: random))
    }

    private func person(_ account: FaceAccountRecord, trace: TraceID) async throws(Refusal) -> Person {
        let subscription = try await stored { () async throws(StoreError) in
            try await store.subscription(account.subscription)
        }
        guard let subscription, subscription.epoch == account.epoch else {
            throw failure(.rememberedAccountInvalid, "the number has a new owner")
        }
        guard subscription.simGeneration == account.simGeneration else {
            throw failure(
                .rememberedAccountInvalid, "the number has another SIM; log in once with a one-tap token",
                since: subscription.simChangedAt)
        }
        return Person(subscription: subscription, account: account, trace: trace)
    }

    private func begin(
        _ request: FaceBeginRequest, with person: inout Person, phone: PhoneNumber?, app: AppRecord, device: DeviceCall
    ) async throws(Refusal) -> FaceBeginResponse {
        if let account = person.account, account.isFrozen { throw frozen(account, trace: person.trace) }
        // A one-tap token is spent; what the install remembers and an access token are good for any number of sessions.
        let isSpent = if case .oneTap = request.identity { true } else { false }
        if !isSpent, let account = person.account, !begins.admits("\(app.id.rawValue) \(account.id)", now: now) {
            throw failure(.tooManyRequests, "too many sessions of this account; try again later")
        }
        let isAgreed = person.account?.terms == configuration.terms.version
        guard request.purpose.isLogin || isAgreed else {
            throw failure(.consentMissing, "the terms have changed since the person agreed; a login asks them again")
        }
        let number: PhoneNumber
        do { number = try authority.vault.number(of: person.subscription) } catch {
            throw failure(opening: "the subscription's number does not open", error)
        }
        guard phone == nil || phone == number else {
            throw failure(.numberDiffers, "$.phone: is not the number of the account")
        }
        let account = person.account
        var binding = try await stored { () async throws(StoreError) in
            try await account.asyncFlatMap { account throws(StoreError) in
                try await store.faceBinding(account: account.id, app: app.id)
            }
        }
        if let uid = request.uid { try await checkFree(uid, app: app.id, account: account, binding: binding) }
        binding?.sealedInfo = nil
        let needs = needs(of: request.purpose, account: account, binding: binding)
        let secret = CredentialGrammar.faceSession.make(random: random)
        let nonce = CredentialGrammar.nonce.make(random: random)
        let session = FaceSession(
            appID: app.id, deviceKey: device.proof.key.thumbprint, trace: person.trace, purpose: request.purpose,
            nonceHash: ConsentRecord.hash(of: nonce), expiresAt: now + .seconds(Lifetime.session),
            subscription: person.subscription.reference, account: account?.id, binding: binding, uid: request.uid,
            needs: needs, attemptsLeft: configuration.attempts)
        guard sessions.insert(session, secret, now: now) else {
            throw failure(.overloaded, "too many face sessions at once; try again")
        }
        // A yes to the groups counts only under the present terms.
        let asksGroups =
            request.purpose.isLogin && app.capabilities.contains(.faceGroups)
            && (binding?.groupsAgreedAt == nil || !isAgreed)
        return FaceBeginResponse(
            trace: person.trace, session: secret, sessionLifetime: Lifetime.session, isNewAccount: account == nil,
            maskedNumber: number.masked, needs: FaceNeed.allCases.filter(needs.contains),
            terms: needs.contains(.consent) ? configuration.terms : nil,
            authorization: needs.contains(.authorization) ? authorization(of: app) : nil,
            groups: asksGroups ? groups(of: app) : nil, nonce: nonce, serverTime: authority.clock.now)
    }

    private func checkFree(
        _ uid: String, app: AppID, account: FaceAccountRecord?, binding: FaceBindingRecord?
    ) async throws(Refusal) {
        if let binding, binding.uid != uid, !binding.isRandomUID {
            throw failure(.accountBoundElsewhere, "the account stands for another user of the app")
        }
        let owner = try await stored { () async throws(StoreError) in try await store.faceBinding(uid: uid, app: app) }
        guard owner == nil || owner?.account == account?.id else {
            throw failure(.uidTaken, "$.uid: belongs to another account")
        }
    }

    private func needs(
        of purpose: FacePurpose, account: FaceAccountRecord?, binding: FaceBindingRecord?
    ) -> Set<FaceNeed> {
        guard purpose.isLogin else { return [.face] }
        guard let account else { return Set(FaceNeed.allCases) }
        var needs: Set<FaceNeed> = [.face]
        if account.terms != configuration.terms.version { needs.insert(.consent) }
        if binding == nil { needs.insert(.authorization) }
        return needs
    }

    /// The text of the second consent. Its version differs from the first's, so that neither replaces the other.
    func authorization(of app: AppRecord) -> FaceAuthorization {
        FaceAuthorization(version: "\(configuration.terms.version)-app", appName: app.shownName)
    }

    /// The text of the consent to being found in the app's groups.
    func groups(of app: AppRecord) -> FaceAuthorization {
        FaceAuthorization(version: "\(configuration.terms.version)-groups", appName: app.shownName)
    }
}

extension Optional {
    func asyncFlatMap<Result, Failure: Error>(
        _ transform: (Wrapped) async throws(Failure) -> Result?
    ) async throws(Failure) -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
