/// The data that a key signs: WebAuthn's authenticator data (WebAuthn Level 2 §6.1), as far as App Attest uses it.
package struct AuthenticatorData: Hashable, Sendable {
    /// The additional data of an attestation.
    package struct Credential: Hashable, Sendable {
        package var aaguid: [UInt8]
        package var id: [UInt8]
    }

    /// SHA-256 of the app's id at Apple.
    package var appHash: [UInt8]
    /// How often the key has signed; 0 when it is attested.
    package var counter: UInt32
    package var credential: Credential?

    /// - Parameter hasCredential: Whether it is an attestation's. The bytes after the credential's id (the public key
    ///   and later systems' additions) are under the signature or nonce but not read. The key is the certificate's.
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
