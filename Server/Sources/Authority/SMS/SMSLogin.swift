import BenjiPolicy
@_spi(Server) package import BenjiProtocol
package import Requests
import Sightings
package import Store

/// Login by a code that is sent to the number, or by a text that is sent from it. It serves phones that the network
/// does not know just now (decisions 48 and 50): on Wi-Fi, or abroad.
///
/// The code proves that someone reads the number's messages; the text proves that someone writes them. Neither proves
/// since when this person holds the number. So both log in only to a number that the register knows and has seen
/// lately. A reassigned number opens no other person's account.
package struct SMSLogin: Sendable {
    let authority: Authority
    package let codes: SMSCodes
    /// How long a number rests before carriers give it to somebody else; as of ``Register/quarantine``.
    let quarantine: Duration

    package init(authority: Authority, codes: SMSCodes, quarantine: Duration) {
        self.authority = authority
        self.codes = codes
        self.quarantine = quarantine
    }

    // MARK: the code

    /// Orders a code. The answer does not depend on what the register knows of the number.
    package func sendCode(
        _ request: SMSCodeRequest, from device: DeviceCall
    ) async throws(Refusal) -> SMSCodeResponse {
        let app = try await authority.liveApp(
            request.appID, installedAs: request.bundleID, appKeyProof: request.appKeyProof, by: device)
        try await admit(app.record, device, .sms, bundleID: request.bundleID)
        guard let number = PhoneNumber(request.number) else {
            throw authority.failure(
                .numberMalformed, "number: must be digits, with + and a country code if not China's")
        }
        try authority.checkNewOfStranger(device.proof)
        let trace = TraceID(at: authority.expiryClock.now, random: authority.random)
        let id: SMSTransactionID
        do {
            id = try await sendCode(
                to: number, of: app.record, trace, source: device.source, key: device.proof.key.thumbprint)
        } catch { throw authority.failure(error, trace: error.trace) }
        return SMSCodeResponse(
            trace: trace, transaction: id.rawValue, digits: Int64(codes.settings.digits),
            lifetime: codes.settings.lifetime.components.seconds, tries: Int64(codes.settings.tries),
            policyVersion: authority.configuration.policy.version, serverTime: authority.clock.now)
    }

    /// Has the code of a login sent, in the operator's words.
    ///
    /// - Parameters:
    ///   - source: the address that asks, for its budget. Phones and browsers share it.
    ///   - key: who alone may show the code: the thumbprint of a device key, or the name of a browser's page.
    ///   - id: by what the code is to be known; `nil` to have it drawn.
    package func sendCode(
        to number: PhoneNumber, of app: AppRecord, _ trace: TraceID, source: InternetAddress?, key: String,
        id: SMSTransactionID? = nil
    ) async throws(Refusal) -> SMSTransactionID {
        let text = codes.settings.loginText.replacing(SMSCodes.Settings.appPlaceholder, with: app.shownName)
        return try await codes.send(
            SMSCodes.Order(
                app: app, purpose: .login, number: number, trace: trace,
                source: source.map { "phones at \(SMSCodes.source($0))" }, deviceKey: key, id: id
            ) { text.replacing(SMSCodes.Settings.codePlaceholder, with: $0) })
    }

    /// - Parameter assurance: what the app's phones would earn.
    func admit(
        _ app: AppRecord, _ device: DeviceCall, _ assurance: Assurance, bundleID: String? = nil
    ) async throws(Refusal) {
        if let problem = app.problemWithSMSLogin(earning: assurance) {
            throw authority.failure(problem.situation, problem.detail)
        }
        // It makes nothing stronger here, so it is not counted; a wrong one is refused all the same.
        _ = try await authority.vouching(for: device, of: app, bundleID: bundleID)
    }

    // MARK: the login

    /// Turns a code and a consent into a token. Everything that can be told without the code is checked before it is
    /// spent.
    package func logIn(
        _ request: SMSLoginRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse {
        let yes = Yes(
            appID: request.appID, dialect: request.dialect, transaction: request.transaction, consent: request.consent,
            assurance: .sms)
        return try await logIn(yes, from: device) { (app) throws(Refusal) in
            let code = try await codes.spend(
                request.smsCode, of: request.transaction, app: app, purpose: .login,
                deviceKey: device.proof.key.thumbprint)
            return Proven(of: code)
        }
    }

    /// A person's consent and its context.
    struct Yes: Sendable {
        var appID: AppID
        var dialect: Dialect
        var transaction: String
        /// A signed ``ConsentRecord``.
        var consent: String
        /// The assurance to be earned.
        var assurance: Assurance
    }

    /// The proof of a number.
    struct Proven: Sendable {
        var trace: TraceID
        /// The number's subscription when the proof began; `nil` for a number that cannot log in.
        var subscription: SubscriptionReference?
        /// When that was, in words for the reader of a refusal.
        var since: String

        init(trace: TraceID, subscription: SubscriptionReference?, since: String) {
            self.trace = trace
            self.subscription = subscription
            self.since = since
        }

        init(of code: SMSCodeRecord) {
            self.init(trace: code.trace, subscription: code.subscription, since: "the code was sent")
        }
    }

    /// - Parameter prove: spends what proves the number. Everything that can be told without it is checked before.
    func logIn(
        _ yes: Yes, from device: DeviceCall, prove: (AppID) async throws(Refusal) -> Proven
    ) async throws(Refusal) -> AuthorizeResponse {
        try authority.checkTime(of: device.proof)
        let app = try await authority.liveApp(yes.appID)
        try await admit(app.record, device, yes.assurance)
        let consent = try checkedConsent(yes, device, of: app.record)
        try authority.checkNewOfStranger(device.proof)
        let proven: Proven
        do { proven = try await prove(app.record.id) } catch { throw authority.failure(error, trace: error.trace) }
        return try await authority.tracer.traced(proven.trace, "sms.login", isNamed: true) { () async throws(Refusal) in
            guard consent.trace == proven.trace else {
                throw authority.failure(.consentInvalid, "the consent was given in another login")
            }
            let holder = try await holder(of: proven)
            let response = try await authority.judged(byApp: yes.appID, seen: app) { (app) throws(Refusal) in
                try await admit(app.record, device, yes.assurance)
                let consent = try checkedConsent(yes, device, of: app.record)
                return try await issue(yes, device, app: app.record, to: holder, consent: consent, proven.trace)
            }
            let consented = authority.tracer.event(
                proven.trace, .device, "consent", .success,
                ConsentDetail(tappedAt: consent.tappedAt, assurance: response.assurance).text,
                of: .init(app: app.record.id, subscription: holder.id, epoch: holder.epoch))
            return TracedAnswer(response, "login token, \(response.assurance.rawValue)", after: [consented])
        } keeps: { _ in
            // A code or a text was spent for it, so there are few.
            true
        }
    }

    /// The yes to this login: it repeats the transaction, which the server drew for it.
    private func checkedConsent(
        _ yes: Yes, _ device: DeviceCall, of app: AppRecord
    ) throws(Refusal) -> ConsentRecord {
        let consent = try authority.signedConsent(yes.consent, by: device.proof.key)
        let transaction = ConsentRecord.hash(of: yes.transaction)
        guard consent.appID == app.id, consent.scripHash == transaction, consent.nonceHash == transaction else {
            throw authority.failure(.consentInvalid, "the consent was given for another app, code or text")
        }
        try authority.check(consent, of: app, carriersTerms: .notNeeded)
        return consent
    }

    /// The holder of the number that the code was sent to. Only for a caller that showed the code.
    package func holder(of code: SMSCodeRecord) async throws(Refusal) -> SubscriptionRecord {
        try await holder(of: Proven(of: code))
    }

    /// The holder of the proven number. Only for a caller that proved it.
    func holder(of proven: Proven) async throws(Refusal) -> SubscriptionRecord {
        guard let reference = proven.subscription else {
            throw authority.failure(
                .numberNotServed, "the register does not know the number; it does after a login over mobile data")
        }
        let row: SubscriptionRecord?
        do { row = try await authority.store.subscription(reference.subscription) } catch {
            throw authority.failure(error)
        }
        guard let row, row.reference == reference else {
            throw authority.failure(
                .subscriptionChanged, "the SIM or the owner of the number changed since \(proven.since)")
        }
        guard authority.configuration.policy.carriers[row.carrier]?.enabled == true else {
            throw authority.failure(.numberNotServed, "the number's carrier is switched off")
        }
        guard authority.clock.now - row.lastSeenAt <= quarantine else {
            throw authority.failure(
                .numberNotServed,
                "the network has not reported the number for so long that it may have another owner; log in over "
                    + "mobile data"
            )
        }
        RequestSubject.current?.note(carrier: row.carrier)
        return row
    }

    func number(of holder: SubscriptionRecord) throws(Refusal) -> PhoneNumber {
        do { return try authority.vault.number(of: holder) } catch {
            throw authority.failure(Refusal(error, "the subscription's number does not open"))
        }
    }

    private func issue(
        _ yes: Yes, _ device: DeviceCall, app: AppRecord, to holder: SubscriptionRecord,
        consent: ConsentRecord, _ trace: TraceID
    ) async throws(Refusal) -> AuthorizeResponse {
        let policy = authority.configuration.policy
        guard let lifetimes = policy.lifetimes(holder.carrier, yes.dialect) else {
            throw authority.failure(.carrierUnsupported, "this carrier is not in the policy")
        }
        let random = authority.random
        let now = authority.expiryClock.now
        let receivedAt = authority.clock.now
        let lifetime = min(app.tokenLifetime ?? .max, lifetimes.token)
        let token = CredentialGrammar.token.make(at: now, random: random)
        let number = try number(of: holder)
        let openID = authority.vault.openID(holder, app: app.id)
        try await authority.issueAtOnce(
            TokenRecord(
                hash: CredentialHash(of: token, .token), appID: app.id, purpose: .login,
                subscription: holder.reference, carrier: holder.carrier,
                // No address told the number, so none can take it back: a name that no gateway has given.
                binding: BindingID(rawValue: random.family()), deviceKey: device.proof.key.thumbprint,
                assurance: yes.assurance, trace: trace, dialect: yes.dialect, issuedAt: now,
                expiresAt: now + .seconds(lifetime)), of: app,
            appRevision: app.revision,
            consent: ConsentEvidence(
                appID: app.id, trace: trace, subscription: holder.reference, contentDigest: consent.contentDigest,
                record: yes.consent, assurance: yes.assurance, receivedAt: receivedAt),
            unusedPerKey: policy.unusedTokensPerApp)
        return AuthorizeResponse(
            trace: trace, token: token, tokenLifetime: lifetime, openID: openID, scrip: nil, nonce: nil,
            assurance: yes.assurance,
            consentReceipt: try authority.receipt(
                for: consent, evidence: yes.consent, openID: openID, assurance: yes.assurance, at: receivedAt),
            carrier: holder.carrier, maskedNumber: number.masked)
    }
}

extension AppRecord {
    /// Why the app has no login by an SMS code, or `nil`.
    package var problemWithSMSLogin: (situation: Situation, detail: String)? { problemWithSMSLogin(earning: .sms) }

    /// Why the app has no login by SMS, or `nil`.
    ///
    /// - Parameter assurance: the assurance to be earned: by a code ``BenjiProtocol/Assurance/sms``, by a text
    ///   ``BenjiProtocol/Assurance/smsUpstream``.
    func problemWithSMSLogin(earning assurance: Assurance) -> (situation: Situation, detail: String)? {
        guard workflow == .oneTapThenSMS else { return (.capabilityMissing, "the app's workflow has no logins by SMS") }
        guard capabilities.contains(.login) else { return (.capabilityMissing, "the app is not registered for login") }
        guard leastAssurance <= assurance else {
            return (
                .assuranceTooLow,
                "it earns \(assurance.rawValue), the app accepts \(leastAssurance.rawValue) or more"
            )
        }
        return nil
    }
}
