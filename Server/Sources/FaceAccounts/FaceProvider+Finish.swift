package import Authority
package import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import FaceMatching
package import Requests
import Sightings
import Store

/// The end of a login or a binding: everything that was collected becomes true in one write, or nothing of it.
extension FaceProvider {
    package func finish(
        _ request: FaceFinishRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceFinishResponse {
        let app = try await open(request.session, device: device).app
        // One request at a time: of two that finish the same session, one.
        let claimed = sessions.change(request.session) { session -> FaceSession? in
            guard !session.isClaimed else { return nil }
            session.isClaimed = true
            return session
        }
        guard let claimed, var session = claimed else {
            throw failure(.faceSessionInvalid, "the face session is being finished, or was")
        }
        do {
            session = try await confirmed(session, request, app: app, device: device)
            let response = try await finish(request, session, app: app, device: device)
            sessions.end(request.session)
            await record(finished: session, session.account == nil ? "enrolled" : "logged in")
            return response
        } catch {
            _ = sessions.change(request.session) { $0.isClaimed = false }
            var refusal = error
            refusal.trace = await record(
                refusal: error.situation, error.detail, of: session, request.session, "face.finish")
            throw refusal
        }
    }

    private func finish(
        _ request: FaceFinishRequest, _ session: FaceSession, app: AppRecord, device: DeviceCall
    ) async throws(Refusal) -> FaceFinishResponse {
        guard session.purpose.isLogin else {
            throw failure(.parameterInvalid, "a session for \(session.purpose.rawValue) ends with its frames")
        }
        // A face is proven only after the consent.
        guard let proof = session.proof else {
            throw failure(.faceSessionIncomplete, "consent or challenge is missing")
        }
        // The face alone is never enough: credentials are issued only for a proven number.
        guard let holder = session.subscription else {
            throw failure(.faceSessionIncomplete, "nobody has shown yet whose face it is")
        }
        let subscription = try await stored { () async throws(StoreError) in
            try await store.subscription(holder.subscription)
        }
        guard let subscription, subscription.reference == holder else {
            throw failure(.subscriptionChanged, "the SIM or the owner of the number changed; begin again")
        }
        let agreed = try checkedAuthorization(
            request.authorization, in: session, secret: request.session, app: app, device: device)
        let groups = try checkedGroups(
            request.groups, in: session, secret: request.session, app: app, device: device)
        let account = try await account(of: session)?.record
        // A new account's key is sealed under the master key, which another process may have changed.
        if account == nil { try await stored { () async throws(StoreError) in try await authority.vault.follow() } }
        let owner = try owner(account, holder, request, proof)
        var binding = try binding(for: session, request, owner.key, subscription, app: app)
        binding.groupsAgreedAt = groups?.receivedAt
        let issued = issue(app: app.id, deviceKey: session.deviceKey)
        let write = FaceLoginWrite(
            account: owner.account,
            consents: [session.consent, agreed, groups].compactMap { $0?.evidence(of: holder, in: session) },
            binding: binding,
            present: session.binding?.revision, credentials: issued.credentials)
        if binding.sealedInfo == nil, let known = session.account {
            // Keep what the app has said of its user, and answer it.
            binding.sealedInfo = try await stored { () async throws(StoreError) in
                try await store.faceBinding(account: known, app: app.id)?.sealedInfo
            }
        }
        let outcome = try await stored { () async throws(StoreError) in try await store.finishFaceLogin(write) }
        if let refusal = refusal(of: outcome) { throw refusal }
        if case .done(let account) = outcome, let seenAt = session.faceSeenAt {
            freshness.note(.init(account: account, app: app.id, deviceKey: session.deviceKey), at: seenAt)
        }
        return FaceFinishResponse(
            trace: session.trace, grant: issued.grant, remembered: issued.remembered, authorizationCode: issued.code,
            openID: binding.openID, uid: binding.uid, isRandomUID: binding.isRandomUID,
            userInfo: try userInfo(owner.profile, binding, owner.key, subscription, for: .phone))
    }

    /// The account that logs in, with the key that opens its sealed values.
    private struct Owner {
        var account: FaceLoginWrite.Account
        var key: AccountKey
        var profile: FaceProfile
    }

    private func owner(
        _ account: FaceAccountRecord?, _ holder: SubscriptionReference, _ request: FaceFinishRequest, _ proof: FaceProof
    ) throws(Refusal) -> Owner {
        let terms = configuration.terms.version
        if let account {
            guard request.name == nil, request.avatar == nil else {
                throw failure(.parameterInvalid, "$.name: the account has a profile")
            }
            let (key, profile) = try opened(account)
            return Owner(
                account: .known(account.id, terms: terms, simGeneration: holder.simGeneration), key: key,
                profile: profile)
        }
        let profile = try self.profile(request)
        let (subscription, epoch) = (holder.subscription, holder.epoch)
        do {
            let (key, sealed) = try AccountKey.make(
                subscription: subscription, epoch: epoch, vault: authority.vault, random: random)
            let record = FaceAccountRecord(
                subscription: subscription, epoch: epoch, sealedKey: sealed,
                sealedTemplate: try key.seal(FaceTemplate.bytes(proof.embedding), purpose: FaceTemplate.purpose),
                sealedProfile: try key.seal(profile.bytes, purpose: FaceProfile.purpose), terms: terms,
                simGeneration: holder.simGeneration, createdAt: authority.clock.now)
            return Owner(account: .new(record), key: key, profile: profile)
        } catch { throw failure(.internalError, "the account could not be sealed") }
    }

    private func profile(_ request: FaceFinishRequest) throws(Refusal) -> FaceProfile {
        guard let name = request.name else { throw failure(.faceSessionIncomplete, "$.name: missing") }
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw failure(.parameterInvalid, "$.name: must not be blank")
        }
        // Not held to the grammar of names: a phone may know emoji of a later version of Unicode than the server.
        if let problem = TextGrammar.problem(in: name) { throw failure(.parameterInvalid, "$.name: \(problem)") }
        guard let avatar = request.avatar else { return FaceProfile(name: name, avatar: nil) }
        guard let plain = AvatarPicture.plain(avatar) else {
            throw failure(.pictureInvalid, "$.avatar: must be a JPEG")
        }
        return FaceProfile(name: name, avatar: plain)
    }

    private func binding(
        for session: FaceSession, _ request: FaceFinishRequest, _ key: AccountKey, _ subscription: SubscriptionRecord,
        app: AppRecord
    ) throws(Refusal) -> FaceBindingRecord {
        let moment = authority.clock.now
        let sealedInfo = try request.userInfo.map { info throws(Refusal) in try sealed(info, key) }
        return FaceBindingRecord(
            account: session.account ?? 0, appID: app.id,
            // 128 random bits: no collision by chance.
            uid: session.uid ?? session.binding?.uid ?? Hexadecimal.encode(random.bytes(16)),
            isRandomUID: session.uid == nil && session.binding?.isRandomUID ?? true,
            openID: authority.vault.openID(subscription, app: app.id), sealedInfo: sealedInfo,
            authorizedAt: moment, verifiedAt: moment)
    }

    private struct Issued {
        var grant: FaceGrant
        var remembered: String
        var code: String
        var credentials: [FaceCredential]
    }

    private func issue(app: AppID, deviceKey: String) -> Issued {
        let family = random.family()
        let (grant, tokens) = newGrant(family: family, app: app, deviceKey: deviceKey)
        let remembered = CredentialGrammar.faceRemembered.make(random: random)
        let code = CredentialGrammar.faceCode.make(random: random)
        return Issued(
            grant: grant, remembered: remembered, code: code,
            credentials: tokens + [
                credential(remembered, .remembered, family: family, app: app, deviceKey: deviceKey),
                // The app's server shows the code, and it has no device key.
                credential(code, .code, family: family, app: app),
            ])
    }

    /// An access token and the refresh token that buys the next.
    func newGrant(family: Int64, app: AppID, deviceKey: String) -> (FaceGrant, [FaceCredential]) {
        let access = CredentialGrammar.faceAccess.make(random: random)
        let refresh = CredentialGrammar.faceRefresh.make(random: random)
        let grant = FaceGrant(
            accessToken: access, accessTokenLifetime: Lifetime.access, refreshToken: refresh,
            refreshTokenLifetime: Lifetime.refresh)
        return (
            grant,
            [
                credential(access, .access, family: family, app: app, deviceKey: deviceKey),
                credential(refresh, .refresh, family: family, app: app, deviceKey: deviceKey),
            ]
        )
    }

    /// Returns the stored record of an issued secret. The store fills in the family and the account if they are 0.
    func credential(
        _ secret: String, _ kind: FaceCredential.Kind, family: Int64 = 0, app: AppID, deviceKey: String? = nil
    ) -> FaceCredential {
        let now = now
        return FaceCredential(
            hash: CredentialHash(of: secret), kind: kind, family: family, appID: app, account: 0, deviceKey: deviceKey,
            issuedAt: now, expiresAt: now + .seconds(Lifetime.of(kind)))
    }

    private func refusal(of outcome: FaceLoginOutcome) -> Refusal? {
        switch outcome {
        case .done: nil
        case .accountExists: failure(.faceSessionInvalid, "the number was enrolled meanwhile; begin again")
        case .accountGone:
            failure(.faceSessionInvalid, "the account was erased or the SIM replaced meanwhile; begin again")
        case .accountFrozen: failure(.accountFrozen, "the account is frozen")
        case .bindingChanged: failure(.faceSessionInvalid, "the account was bound or unbound meanwhile; begin again")
        case .uidTaken: failure(.uidTaken, "the uid belongs to another account")
        }
    }
}
