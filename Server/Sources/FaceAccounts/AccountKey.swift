import Authority
import BenjiProtocol
import Crypto
import Store

/// The data key of one face account: what seals its template, profile and what apps say of it. The key itself is kept
/// sealed by the master key; with that row gone, nothing of the account can be opened again.
struct AccountKey: Sendable {
    private let key: SymmetricKey
    private let owner: [UInt8]

    /// An account is named by its subscription and epoch, because it has no number before it is stored.
    private static func owner(subscription: Int64, epoch: Int32) -> [UInt8] {
        Vault.faceKeyOwner(subscription: subscription, epoch: epoch)
    }

    /// A new key, and the same sealed.
    static func make(
        subscription: Int64, epoch: Int32, vault: Vault, random: some RandomSource
    ) throws -> (key: AccountKey, sealed: Sealed) {
        let bytes = random.bytes(32)
        let owner = owner(subscription: subscription, epoch: epoch)
        let sealed = try vault.seal(bytes, purpose: Vault.faceKeyPurpose, owner: owner)
        return (AccountKey(key: SymmetricKey(data: bytes), owner: owner), sealed)
    }

    init(of account: FaceAccountRecord, vault: Vault) throws(VaultError) {
        try self.init(account.sealedKey, subscription: account.subscription, epoch: account.epoch, vault: vault)
    }

    init(_ sealed: Sealed, subscription: Int64, epoch: Int32, vault: Vault) throws(VaultError) {
        owner = Self.owner(subscription: subscription, epoch: epoch)
        key = SymmetricKey(data: try vault.open(sealed.withoutPadding, purpose: Vault.faceKeyPurpose, owner: owner))
    }

    private init(key: SymmetricKey, owner: [UInt8]) {
        self.key = key
        self.owner = owner
    }

    /// - Parameter purpose: what kind of value this is: "face-template", "face-profile".
    func seal(_ plaintext: [UInt8], purpose: String) throws -> Sealed {
        try Envelope.seal(plaintext, under: key, purpose: purpose, owner: owner)
    }

    func open(_ sealed: Sealed, purpose: String) throws(VaultError) -> [UInt8] {
        try Envelope.open(sealed, under: key, purpose: purpose, owner: owner)
    }
}
