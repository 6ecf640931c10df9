import Authority
import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import Requests
import Store

/// The profile of an account's holder, opened for readers who may see it.
extension FaceProvider {
    static let infoPurpose = "face-info"

    func opened(_ account: FaceAccountRecord) throws(Refusal) -> (AccountKey, FaceProfile) {
        do {
            let key = try AccountKey(of: account, vault: authority.vault)
            return (key, try FaceProfile(try key.open(account.sealedProfile, purpose: FaceProfile.purpose)))
        } catch {
            throw failure(opening: "the account does not open; was it made with another master key?", error)
        }
    }

    func sealed(_ info: FaceUserInfo, _ key: AccountKey) throws(Refusal) -> Sealed {
        do { return try key.seal(info.json.serialized, purpose: Self.infoPurpose) } catch {
            throw failure(.internalError, "the user info could not be sealed")
        }
    }

    /// A reader of the profile.
    enum Reader {
        /// Sees a masked number: a full number on a phone is only as safe as that phone and the app on it.
        case phone
        case server
    }

    func userInfo(
        _ account: FaceAccountRecord, _ binding: FaceBindingRecord, for reader: Reader
    ) async throws(Refusal) -> FaceUserInfo {
        let (key, profile) = try opened(account)
        let subscription = try await stored { () async throws(StoreError) in
            try await store.subscription(account.subscription)
        }
        guard let subscription, subscription.epoch == account.epoch else {
            throw failure(.notAuthorized, "the number has a new owner")
        }
        return try userInfo(profile, binding, key, subscription, for: reader)
    }

    /// Name, picture and number are the account's own; the rest is what the app has said.
    func userInfo(
        _ profile: FaceProfile, _ binding: FaceBindingRecord, _ key: AccountKey, _ subscription: SubscriptionRecord,
        for reader: Reader
    ) throws(Refusal) -> FaceUserInfo {
        do {
            var info = FaceUserInfo()
            if let sealed = binding.sealedInfo {
                let bytes = try key.open(sealed, purpose: Self.infoPurpose)
                let said = try FaceUserInfo(try JSON(parsing: bytes), path: "$", isRequest: false)
                (info.email, info.other) = (said.email, said.other)
            }
            (info.name, info.avatar) = (profile.name, profile.avatarURL)
            let number = try authority.vault.number(of: subscription)
            info.phone = reader == .server ? number.national : number.masked
            return info
        } catch { throw failure(opening: "the user info does not open", error) }
    }
}
