import BenjiProtocol
package import Store

/// The stores that hold sealed values, and the check value of the master key.
package typealias SealedStore = MasterKeyStore & AppStore & RegisterStore & OpenIDKeyStore

/// Whether a master key is the one under which a store's secrets are sealed.
package enum MasterKeyFit: Hashable, Sendable {
    case fits
    /// The store has no sealed values and no check value, so any key fits.
    case nothingSealed
    case doesNotFit

    /// Compares without changing anything.
    /// - Parameter vault: of the key in question; `nil` if there is no key. Then nothing but an empty store fits.
    package static func judge(_ vault: Vault?, store: any SealedStore) async throws(StoreError) -> MasterKeyFit {
        if let kept = try await store.masterKeyCheck() { return kept == vault?.masterKeyCheck ? .fits : .doesNotFit }
        // An older version made the store: what the key opens tells.
        let apps = try await store.apps()
        let subscription = try await store.anySubscription()
        let keys = try await store.openIDKeys(at: Timestamp(milliseconds: 0))
        if apps.isEmpty, subscription == nil, keys.isEmpty { return .nothingSealed }
        guard let vault else { return .doesNotFit }
        let opensSomething =
            apps.contains { app in
                app.keys.contains { key in
                    let owner = Apps.owner(app.id, key.version)
                    return (try? vault.open(key.sealed, purpose: Apps.purpose(key.use), owner: owner)) != nil
                }
            }
            || subscription.map { (try? vault.number(of: $0)) != nil } ?? false
            || keys.contains {
                (try? vault.open($0.sealedKey, purpose: "openid-key", owner: Array($0.id.utf8))) != nil
            }
        return opensSomething ? .fits : .doesNotFit
    }

    /// Ties the store to the key, if it is tied to none yet and the key fits.
    /// - Returns: whether the key is the store's. If not, nothing was changed, and nothing may be sealed under the key.
    package static func tie(_ vault: Vault, to store: any SealedStore) async throws(StoreError) -> Bool {
        guard try await judge(vault, store: store) != .doesNotFit else { return false }
        // Another process may have written its check value since we read.
        return try await store.keepMasterKeyCheck(vault.masterKeyCheck) == vault.masterKeyCheck
    }
}
