package import BenjiProtocol

/// A master key's mark in a store, to distinguish it from another key: a keyed hash that opens nothing.
package struct MasterKeyCheck: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The key's id: the first bytes. `nil` only for a value that is too short to be one.
    package var id: MasterKeyID? { MasterKeyID(bytes: Array(bytes.prefix(MasterKeyID.length))) }
}

/// One key of the ring, as a store knows it.
package struct MasterKeyRecord: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        /// Seals new values. One key at most.
        case current
        /// Sealed the values that a rotation has not come to yet. One key at most.
        case outgoing
        /// Nothing is sealed under it any more.
        case retired
    }

    package var check: MasterKeyCheck
    package var state: State
    /// Since when the store knows it.
    package var since: Timestamp
    package var retiredAt: Timestamp?

    package init(check: MasterKeyCheck, state: State, since: Timestamp, retiredAt: Timestamp? = nil) {
        self.check = check
        self.state = state
        self.since = since
        self.retiredAt = retiredAt
    }
}

/// A key that signs consent receipts, or did so.
package struct ReceiptKeyRecord: Hashable, Sendable {
    /// The public key's thumbprint (RFC 7638).
    package var id: String
    /// The public key as a JWK.
    package var publicKey: String
    /// The private key; `nil` once it has ended.
    package var sealedKey: Sealed?
    /// `nil` for the key of an installation that is older than this table.
    package var from: Timestamp?
    /// The last moment of a receipt under it; `nil` while it signs.
    package var until: Timestamp?

    package init(
        id: String, publicKey: String, sealedKey: Sealed?, from: Timestamp?, until: Timestamp? = nil
    ) {
        self.id = id
        self.publicKey = publicKey
        self.sealedKey = sealedKey
        self.from = from
        self.until = until
    }
}

/// A store's master keys, read in one moment.
package struct MasterKeyRing: Hashable, Sendable {
    /// Oldest first; empty in a store that belongs to no key yet.
    package var keys: [MasterKeyRecord]
    /// The secrets behind openIds, pseudonyms and more, which must outlive every master key. `nil` with ``keys`` empty.
    package var dataSecrets: Sealed?
    /// Newest first.
    package var receiptKeys: [ReceiptKeyRecord]

    package init(
        keys: [MasterKeyRecord] = [], dataSecrets: Sealed? = nil, receiptKeys: [ReceiptKeyRecord] = []
    ) {
        self.keys = keys
        self.dataSecrets = dataSecrets
        self.receiptKeys = receiptKeys
    }

    package var current: MasterKeyRecord? { keys.first { $0.state == .current } }
    package var outgoing: MasterKeyRecord? { keys.first { $0.state == .outgoing } }
    /// The keys that something is sealed under: one, or two while one takes the place of the other.
    package var needed: [MasterKeyID] { [current, outgoing].compactMap { $0?.check.id } }
}

/// A sealed value, with the data to seal it again.
package struct SealedValue: Hashable, Sendable {
    /// The kind and owner of a sealed value.
    package enum Subject: Hashable, Sendable {
        case appKey(app: String, use: String, version: Int)
        case openIDKey(id: String)
        /// An account is named by its subscription and epoch where its key is sealed.
        case faceKey(account: Int64, subscription: Int64, epoch: Int32)
        case receiptKey(id: String)
        case dataSecrets
    }

    package var subject: Subject
    package var sealed: Sealed

    package init(subject: Subject, sealed: Sealed) {
        self.subject = subject
        self.sealed = sealed
    }
}

/// How many values of a kind are sealed under one key.
package struct SealedCount: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case numbers, appKeys, openIDKeys, faceKeys, receiptKeys, dataSecrets
        /// SIM cards of subscribers.
        case sims
    }

    package var kind: Kind
    /// `nil` for values that were sealed before keys had ids: under the first key.
    package var key: MasterKeyID?
    package var count: Int

    package init(kind: Kind, key: MasterKeyID?, count: Int) {
        self.kind = kind
        self.key = key
        self.count = count
    }
}

/// Remembers under which master keys the store's secrets are sealed, and lets them be sealed again.
///
/// Once the store belongs to a key, it refuses with ``StoreError/Code/keyChanged`` values under a key that is neither
/// current nor outgoing. It refuses every search for a number by another key than the current one, too. So no process
/// can work with an older key without noticing.
package protocol MasterKeyStore: Sendable {
    func masterKeyRing() async throws(StoreError) -> MasterKeyRing
    /// The ring's receipt keys alone.
    func receiptKeys() async throws(StoreError) -> [ReceiptKeyRecord]
    /// Ties a store that belongs to no key yet to one, in one durable step, and returns the ring as it is then. If
    /// several calls or processes do so, the first decides.
    func tie(
        to key: MasterKeyRecord, dataSecrets: Sealed, receiptKey: ReceiptKeyRecord
    ) async throws(StoreError) -> MasterKeyRing
    /// Makes `check` the current key from now on, and the one that was it the outgoing one. In one durable step.
    ///
    /// - Throws: ``StoreError/Code/outdated`` if `current` is not the current one, or a key is going out already.
    func beginRotation(
        from current: MasterKeyCheck, to check: MasterKeyCheck, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError)
    /// Notes that nothing is sealed under the outgoing key any more. In one durable step.
    ///
    /// Before it calls this, the caller makes sure that no number was written under the outgoing key since the rotation
    /// began.
    ///
    /// - Returns: whether it was so; `false` if something else is still sealed under it, and then nothing was changed.
    /// - Throws: ``StoreError/Code/outdated`` if no key is going out.
    func endRotation(at moment: Timestamp, audit: AuditEntry?) async throws(StoreError) -> Bool

    /// Subscriptions of which anything is not under `key`, by their row, at most `limit`.
    /// - Parameter row: only rows with a greater number.
    func subscriptions(
        notUnder key: MasterKeyID, after row: Int64, limit: Int
    ) async throws(StoreError) -> [SubscriptionRecord]
    /// Other values that are not under `key`, at most `limit`.
    func sealedValues(notUnder key: MasterKeyID, limit: Int) async throws(StoreError) -> [SealedValue]
    /// Puts each new value in the place of the old one, where the old one is still there. One durable step.
    /// - Returns: how many were replaced.
    func reseal(_ changes: [(old: SubscriptionRecord, new: SubscriptionRecord)]) async throws(StoreError) -> Int
    func reseal(_ changes: [(old: SealedValue, new: Sealed)]) async throws(StoreError) -> Int
    func sealedCounts() async throws(StoreError) -> [SealedCount]
    /// Writes replaced values out of the write-ahead log, too, if no reader is in the way.
    func forgetReplaced() async

    /// Adds the key that signs receipts from now on. Those before end at `until` and lose their private half.
    func addReceiptKey(
        _ key: ReceiptKeyRecord, othersUntil until: Timestamp, audit: AuditEntry?
    ) async throws(StoreError)
}
