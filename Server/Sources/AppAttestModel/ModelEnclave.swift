package import AppAttest
package import BenjiProtocol
package import Crypto
import Foundation
import Synchronization

/// In the chip's place: makes keys for the apps of one phone, has them attested, and signs with them and counts.
///
/// The secrets of a real chip can be read and set here, for attacks.
package final class ModelEnclave: Sendable {
    /// A key and how often it has signed.
    package struct Key: Sendable {
        package var secret: P256.Signing.PrivateKey
        package var counter: UInt32

        package init(secret: P256.Signing.PrivateKey = P256.Signing.PrivateKey(), counter: UInt32 = 0) {
            self.secret = secret
            self.counter = counter
        }

        /// Its name: the hash of its public half.
        package var id: [UInt8] { Array(SHA256.hash(data: secret.publicKey.x963Representation)) }
    }

    private let authority: ModelAuthority
    private let clock: any WallClock
    private let keys = Mutex<[[UInt8]: Key]>([:])

    package init(authority: ModelAuthority, clock: any WallClock) {
        self.authority = authority
        self.clock = clock
    }

    /// - Returns: its name.
    package func makeKey() -> [UInt8] {
        let key = Key()
        keys.withLock { $0[key.id] = key }
        return key.id
    }

    package func key(_ id: [UInt8]) -> Key? { keys.withLock { $0[id] } }

    /// As after the app was removed and installed again.
    package func forgetKeys() { keys.withLock { $0 = [:] } }

    /// Returns the result of `attestKey`; `nil` if there is no such key.
    package func attest(
        _ id: [UInt8], clientDataHash: [UInt8], appleID: String, environment: AppAttestEnvironment = .production
    ) throws -> [UInt8]? {
        guard let key = key(id) else { return nil }
        let data = Self.authenticatorData(appleID, counter: 0, credential: id, of: key, environment)
        return try Self.attestation(of: key, data, clientDataHash: clientDataHash, by: authority, at: clock.now).encoded
    }

    /// Returns the result of `generateAssertion`; `nil` if there is no such key.
    package func assert(_ id: [UInt8], clientDataHash: [UInt8], appleID: String) throws -> [UInt8]? {
        let key = keys.withLock { keys in
            keys[id]?.counter += 1
            return keys[id]
        }
        guard let key else { return nil }
        return try Self.assertion(of: key, clientDataHash: clientDataHash, appleID: appleID).encoded
    }

    /// The parts, for attacks that alter them.
    package static func authenticatorData(
        _ appleID: String, counter: UInt32, credential: [UInt8]? = nil, of key: Key? = nil,
        _ environment: AppAttestEnvironment = .production
    ) -> [UInt8] {
        var data = Array(SHA256.hash(data: Array(appleID.utf8)))
        data.append(0x40)
        data += stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: counter >> UInt32($0)) }
        guard let credential, let key else { return data }
        data += environment.aaguid + [UInt8(credential.count >> 8), UInt8(credential.count & 0xff)] + credential
        // The key in COSE's form (RFC 9053 §7.1.1): kty 2, alg -7, crv 1, x, y.
        let point = Array(key.secret.publicKey.rawRepresentation)
        return data + [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.prefix(32)
            + [0x22, 0x58, 0x20] + point.suffix(32)
    }

    package static func attestation(
        of key: Key, _ data: [UInt8], clientDataHash: [UInt8], by authority: ModelAuthority, at moment: Timestamp
    ) throws -> AttestationObject {
        let nonce = Array(SHA256.hash(data: data + clientDataHash))
        return AttestationObject(
            certificates: try authority.certify(key.secret.publicKey, nonce: nonce, at: moment),
            receipt: Array("model".utf8), authenticatorData: data)
    }

    package static func assertion(
        of key: Key, clientDataHash: [UInt8], appleID: String
    ) throws -> AssertionObject {
        let data = authenticatorData(appleID, counter: key.counter)
        let nonce = SHA256.hash(data: data + clientDataHash)
        return AssertionObject(
            signature: Array(try key.secret.signature(for: Data(nonce)).derRepresentation), authenticatorData: data)
    }
}
