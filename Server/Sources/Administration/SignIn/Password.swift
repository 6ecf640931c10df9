import BenjiProtocol
import Crypto
import CryptoExtras
import Foundation
package import Requests
package import Store

/// A password that somebody typed. It is in no log and no error.
package struct Password: Sendable {
    /// In characters. NIST SP 800-63B §3.1.1.2 asks for at least 15 of a password alone, and 8 with a second factor.
    package static let lengths = 12...128

    private let bytes: [UInt8]

    /// - Throws: ``Refusal`` that states why it is invalid as a new password.
    init(new text: String, of admin: String) throws(Refusal) {
        guard Self.lengths.contains(text.count) else {
            throw Refusal(
                .parameterInvalid, "password: \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) characters")
        }
        let plain = text.lowercased()
        // A name of one or two letters is in many a good password.
        guard Set(plain).count >= 5, admin.count < 3 || !plain.contains(admin),
            !"abcdefghijklmnopqrstuvwxyz 01234567890123456789".contains(plain)
        else {
            throw Refusal(
                .parameterInvalid, "password: too easy to guess; take several words, or let a program make one")
        }
        self.init(text)
    }

    /// As it is compared. Two ways to write the same letters are the same.
    init(_ text: String) { bytes = Array(text.precomposedStringWithCompatibilityMapping.utf8.prefix(1024)) }

    /// Returns the hash to store.
    ///
    /// - Parameter cost: see ``PasswordHash/cost``.
    func hash(salt: [UInt8], cost: Int) throws(Refusal) -> PasswordHash {
        do {
            let key = try KDF.Scrypt.deriveKey(
                from: bytes, salt: salt, outputByteCount: 32, rounds: 1 << cost, blockSize: 8, parallelism: 1)
            return PasswordHash(salt: salt, cost: cost, hash: key.withUnsafeBytes { Array($0) })
        } catch { throw Refusal(.internalError, "the password cannot be hashed") }
    }

    /// Whether this is the password of which `kept` was kept. Takes as long as to hash it.
    package func matches(_ kept: PasswordHash) throws(Refusal) -> Bool {
        try ConstantTime.areEqual(hash(salt: kept.salt, cost: kept.cost).hash, kept.hash)
    }
}
