import BenjiProtocol
package import Crypto
package import Store

/// The forms of sealed values in the store: a version byte, in version 2 the master key's id, then AES-256-GCM. The
/// purpose and the owner are authenticated (decisions 12 and 33).
///
/// Version 1 names no key. A face account's own key seals it, and so did the first master key before keys had ids.
package enum Envelope {
    /// - Parameters:
    ///   - purpose: what kind of value this is: "number", "app-key".
    ///   - owner: the row that it belongs to. A value moved to another row does not open.
    package static func seal(_ plaintext: [UInt8], under key: SymmetricKey, purpose: String, owner: [UInt8]) throws
        -> Sealed
    {
        let box = try AES.GCM.seal(plaintext, using: key, authenticating: context(purpose, owner))
        // The nonce is the standard twelve bytes, so the combined form exists.
        guard let combined = box.combined else { throw VaultError() }
        return Sealed(bytes: [Sealed.versionWithoutKey] + combined)
    }

    /// Seals under a master key, whose id goes along.
    static func seal(
        _ plaintext: [UInt8], under key: SymmetricKey, of id: MasterKeyID, purpose: String, owner: [UInt8]
    ) throws -> Sealed {
        let box = try AES.GCM.seal(plaintext, using: key, authenticating: context(purpose, owner, id))
        guard let combined = box.combined else { throw VaultError() }
        return Sealed(bytes: [Sealed.version] + id.bytes + combined)
    }

    /// Opens what names the key `id`.
    static func open(
        _ sealed: Sealed, under key: SymmetricKey, of id: MasterKeyID, purpose: String, owner: [UInt8]
    ) throws(VaultError) -> [UInt8] {
        guard sealed.masterKey == id,
            let box = try? AES.GCM.SealedBox(combined: sealed.bytes.dropFirst(1 + MasterKeyID.length)),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: context(purpose, owner, id))
        else { throw VaultError() }
        return Array(plaintext)
    }

    package static func open(
        _ sealed: Sealed, under key: SymmetricKey, purpose: String, owner: [UInt8]
    ) throws(VaultError) -> [UInt8] {
        guard sealed.bytes.first == Sealed.versionWithoutKey,
            let box = try? AES.GCM.SealedBox(combined: sealed.bytes.dropFirst()),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: context(purpose, owner))
        else { throw VaultError() }
        return Array(plaintext)
    }

    private static func context(_ purpose: String, _ owner: [UInt8], _ key: MasterKeyID? = nil) -> [UInt8] {
        var bytes = LengthPrefixed(domain: key == nil ? "benji-sealed-v1" : "benji-sealed-v2")
        if let key { bytes.append(key.bytes) }
        bytes.append(purpose)
        bytes.append(owner)
        return bytes.bytes
    }
}
