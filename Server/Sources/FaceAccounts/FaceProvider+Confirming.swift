import Authority
package import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
package import Requests
import Store

/// Operations that cannot be undone, or that hand the account to another of the app's users. An app's access token is
/// not enough, since it lives on a phone for hours and is renewed for months. They require a face that this very device
/// has just shown, or a fresh one-tap token.
extension FaceProvider {
    package func updateUID(_ request: FaceUpdateUIDRequest, from device: DeviceCall) async throws(Refusal) {
        let app = try await admit(device, appToken: request.appToken).record
        try await confirm(request.accessToken, request.token, app: app, device: device)
        let outcome = try await deciding(request.accessToken, app: app, device: device) {
            holding throws(Refusal) -> FaceUIDOutcome? in
            let outcome = try await stored { () async throws(StoreError) in
                try await store.changeFaceUID(
                    account: holding.account.id, app: app.id, revision: holding.binding.revision, to: request.uid,
                    at: authority.clock.now)
            }
            return outcome == .outdated ? nil : outcome
        }
        guard outcome == .changed else { throw failure(.uidTaken, "$.uid: belongs to another account") }
    }

    /// For a lost phone: nothing of the account works until the operator thaws it.
    package func freeze(_ request: FaceConfirmedRequest, from device: DeviceCall) async throws(Refusal) {
        let app = try await admit(device, appToken: request.appToken).record
        try await confirm(request.accessToken, request.token, app: app, device: device)
        _ = try await deciding(request.accessToken, app: app, device: device) {
            holding throws(Refusal) -> FaceAccountOutcome? in
            let outcome = try await stored { () async throws(StoreError) in
                try await store.setFaceAccount(
                    holding.account.id, revision: holding.account.revision,
                    frozen: FaceFreezing(at: authority.clock.now, by: .holder), audit: nil)
            }
            return outcome == .outdated ? nil : outcome
        }
    }

    /// Erases the account at once, for every app.
    package func erase(
        _ request: FaceConfirmedRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceCancelResponse {
        let app = try await admit(device, appToken: request.appToken).record
        try await confirm(request.accessToken, request.token, app: app, device: device)
        let outcome = try await deciding(request.accessToken, app: app, device: device) {
            holding throws(Refusal) -> FaceAccountOutcome? in
            let outcome = try await stored { () async throws(StoreError) in
                try await store.eraseFaceAccount(
                    holding.account.id, revision: holding.account.revision, at: authority.clock.now, audit: nil)
            }
            return outcome == .outdated ? nil : outcome
        }
        return FaceCancelResponse(isErased: outcome == .done)
    }

    /// It is the holder, now: by a one-tap token of the account's own number, or by a face that this device has just
    /// shown.
    private func confirm(
        _ accessToken: String, _ token: String?, app: AppRecord, device: DeviceCall
    ) async throws(Refusal) {
        let account = try await access(accessToken, app: app.id, device: device).account
        guard let token else {
            guard isFresh(account.id, app: app.id, device: device) else {
                throw failure(
                    .confirmationNeeded,
                    "this device has not shown the face within \(Lifetime.fresh / 60) minutes; verify, or send a "
                        + "one-tap token"
                )
            }
            return
        }
        let person = try await holder(ofNumberBehind: token, app: app, device: device)
        guard person.account?.id == account.id else {
            throw failure(
                .numberDiffers, "$.token: was earned by another number than the account's", trace: person.trace)
        }
    }

    /// Whether this device has shown the account's face for the app a moment ago.
    func isFresh(_ account: Int64, app: AppID, device: DeviceCall) -> Bool {
        freshness.isFresh(.init(account: account, app: app, deviceKey: device.proof.key.thumbprint), now: now)
    }

    /// Runs `body` with the account and the binding, and again if they changed meanwhile.
    ///
    /// - Parameter body: Returns `nil` if the account or the binding has changed.
    func deciding<Value>(
        _ accessToken: String, app: AppRecord, device: DeviceCall,
        _ body: (Access) async throws(Refusal) -> Value?
    ) async throws(Refusal) -> Value {
        for _ in 0..<8 {
            let holding = try await access(accessToken, app: app.id, device: device)
            if let value = try await body(holding) { return value }
        }
        throw failure(.overloaded, "the account was being changed; try again")
    }
}
