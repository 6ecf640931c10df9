import Authority
package import BenjiFaceProtocol
import BenjiProtocol
package import Requests
import Sightings
import Store

/// The two consents of face login. Each is a record of its own: neither stands for the other, nor for the page's.
extension FaceProvider {
    /// Takes the yes to the face's being used; before that no frame is looked at.
    package func consent(_ request: FaceConsentRequest, from device: DeviceCall) async throws(Refusal) {
        let session = try await open(request.session, device: device).session
        let terms = configuration.terms
        let evidence = try checked(
            request.consent, to: terms.version, in: session, secret: request.session, device: device
        ) { content in
            content.links.contains { $0.url == terms.url } ? nil : "the terms of face login are not linked"
        }
        let isFirst = sessions.change(request.session) { session in
            session.consent = evidence
            return session.needs.remove(.consent) != nil
        }
        // A repeated consent is not recorded again.
        if isFirst == true { await record(session, request.session, .device, "face.consent", "given") }
    }

    /// The yes to the app's knowing the person.
    func checkedAuthorization(
        _ text: String?, in session: FaceSession, secret: String, app: AppRecord, device: DeviceCall
    ) throws(Refusal) -> FaceConsent? {
        guard session.needs.contains(.authorization) else { return nil }
        guard let text else { throw failure(.consentMissing, "$.authorization: missing", trace: session.trace) }
        return try checked(
            text, to: authorization(of: app).version, in: session, secret: secret, device: device
        ) { content in
            content.texts.contains { $0.text.contains(app.shownName) } ? nil : "no text names the app"
        }
    }

    /// Checks the consent to being found in the app's groups, which is optional.
    func checkedGroups(
        _ text: String?, in session: FaceSession, secret: String, app: AppRecord, device: DeviceCall
    ) throws(Refusal) -> FaceConsent? {
        guard let text else { return nil }
        guard app.capabilities.contains(.faceGroups) else {
            throw failure(.capabilityMissing, "$.groups: the app has no groups", trace: session.trace)
        }
        return try checked(text, to: groups(of: app).version, in: session, secret: secret, device: device) { content in
            content.texts.contains { $0.text.contains(app.shownName) } ? nil : "no text names the app"
        }
    }

    private func checked(
        _ text: String, to version: String, in session: FaceSession, secret: String, device: DeviceCall,
        _ problem: (ConsentContent) -> String?
    ) throws(Refusal) -> FaceConsent {
        func refuse(_ detail: String) -> Refusal { failure(.consentInvalid, detail, trace: session.trace) }
        let record: ConsentRecord
        do { record = try ConsentRecord(verifying: text, key: device.proof.key) } catch {
            throw refuse(error.description)
        }
        guard record.appID == session.appID, record.trace == session.trace,
            record.scripHash == ConsentRecord.hash(of: secret), record.nonceHash == session.nonceHash
        else { throw refuse("the consent was given for another app or face session") }
        guard record.content.digest == record.contentDigest else {
            throw refuse("consent.contentDigest is not the digest of consent.content")
        }
        guard record.content.policyVersion == version else {
            throw refuse("the consent is to another version than \(version)")
        }
        guard !record.content.initiallyTicked else { throw refuse("nobody agrees by default") }
        if let problem = problem(record.content) { throw refuse(problem) }
        try authority.checkTimes(of: record)
        return FaceConsent(contentDigest: record.contentDigest, record: text, receivedAt: authority.clock.now)
    }

    /// The session, for the device key that began it, and its app as it is now: it may have been suspended since.
    func open(
        _ secret: String, device: DeviceCall
    ) async throws(Refusal) -> (session: FaceSession, app: AppRecord) {
        guard let session = sessions.session(secret, deviceKey: device.proof.key.thumbprint, now: now) else {
            throw failure(.faceSessionInvalid, "this device key has no such face session; begin again")
        }
        return (session, try await admit(device, app: session.appID).record)
    }
}

extension FaceProvider {
    /// The session's account as it is now: it may have been erased, frozen, cancelled or have lost its number since.
    /// `nil` when the session enrols.
    func account(
        of session: FaceSession
    ) async throws(Refusal) -> (record: FaceAccountRecord, binding: FaceBindingRecord?)? {
        guard let id = session.account, let holder = session.subscription else { return nil }
        let (subscription, account, binding) = try await stored(trace: session.trace) { () async throws(StoreError) in
            (
                try await store.subscription(holder.subscription),
                try await store.faceAccount(subscription: holder.subscription, epoch: holder.epoch),
                try await session.purpose.isLogin ? nil : store.faceBinding(account: id, app: session.appID)
            )
        }
        guard let account, account.id == id, subscription?.epoch == holder.epoch else {
            throw failure(.faceSessionInvalid, "the account was erased meanwhile; begin again", trace: session.trace)
        }
        guard subscription?.simGeneration == holder.simGeneration else {
            throw failure(
                .subscriptionChanged, "the number has another SIM than when the session began; begin again",
                trace: session.trace, since: subscription?.simChangedAt)
        }
        guard !account.isFrozen else { throw frozen(account, trace: session.trace) }
        // An authorisation that was cancelled and granted again is not the one that the session began with.
        guard session.purpose.isLogin || binding != nil && binding?.authorizedAt == session.binding?.authorizedAt else {
            throw failure(.notAuthorized, "the authorisation was cancelled meanwhile", trace: session.trace)
        }
        return (account, binding)
    }
}

/// A yes that was checked. Whose it is may turn out later, so evidence is made of it when everything is written.
struct FaceConsent: Sendable {
    var contentDigest: String
    var record: String
    var receivedAt: Timestamp

    func evidence(of subscription: SubscriptionReference, in session: FaceSession) -> ConsentEvidence {
        ConsentEvidence(
            appID: session.appID, trace: session.trace, subscription: subscription, contentDigest: contentDigest,
            record: record, receivedAt: receivedAt)
    }
}
