/// A secret as a store keeps it: AES-256-GCM ciphertext with its nonce, tag and key version (decision 12).
///
/// Stores only carry it; whoever seals and opens it lives in the authority.
package struct Sealed: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A keyed hash by which a secret can be found again without being readable: HMAC-SHA-256 under the index key.
package struct BlindIndex: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// SHA-256 of a credential: all that a store ever sees of it (decision 4).
package struct CredentialHash: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}
