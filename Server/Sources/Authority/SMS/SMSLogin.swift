import BenjiPolicy
@_spi(Server) package import BenjiProtocol
import Sightings
import Store

/// Login by a code that is sent to the number, for phones that the network does not know just now (decision 48): on Wi-Fi, or
/// abroad.
///
/// The code proves that somebody reads the number's messages, and not who holds the number since when. So it logs in only to a
/// number that the register knows and has heard of lately: a number that was given to somebody else opens nobody's account.
package struct SMSLogin: Sendable {
    let authority: Authority
    let codes: SMSCodes
    /// How long a number rests before carriers give it to somebody else; as of ``Register/quarantine``.
    let quarantine: Duration

    package init(authority: Authority, codes: SMSCodes, quarantine: Duration) {
        self.authority = authority
        self.codes = codes
        self.quarantine = quarantine
    }

    // MARK: the code

    /// Has a code sent. What is answered says nothing of what the register knows of the number.
    package func sendCode(
        _ request: SMSCodeRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSCodeResponse {
        try authority.checkTime(of: device.proof)
        // As it is now: nothing that follows compares the record's revision.
        let app = try await authority.liveApp(request.appID)
        try authority.checkInstall(
            of: app, bundleID: request.bundleID, appKeyProof: request.appKeyProof, proof: device.proof)
        try admit(app.record, device, bundleID: request.bundleID)
        guard let number = PhoneNumber(request.number) else {
            throw authority.failure(
                .numberMalformed, "number: must be digits, with + and a country code if not China's")
        }
        try authority.checkNewOfStranger(device.proof)
        let trace = TraceID(at: authority.lives.now, random: authority.random)
        let text = codes.settings.loginText.replacing(SMSCodes.Settings.appPlaceholder, with: app.record.name)
        let id: SMSTransactionID
        do {
            id = try await codes.send(
                SMSCodes.Order(
                    app: app.record, purpose: .login, number: number, trace: trace,
                    source: device.source.map { "phones at \(SMSCodes.source($0))" },
                    deviceKey: device.proof.key.thumbprint
                ) { text.replacing(SMSCodes.Settings.codePlaceholder, with: $0) })
        } catch { throw authority.failure(error, trace: error.trace) }
        return SMSCodeResponse(
            trace: trace, transaction: id.rawValue, digits: Int64(codes.settings.digits),
            lifetime: codes.settings.lifetime.components.seconds,
            policyVersion: authority.configuration.policy.version, serverTime: authority.clock.now)
    }

    private func admit(_ app: AppRecord, _ device: DeviceCall, bundleID: String? = nil) throws(Refusal) {
        guard app.workflow == .oneTapThenSMS else {
            throw authority.failure(.capabilityMissing, "the app's workflow has no codes by SMS")
        }
        guard app.capabilities.contains(.login) else {
            throw authority.failure(.capabilityMissing, "the app is not registered for login")
        }
        guard app.leastAssurance == .sms else {
            throw authority.failure(
                .assuranceTooLow, "a code by SMS earns sms, the app accepts \(app.leastAssurance.rawValue) or more")
        }
        // It makes nothing stronger here; a wrong one is refused all the same.
        _ = try authority.attestation(of: device, for: app, bundleID: bundleID)
    }

    // MARK: the login

    /// Turns a code and a consent into a token. Everything that can be told without the code is checked before it is spent.
    package func logIn(
        _ request: SMSLoginRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse {
        try authority.checkTime(of: device.proof)
        let app = try await authority.liveApp(request.appID)
        try admit(app.record, device)
        let consent = try checkedConsent(request, device, of: app.record)
        try authority.checkNewOfStranger(device.proof)
        let code: SMSCodeRecord
        do {
            code = try await codes.spend(
                request.smsCode, of: request.transaction, app: app.record.id, purpose: .login,
                deviceKey: device.proof.key.thumbprint)
        } catch { throw authority.failure(error, trace: error.trace) }
        return try await authority.tracer.traced(code.trace, "sms.login", isNamed: true) { () async throws(Refusal) in
            guard consent.trace == code.trace else {
                throw authority.failure(.consentInvalid, "the consent was given in another login")
            }
            let holder = try await holder(of: code)
            let response = try await authority.judged(byApp: request.appID, seen: app) { (app) throws(Refusal) in
                try admit(app.record, device)
                let consent = try checkedConsent(request, device, of: app.record)
                return try await issue(request, device, app: app.record, to: holder, consent: consent, code.trace)
            }
            let consented = authority.tracer.event(
                code.trace, .device, "consent", .success,
                "tapped at \(consent.tappedAt.milliseconds) by its clock, \(response.assurance.rawValue)",
                of: .init(app: app.record.id, subscription: holder.id, epoch: holder.epoch))
            return TracedAnswer(response, "login token, \(response.assurance.rawValue)", after: [consented])
        } keeps: { _ in
            // A code was spent for it, so there are few.
            true
        }
    }

    /// The yes to this login: it repeats the transaction, which the server drew for it.
    private func checkedConsent(
        _ request: SMSLoginRequest, _ device: DeviceCall, of app: AppRecord
    ) throws(Refusal) -> ConsentRecord {
        let consent = try authority.signedConsent(request.consent, by: device.proof.key)
        let transaction = ConsentRecord.hash(of: request.transaction)
        guard consent.appID == app.id, consent.scripHash == transaction, consent.nonceHash == transaction else {
            throw authority.failure(.consentInvalid, "the consent was given for another app or code")
        }
        try authority.check(consent, of: app, carriersTerms: .notNeeded)
        return consent
    }

    /// Whose number the code was sent to. Told to nobody but who showed the code.
    private func holder(of code: SMSCodeRecord) async throws(Refusal) -> SubscriptionRecord {
        guard let reference = code.subscription else {
            throw authority.failure(
                .numberNotServed, "the register does not know the number; it does after a login over mobile data")
        }
        let row: SubscriptionRecord?
        do { row = try await authority.store.subscription(reference.subscription) } catch {
            throw authority.failure(error)
        }
        guard let row, row.reference == reference else {
            throw authority.failure(
                .subscriptionChanged, "the SIM or the owner of the number changed since the code was sent")
        }
        guard authority.configuration.policy.carriers[row.carrier]?.enabled == true else {
            throw authority.failure(.numberNotServed, "the number's carrier is switched off")
        }
        guard authority.clock.now - row.lastSeenAt <= quarantine else {
            throw authority.failure(
                .numberNotServed,
                "the network has not reported the number for so long that it may have another owner; log in over mobile data"
            )
        }
        RequestSubject.current?.note(carrier: row.carrier)
        return row
    }

    private func issue(
        _ request: SMSLoginRequest, _ device: DeviceCall, app: AppRecord, to holder: SubscriptionRecord,
        consent: ConsentRecord, _ trace: TraceID
    ) async throws(Refusal) -> AuthorizeResponse {
        let policy = authority.configuration.policy
        guard let lifetimes = policy.lifetimes(holder.carrier, request.dialect) else {
            throw authority.failure(.carrierUnsupported, "this carrier is not in the policy")
        }
        let random = authority.random
        let now = authority.lives.now
        let receivedAt = authority.clock.now
        let lifetime = min(app.tokenLifetime ?? .max, lifetimes.token)
        let token = CredentialGrammar.token.make(at: now, random: random)
        let number: PhoneNumber
        do { number = try authority.vault.number(of: holder) } catch {
            throw authority.failure(Refusal(error, "the subscription's number does not open"))
        }
        let openID = authority.vault.openID(holder, app: app.id)
        try await authority.issueAtOnce(
            TokenRecord(
                hash: CredentialHash(of: token, .token), appID: app.id, purpose: .login,
                subscription: holder.reference, carrier: holder.carrier,
                // No address told the number, so none can take it back: a name that no gateway has given.
                binding: BindingID(rawValue: random.family()), deviceKey: device.proof.key.thumbprint,
                assurance: .sms, trace: trace, dialect: request.dialect, issuedAt: now,
                expiresAt: now + .seconds(lifetime)),
            appRevision: app.revision,
            consent: ConsentEvidence(
                appID: app.id, trace: trace, subscription: holder.reference, contentDigest: consent.contentDigest,
                record: request.consent, assurance: .sms, receivedAt: receivedAt),
            unusedPerKey: policy.unusedTokensPerApp)
        return AuthorizeResponse(
            trace: trace, token: token, tokenLifetime: lifetime, openID: openID, scrip: nil, nonce: nil,
            assurance: .sms,
            consentReceipt: try authority.receipt(
                for: consent, evidence: request.consent, openID: openID, assurance: .sms, at: receivedAt),
            carrier: holder.carrier, maskedNumber: number.masked)
    }
}
