package import Authority
import BenjiProtocol
import CPKCS11

/// An AES key in an HSM that wraps master keys with AES-GCM (SP 800-38D). Each call opens a session, logs in, calls the
/// token and logs out. So no login is open between calls.
package struct PKCS11Key: WrappingKey {
    private let uri: PKCS11URI
    private static let context = Array("benji-wrapped-key-1".utf8)
    private static let nonceLength = 12

    package init(_ uri: PKCS11URI) { self.uri = uri }

    package var name: String { uri.name }

    /// - Returns: nonce, ciphertext and tag.
    package func wrap(_ key: [UInt8]) throws(MasterKeyError) -> [UInt8] {
        try asking { session throws(PKCS11Error) in try Self.wrap(key, session, try session.key()) }
    }

    package func unwrap(_ wrapped: [[UInt8]]) throws(MasterKeyError) -> [[UInt8]?] {
        try asking { session throws(PKCS11Error) in
            let handle = try session.key()
            var found: [[UInt8]?] = []
            for text in wrapped { found.append(try Self.unwrap(text, session, handle)) }
            return found
        }
    }

    private static func wrap(
        _ key: [UInt8], _ session: borrowing PKCS11Session, _ handle: CK_OBJECT_HANDLE
    ) throws(PKCS11Error) -> [UInt8] {
        var nonce = SystemRandomSource().bytes(nonceLength)
        let text = try session.encrypt(key, under: handle, nonce: &nonce, context: context)
        // Some HSMs draw the nonce themselves and write it into the place that they were given.
        return nonce + text
    }

    private static func unwrap(
        _ wrapped: [UInt8], _ session: borrowing PKCS11Session, _ handle: CK_OBJECT_HANDLE
    ) throws(PKCS11Error) -> [UInt8]? {
        guard wrapped.count > nonceLength else { return nil }
        var nonce = Array(wrapped.prefix(nonceLength))
        return try session.decrypt(
            Array(wrapped.dropFirst(nonceLength)), under: handle, nonce: &nonce, context: context)
    }

    /// Makes the key in the HSM: AES-256, for encryption and decryption alone, and never to be read or taken out.
    /// - Throws: `MasterKeyError` if it is there already.
    package func make() throws(MasterKeyError) {
        try asking(changing: true) { session throws(PKCS11Error) in try session.makeKey() }
    }

    /// Tries the key on random bytes.
    /// - Returns: what makes it weaker than it should be, for people.
    package func examine() throws(MasterKeyError) -> [String] {
        try asking { session throws(PKCS11Error) in
            let handle = try session.key()
            let bytes = SystemRandomSource().bytes(32)
            guard try Self.unwrap(try Self.wrap(bytes, session, handle), session, handle) == bytes else {
                throw PKCS11Error("does not unwrap what it has just wrapped")
            }
            var weak: [String] = []
            if session.isSet(CKA_EXTRACTABLE, of: handle) ?? false {
                weak.append("may be taken out of the HSM (CKA_EXTRACTABLE)")
            }
            if !(session.isSet(CKA_SENSITIVE, of: handle) ?? true) {
                weak.append("may be read in clear (CKA_SENSITIVE is not set)")
            }
            return weak
        }
    }

    private func asking<Value: Sendable>(
        changing: Bool = false, _ body: (borrowing PKCS11Session) throws(PKCS11Error) -> Value
    ) throws(MasterKeyError) -> Value {
        do { return try PKCS11Session.use(uri, changing: changing, body) } catch {
            throw MasterKeyError("the wrapping key \(name): \(error.problem)")
        }
    }
}
