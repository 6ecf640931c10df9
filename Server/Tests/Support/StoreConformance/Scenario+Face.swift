import BenjiProtocol
import Store

extension Scenario {
    func faceAccount(_ subscription: SubscriptionRecord) -> FaceAccountRecord {
        FaceAccountRecord(
            subscription: subscription.id, epoch: subscription.epoch, sealedKey: Sealed(bytes: [1, 2]),
            sealedTemplate: Sealed(bytes: [3]), sealedProfile: Sealed(bytes: [4, 5, 6]), terms: "1",
            simGeneration: subscription.simGeneration, createdAt: Self.now)
    }

    /// The revision of an account's binding to an app.
    func faceRevision(_ account: Int64, app: AppID = app) async throws -> Int64 {
        guard let binding = try await store.faceBinding(account: account, app: app) else {
            throw PromiseBroken("the binding is not there", #fileID)
        }
        return binding.revision
    }

    func faceBinding(_ uid: String, app: AppID = app) -> FaceBindingRecord {
        FaceBindingRecord(
            account: 0, appID: app, uid: uid, isRandomUID: true, openID: "open \(uid)",
            sealedInfo: Sealed(bytes: [7]), authorizedAt: Self.now, verifiedAt: Self.now)
    }

    /// The refresh token and the remembered account live longer than the rest.
    func faceCredential(
        _ label: String, _ kind: FaceCredential.Kind = .access, family: Int64 = 1, app: AppID = app
    ) -> FaceCredential {
        FaceCredential(
            hash: Self.hash(label), kind: kind, family: family, appID: app, account: 0, deviceKey: "thumbprint",
            issuedAt: Self.now, expiresAt: Self.now + .seconds(kind == .access ? 60 : 600))
    }

    func faceLogin(
        _ account: FaceLoginWrite.Account, uid: String, label: String = "", app: AppID = app, present: Int64? = nil
    ) -> FaceLoginWrite {
        FaceLoginWrite(
            account: account, consents: [], binding: faceBinding(uid, app: app),
            present: present,
            credentials: [
                faceCredential("access\(label)", app: app), faceCredential("refresh\(label)", .refresh, app: app),
                faceCredential("remembered\(label)", .remembered, app: app),
            ])
    }

    /// A new account; its credentials' labels end in `label`.
    func enrol(
        _ subscription: SubscriptionRecord, uid: String = "uid", label: String = ""
    ) async throws -> Int64 {
        let outcome = try await store.finishFaceLogin(
            faceLogin(.new(faceAccount(subscription)), uid: uid, label: label))
        guard case .done(let account) = outcome else { throw PromiseBroken("enrolling: \(outcome)", #fileID) }
        return account
    }

    func faceExchange(
        _ credential: FaceCredential, next: [FaceCredential] = [], now: Timestamp = now
    ) -> FaceExchange {
        FaceExchange(
            hash: credential.hash, kind: credential.kind, appID: credential.appID, deviceKey: credential.deviceKey,
            now: now, next: next)
    }

    /// Expects that a refusal has left the credential spendable.
    func expectSpendable(_ credential: FaceCredential, now: Timestamp = now) async throws {
        let outcome = try await store.exchangeFaceCredential(faceExchange(credential, now: now))
        guard case .spent = outcome else { throw PromiseBroken("cannot be spent any more: \(outcome)", #fileID) }
    }

    func expectErased(_ subscription: SubscriptionRecord) async throws {
        let found = try await store.faceAccount(subscription: subscription.id, epoch: subscription.epoch)
        try expect(found == nil, "the account is there")
        try expect(try await store.faceBinding(uid: "one", app: Self.app) == nil, "its binding is there")
    }
}
