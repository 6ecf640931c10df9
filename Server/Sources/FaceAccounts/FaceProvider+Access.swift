import Authority
package import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
package import Requests
import Store

/// Operations of an app with the access that an account's holder has granted.
extension FaceProvider {
    /// Spends a refresh token for new ones: silent renewal.
    package func renew(
        _ request: FaceRenewRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceRenewResponse {
        let app = try await admit(device, appToken: request.appToken).record.id
        let deviceKey = device.proof.key.thumbprint
        let (grant, next) = newGrant(family: 0, app: app, deviceKey: deviceKey)
        let exchange = FaceExchange(
            hash: CredentialHash(of: request.refreshToken), kind: .refresh, appID: app, deviceKey: deviceKey, now: now,
            next: next)
        let outcome = try await stored { () async throws(StoreError) in
            try await store.exchangeFaceCredential(exchange)
        }
        switch outcome {
        case .spent: return FaceRenewResponse(grant: grant)
        case .unknown: throw failure(.refreshTokenInvalid, "this device key has no such refresh token")
        case .alreadySpent(let credential):
            // RFC 9700 §4.14.2: either this caller or the first one may have stolen the token.
            try await stored { () async throws(StoreError) in
                try await store.revokeFaceCredentials(family: credential.family)
            }
            throw failure(.refreshTokenInvalid, "the refresh token was spent before; what it had bought is ended")
        case .expired: throw failure(.refreshTokenInvalid, "the refresh token has expired")
        case .revoked(let credential, let ending):
            throw try await ended(credential, ending, .refreshTokenInvalid, "the refresh token was ended")
        case .frozen(let credential):
            let found = try await stored { () async throws(StoreError) in
                try await store.faceCredential(credential.hash)
            }
            guard case .live(let holding) = found else {
                throw failure(.refreshTokenInvalid, "the refresh token was ended")
            }
            throw frozen(holding.account)
        }
    }

    /// The account, binding and token family of a phone's access token.
    struct Access {
        var account: FaceAccountRecord
        var binding: FaceBindingRecord
        var family: Int64
    }

    func access(
        _ token: String, app: AppID, device: DeviceCall, evenExpired: Bool = false
    ) async throws(Refusal) -> Access {
        let found = try await stored { () async throws(StoreError) in
            try await store.faceCredential(CredentialHash(of: token))
        }
        let credential: FaceCredential
        var ending: FaceEnding?
        switch found {
        case .unknown: throw failure(.accessTokenInvalid, "no such access token")
        case .spent(let record): credential = record
        case .revoked(let record, let cause): (credential, ending) = (record, cause)
        case .live(let holding): credential = holding.credential
        }
        guard credential.kind == .access, credential.appID == app, credential.deviceKey == device.proof.key.thumbprint
        else { throw failure(.accessTokenInvalid, "no such access token") }
        guard case .live(let holding) = found else {
            throw try await ended(credential, ending, .accessTokenInvalid, "the access token was ended")
        }
        guard let binding = holding.binding else { throw failure(.notAuthorized, "the authorisation was cancelled") }
        guard !holding.account.isFrozen else { throw frozen(holding.account) }
        guard evenExpired || now < credential.expiresAt else {
            throw failure(.accessTokenExpired, "the access token has expired; renew it")
        }
        return Access(account: holding.account, binding: binding, family: credential.family)
    }

    /// Why a credential has ended, for a device that may not know: what happened, and when.
    ///
    /// - Parameter otherwise: of what has ended in a way of its own.
    private func ended(
        _ credential: FaceCredential, _ ending: FaceEnding?, _ otherwise: Situation, _ detail: String
    ) async throws(Refusal) -> Refusal {
        switch ending?.cause {
        case .erased, .sim: return ended(ending, otherwise) ?? failure(otherwise, detail)
        case .cancelled: return failure(.notAuthorized, "the authorisation was cancelled", since: ending?.at)
        case nil:
            let binding = try await stored { () async throws(StoreError) in
                try await store.faceBinding(account: credential.account, app: credential.appID)
            }
            return failure(
                binding == nil ? .notAuthorized : otherwise, binding == nil ? "the authorisation was cancelled" : detail
            )
        }
    }

    /// The refusal if the account was erased or the number has another SIM; `nil` for every other ending.
    func ended(_ ending: FaceEnding?, _ otherwise: Situation) -> Refusal? {
        switch ending?.cause {
        case .erased:
            failure(.accountErased, "the account was erased, on another device or by the operator", since: ending?.at)
        case .sim:
            failure(otherwise, "the number has another SIM; log in once with a one-tap token", since: ending?.at)
        case .cancelled, nil: nil
        }
    }

    func frozen(_ account: FaceAccountRecord, trace: TraceID? = nil) -> Refusal {
        failure(
            .accountFrozen, "the account was frozen by its \(account.frozen?.by.rawValue ?? "holder")", trace: trace,
            since: account.frozen?.at)
    }

    package func user(
        _ request: FaceAccessRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceUserResponse {
        let app = try await admit(device, appToken: request.appToken).record
        let holding = try await access(request.accessToken, app: app.id, device: device)
        let (account, binding) = (holding.account, holding.binding)
        var groups: FaceGroupStanding?
        if app.capabilities.contains(.faceGroups) {
            let names = try await stored { () async throws(StoreError) in
                try await store.faceGroups(of: account.id, app: app.id).map(\.name.printable)
            }
            groups = FaceGroupStanding(isAgreed: binding.groupsAgreedAt != nil, names: names)
        }
        return FaceUserResponse(
            openID: binding.openID, uid: binding.uid, isRandomUID: binding.isRandomUID, uidSince: binding.uidSince,
            userInfo: try await userInfo(account, binding, for: .phone), groups: groups)
    }

    package func updateUserInfo(
        _ request: FaceUpdateUserInfoRequest, from device: DeviceCall
    ) async throws(Refusal) {
        let app = try await admit(device, appToken: request.appToken).record
        _ = try await deciding(request.accessToken, app: app, device: device) {
            holding throws(Refusal) -> Void? in
            let (key, _) = try opened(holding.account)
            let info = try sealed(request.userInfo, key)
            let isChanged = try await stored { () async throws(StoreError) in
                try await store.changeFaceInfo(
                    account: holding.account.id, app: app.id, revision: holding.binding.revision, to: info)
            }
            return isChanged ? () : nil
        }
    }

    /// Returns whether a uid of the app is bound to an account, and nothing else. Calls are limited.
    package func state(
        _ request: FaceStateRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceStateResponse {
        let app = try await admit(device, appToken: request.appToken).record.id
        try await count(device, by: questionBudget, appToken: request.appToken, app: app)
        let binding = try await stored { () async throws(StoreError) in
            try await store.faceBinding(uid: request.uid, app: app)
        }
        return FaceStateResponse(isAuthorized: binding != nil)
    }

    /// Ends the access of this login. An expired access token suffices, because the refresh token lives longer. The
    /// account, the authorisation and the install's remembered credential stay.
    package func logOut(_ request: FaceAccessRequest, from device: DeviceCall) async throws(Refusal) {
        let app = try await admit(device, appToken: request.appToken).record.id
        let family = try await access(request.accessToken, app: app, device: device, evenExpired: true).family
        try await stored { () async throws(StoreError) in try await store.revokeFaceCredentials(family: family) }
    }

    /// Takes the app's authorisation back. An access token is enough: it is no harder to take back than it was to give,
    /// and it touches this app alone.
    ///
    /// With the last authorisation the account goes too: at once if this device has shown the face a moment ago, else
    /// after ``FaceAccounts/keptUnbound``. So a stolen access token alone cannot erase an account: its holder logs in
    /// again meanwhile.
    package func cancel(
        _ request: FaceAccessRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceCancelResponse {
        let app = try await admit(device, appToken: request.appToken).record
        let moment = authority.clock.now
        let outcome = try await deciding(request.accessToken, app: app, device: device) {
            holding throws(Refusal) -> FaceCancelOutcome? in
            let isFresh = isFresh(holding.account.id, app: app.id, device: device)
            let outcome = try await stored { () async throws(StoreError) in
                try await store.cancelFaceBinding(
                    account: holding.account.id, app: app.id, revision: holding.binding.revision, at: moment,
                    keepsAccount: !isFresh)
            }
            return outcome == .outdated ? nil : outcome
        }
        return FaceCancelResponse(
            isErased: outcome == .erased, keptUntil: outcome == .unbound ? moment + FaceAccounts.keptUnbound : nil)
    }
}
