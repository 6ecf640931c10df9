import AppAttest
package import BenjiProtocol
package import Requests
package import Store

/// The party that vouches for a device key in one request.
package enum Vouching: Hashable, Sendable {
    /// An attester that the app has registered.
    case attester
    /// A key of the install, which was attested when it was registered here.
    case key(String, counter: Int64)
}

/// Keys that App Attest vouches for: registered once, and asked for a signature at each request (decision 55).
extension Authority {
    /// Registers a key of an install, if Apple's word for it holds.
    ///
    /// Without such a statement nothing is written. A key that this device key registered before is accepted again,
    /// because the answer may have been lost.
    package func register(_ request: AttestationRequest, from device: DeviceCall) async throws(Refusal) {
        func refuse(_ detail: String) -> Refusal { failure(.attestationInvalid, detail) }
        let app = try await liveApp(
            request.appID, installedAs: request.bundleID, appKeyProof: request.appKeyProof, by: device
        ).record
        guard let team = app.appleTeam else { throw refuse("this app takes no keys of App Attest") }
        guard let verifier = configuration.appAttest else { throw refuse(Self.noRoot) }
        try checkChallenge(request.challenge, for: app.id)
        guard let keyID = Base64URL.decode(request.keyID) else { throw refuse("the key's name is not base64url") }
        let thumbprint = device.proof.key.thumbprint
        let attested: AttestedKey
        do {
            attested = try await verifier.verify(
                request.evidence, keyID: keyID,
                clientDataHash: AttestationRequest.clientDataHash(
                    appID: app.id, challenge: request.challenge, keyThumbprint: thumbprint),
                appleIDs: [Self.appleID(team, request.bundleID)],
                environments: app.takesDevelopmentKeys ? [.production, .development] : [.production], at: clock.now)
        } catch { throw refuse(error.description) }
        try checkNewOfStranger(device.proof)
        let record = AttestedKeyRecord(
            appID: app.id, id: request.keyID, publicKey: attested.publicKey, deviceKey: thumbprint,
            bundleID: request.bundleID, isDevelopment: attested.environment == .development, createdAt: clock.now)
        do {
            if try await store.insertAttestedKey(record) { return }
            if let known = try await store.attestedKey(request.keyID, of: app.id), known.revokedAt == nil,
                known.deviceKey == thumbprint
            {
                return
            }
        } catch { throw failure(error) }
        throw refuse("the key is registered already, or was revoked")
    }

    /// Checks a registered key's signature over this very request. Its counter is not taken by that: see
    /// ``count(_:of:)``.
    ///
    /// - Parameter counted: what counted already for this very request, which is judged again.
    func vouching(
        by text: String, of device: DeviceCall, for app: AppRecord, bundleID: String?, counted: Vouching?
    ) async throws(Refusal) -> Vouching {
        func refuse(_ detail: String) -> Refusal { failure(.attestationInvalid, detail) }
        let assertion: KeyAssertion
        do { assertion = try KeyAssertion(parsing: text) } catch { throw refuse(error.description) }
        guard let team = app.appleTeam else { throw refuse("this app takes no keys of App Attest") }
        guard configuration.appAttest != nil else { throw refuse(Self.noRoot) }
        try checkChallenge(assertion.challenge, for: app.id)
        let found: AttestedKeyRecord?
        do { found = try await store.attestedKey(assertion.keyID, of: app.id) } catch { throw failure(error) }
        guard let key = found else { throw refuse("the key is not registered for this app") }
        guard key.revokedAt == nil else { throw refuse("the key was revoked") }
        guard key.deviceKey == device.proof.key.thumbprint else {
            throw refuse("the key speaks for another device key")
        }
        guard app.bundleIDs.contains(key.bundleID), bundleID == nil || bundleID == key.bundleID else {
            throw refuse("the key is of another bundle")
        }
        guard !key.isDevelopment || app.takesDevelopmentKeys else {
            throw refuse("the key is of an app under development")
        }
        let verified: VerifiedAssertion
        do {
            verified = try VerifiedAssertion(
                verifying: assertion.evidence, publicKey: key.publicKey,
                clientDataHash: KeyAssertion.clientDataHash(
                    appID: app.id, challenge: assertion.challenge, proof: device.proof),
                appleID: Self.appleID(team, key.bundleID))
        } catch { throw refuse(error.description) }
        // Looked at here for whatever is not counted; the write that counts compares it again.
        let vouching = Vouching.key(assertion.keyID, counter: Int64(verified.counter))
        guard Int64(verified.counter) > key.counter || vouching == counted else {
            throw refuse("the assertion was used before")
        }
        return vouching
    }

    /// Lets a key's signature count, once, and only if the key signed nothing later that counted: one conditional
    /// write.
    package func count(_ vouching: Vouching?, of app: AppID) async throws(Refusal) {
        guard case .key(let id, let counter)? = vouching else { return }
        let isTaken: Bool
        do { isTaken = try await store.advanceAttestedKey(id, of: app, to: counter, now: clock.now) } catch {
            throw failure(error)
        }
        guard isTaken else {
            throw failure(.attestationInvalid, "the assertion was used before, or its key was revoked")
        }
    }

    /// As ``count(_:of:)``, once for a request that may be judged again.
    ///
    /// - Parameter counted: what counted already for it.
    func count(_ vouching: Vouching?, of app: AppID, unless counted: inout Vouching?) async throws(Refusal) {
        guard counted == nil else { return }
        try await count(vouching, of: app)
        counted = vouching
    }

    private static let noRoot = "this server knows no root of App Attest; see docs/attestation.md"

    private static func appleID(_ team: String, _ bundleID: String) -> String { "\(team).\(bundleID)" }
}
