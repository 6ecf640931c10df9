import BenjiProtocol
package import Crypto
package import Store

/// The one form of what is sealed at rest: a version byte, then AES-256-GCM over what it is and whose it is (decision 12).
package enum Envelope {
    /// First byte of every sealed value: which form, and so which key, it has.
    private static let version: UInt8 = 1

    /// - Parameters:
    ///   - purpose: what kind of value this is: "number", "app-key".
    ///   - owner: the row that it belongs to. A value moved to another row does not open.
    package static func seal(_ plaintext: [UInt8], under key: SymmetricKey, purpose: String, owner: [UInt8]) throws
        -> Sealed
    {
        let box = try AES.GCM.seal(plaintext, using: key, authenticating: context(purpose, owner))
        // The nonce is the standard twelve bytes, so the combined form exists.
        guard let combined = box.combined else { throw VaultError() }
        return Sealed(bytes: [version] + combined)
    }

    package static func open(
        _ sealed: Sealed, under key: SymmetricKey, purpose: String, owner: [UInt8]
    ) throws(VaultError) -> [UInt8] {
        guard sealed.bytes.first == version,
            let box = try? AES.GCM.SealedBox(combined: sealed.bytes.dropFirst()),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: context(purpose, owner))
        else { throw VaultError() }
        return Array(plaintext)
    }

    private static func context(_ purpose: String, _ owner: [UInt8]) -> [UInt8] {
        var bytes = LengthPrefixed(domain: "benji-sealed-v1")
        bytes.append(purpose)
        bytes.append(owner)
        return bytes.bytes
    }
}
