/// What a key says beside its signature: WebAuthn's authenticator data (WebAuthn Level 2 §6.1), as far as App Attest uses it.
package struct AuthenticatorData: Hashable, Sendable {
    /// What an attestation's has besides.
    package struct Credential: Hashable, Sendable {
        package var aaguid: [UInt8]
        package var id: [UInt8]
    }

    /// SHA-256 of the app's id at Apple.
    package var appHash: [UInt8]
    /// How often the key has signed; 0 when it is attested.
    package var counter: UInt32
    package var credential: Credential?

    /// - Parameter hasCredential: whether it is an attestation's. What follows the credential's id, the public key and what later
    ///   systems add, is under the signature or nonce like all of it, and is not read: the key is the certificate's.
    package init(decoding bytes: [UInt8], hasCredential: Bool) throws(AppAttestError) {
        guard bytes.count >= 37 else { throw CBORReader.wrong("the authenticator data is too short") }
        appHash = Array(bytes[..<32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        guard hasCredential else { return }
        guard bytes.count >= 55 else { throw CBORReader.wrong("the authenticator data names no key") }
        let end = 55 + (Int(bytes[53]) << 8 | Int(bytes[54]))
        guard bytes.count >= end else { throw CBORReader.wrong("the key's name in the authenticator data ends early") }
        credential = Credential(aaguid: Array(bytes[37..<53]), id: Array(bytes[55..<end]))
    }
}
