/// A secret as a store keeps it: AES-256-GCM ciphertext with its nonce, its tag and the id of its master key (decisions
/// 12 and 33).
///
/// Stores only read the key's id of it. The authority seals and opens it.
package struct Sealed: Hashable, Sendable {
    /// First byte of values sealed before keys had ids, and of values under a key that is no master key.
    package static let versionWithoutKey: UInt8 = 1
    /// First byte of values under a master key; the key's id follows.
    package static let version: UInt8 = 2

    package var bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The master key that it was sealed under; `nil` if it does not say.
    package var masterKey: MasterKeyID? {
        guard bytes.first == Self.version else { return nil }
        return MasterKeyID(bytes: Array(bytes.dropFirst().prefix(MasterKeyID.length)))
    }

    /// The bytes after the version and the key's id, which no other sealed value has.
    package var ownBytes: [UInt8] { Array(bytes.dropFirst(masterKey == nil ? 1 : 1 + MasterKeyID.length)) }

    /// A face account's key from before keys had ids, without the zeros that make it as long as one with an id. Its row
    /// is overwritten in place, so its length must never change.
    package var withoutPadding: Sealed {
        guard bytes.first == Self.versionWithoutKey, bytes.suffix(MasterKeyID.length).allSatisfy({ $0 == 0 }) else {
            return self
        }
        return Sealed(bytes: Array(bytes.dropLast(MasterKeyID.length)))
    }
}

/// Names a master key without revealing any of it.
package struct MasterKeyID: Hashable, Sendable {
    package static let length = 8

    package var bytes: [UInt8]
    /// `nil` unless there are ``length`` bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }
}

/// A keyed hash by which a secret can be found again without being readable: HMAC-SHA-256 under the index key.
package struct BlindIndex: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// By what a number is found: its index under the current master key and, while a rotation runs, under the key before
/// it.
package struct NumberIndex: Hashable, Sendable {
    package var current: BlindIndex
    package var former: [BlindIndex]
    /// The key that ``current`` is under. `nil` where the store belongs to no key, as in tests of stores.
    package var key: MasterKeyID?

    package init(_ current: BlindIndex, former: [BlindIndex] = [], key: MasterKeyID? = nil) {
        self.current = current
        self.former = former
        self.key = key
    }
}

/// SHA-256 of a credential: all that a store ever sees of it (decision 4). For tokens and scrips seven characters come
/// before the hash: the time of issue, so that rows lie in that order (decision 37).
package struct CredentialHash: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}
