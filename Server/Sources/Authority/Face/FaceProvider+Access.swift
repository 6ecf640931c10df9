@_spi(Server) public import BenjiProtocol
internal import Store

/// What an app may do with the access that an account's holder has given it.
extension FaceProvider {
    /// Spends a refresh token for new ones: silent renewal.
    public func renew(
        _ request: FaceRenewRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceRenewResponse {
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
            // RFC 9700 §4.14.2: whoever shows it again may be its thief, or the thief came first.
            try await stored { () async throws(StoreError) in
                try await store.revokeFaceCredentials(family: credential.family)
            }
            throw failure(.refreshTokenInvalid, "the refresh token was spent before; what it had bought is ended")
        case .expired: throw failure(.refreshTokenInvalid, "the refresh token has expired")
        case .revoked(let credential):
            throw try await ended(credential) ?? failure(.refreshTokenInvalid, "the refresh token was ended")
        case .frozen: throw failure(.accountFrozen, "the account is frozen")
        }
    }

    /// What an access token of a phone speaks for, with the binding that it needs.
    func access(
        _ token: String, app: AppID, device: DeviceCall, evenExpired: Bool = false
    ) async throws(DeviceFailure) -> (account: FaceAccountRecord, binding: FaceBindingRecord, family: Int64) {
        let found = try await stored { () async throws(StoreError) in
            try await store.faceCredential(CredentialHash(of: token))
        }
        let credential: FaceCredential
        switch found {
        case .unknown: throw failure(.accessTokenInvalid, "no such access token")
        case .spent(let record), .revoked(let record): credential = record
        case .live(let holding): credential = holding.credential
        }
        guard credential.kind == .access, credential.appID == app, credential.deviceKey == device.proof.key.thumbprint
        else { throw failure(.accessTokenInvalid, "no such access token") }
        guard case .live(let holding) = found else {
            throw try await ended(credential) ?? failure(.accessTokenInvalid, "the access token was ended")
        }
        guard let binding = holding.binding else { throw failure(.notAuthorized, "the authorisation was cancelled") }
        guard !holding.account.isFrozen else { throw failure(.accountFrozen, "the account is frozen") }
        guard evenExpired || now < credential.expiresAt else {
            throw failure(.accessTokenExpired, "the access token has expired; renew it")
        }
        return (holding.account, binding, credential.family)
    }

    /// That a credential has ended with its app's authorisation; `nil` if that is still there.
    private func ended(_ credential: FaceCredential) async throws(DeviceFailure) -> DeviceFailure? {
        let binding = try await stored { () async throws(StoreError) in
            try await store.faceBinding(account: credential.account, app: credential.appID)
        }
        return binding == nil ? failure(.notAuthorized, "the authorisation was cancelled") : nil
    }

    func access(
        _ request: FaceAccessRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> (account: FaceAccountRecord, binding: FaceBindingRecord, family: Int64) {
        try await access(request.accessToken, appToken: request.appToken, from: device)
    }

    private func access(
        _ token: String, appToken: String, from device: DeviceCall
    ) async throws(DeviceFailure) -> (account: FaceAccountRecord, binding: FaceBindingRecord, family: Int64) {
        try await access(token, app: try await admit(device, appToken: appToken).record.id, device: device)
    }

    public func user(
        _ request: FaceAccessRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceUserResponse {
        let app = try await admit(device, appToken: request.appToken).record
        let (account, binding, _) = try await access(request.accessToken, app: app.id, device: device)
        var groups: FaceGroupStanding?
        if app.capabilities.contains(.faceGroups) {
            let names = try await stored { () async throws(StoreError) in
                try await store.faceGroups(of: account.id, app: app.id).map(\.name)
            }
            groups = FaceGroupStanding(isAgreed: binding.groupsAgreedAt != nil, names: names)
        }
        return FaceUserResponse(
            openID: binding.openID, uid: binding.uid, isRandomUID: binding.isRandomUID,
            userInfo: try await userInfo(account, binding), groups: groups)
    }

    public func updateUID(_ request: FaceUpdateUIDRequest, from device: DeviceCall) async throws(DeviceFailure) {
        let binding = try await access(request.accessToken, appToken: request.appToken, from: device).binding
        let outcome = try await stored { () async throws(StoreError) in
            try await store.changeFaceUID(account: binding.account, app: binding.appID, to: request.uid)
        }
        switch outcome {
        case .changed: return
        case .taken: throw failure(.uidTaken, "$.uid: belongs to another account")
        case .gone: throw failure(.notAuthorized, "the authorisation was cancelled meanwhile")
        }
    }

    public func updateUserInfo(
        _ request: FaceUpdateUserInfoRequest, from device: DeviceCall
    ) async throws(DeviceFailure) {
        let (account, binding, _) = try await access(
            request.accessToken, appToken: request.appToken, from: device)
        let (key, _) = try opened(account)
        let info = try sealed(request.userInfo, key)
        let isChanged = try await stored { () async throws(StoreError) in
            try await store.changeFaceInfo(account: account.id, app: binding.appID, to: info)
        }
        guard isChanged else { throw failure(.notAuthorized, "the authorisation was cancelled meanwhile") }
    }

    /// Whether one of the app's users is tied to an account. It tells nothing else, and not often.
    public func state(
        _ request: FaceStateRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceStateResponse {
        let app = try await admit(device, appToken: request.appToken).record.id
        guard stateQueries.admits(device.proof.key.thumbprint, now: now) else {
            throw failure(.tooManyRequests, "too many questions from this device; try again later")
        }
        let binding = try await stored { () async throws(StoreError) in
            try await store.faceBinding(uid: request.uid, app: app)
        }
        return FaceStateResponse(isAuthorized: binding != nil)
    }

    /// Ends the access of this login, also by an access token that has expired: what came with it lives longer. Account,
    /// authorisation and what the install remembers stay.
    public func logOut(_ request: FaceAccessRequest, from device: DeviceCall) async throws(DeviceFailure) {
        let app = try await admit(device, appToken: request.appToken).record.id
        let family = try await access(request.accessToken, app: app, device: device, evenExpired: true).family
        try await stored { () async throws(StoreError) in try await store.revokeFaceCredentials(family: family) }
    }

    /// Takes the app's authorisation back. With the last one the account is erased.
    public func cancel(
        _ request: FaceAccessRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceCancelResponse {
        let (account, binding, _) = try await access(request, from: device)
        let outcome = try await stored { () async throws(StoreError) in
            try await store.cancelFaceBinding(account: account.id, app: binding.appID)
        }
        guard outcome != .notBound else { throw failure(.notAuthorized, "the authorisation was cancelled before") }
        return FaceCancelResponse(isErased: outcome == .erased)
    }

    /// For a lost phone: nothing of the account works until the operator thaws it.
    public func freeze(_ request: FaceAccessRequest, from device: DeviceCall) async throws(DeviceFailure) {
        let account = try await access(request, from: device).account
        _ = try await stored { () async throws(StoreError) in
            try await store.setFaceAccount(account.id, frozen: true)
        }
    }

    /// Erases the account at once, for every app.
    public func erase(
        _ request: FaceAccessRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceCancelResponse {
        let account = try await access(request, from: device).account
        let isErased = try await stored { () async throws(StoreError) in
            try await store.eraseFaceAccount(account.id)
        }
        return FaceCancelResponse(isErased: isErased)
    }
}
