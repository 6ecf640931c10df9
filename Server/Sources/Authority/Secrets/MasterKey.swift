package import BenjiProtocol
import Crypto
import Foundation
package import Store

/// A key from which the keys for stored data are derived. It is 32 random bytes in a 0600 file made at first start, or
/// given by the environment. There are two while one replaces the other (decision 33).
///
/// Losing it loses every number and app key. An attacker with both it and the database has them all. Back it up apart
/// from the database.
package struct MasterKey: Sendable {
    private let key: SymmetricKey
    /// The check value that a store remembers; it opens nothing.
    package let check: MasterKeyCheck
    /// Names it in what it sealed.
    package let id: MasterKeyID

    /// Prefix of the textual form, so that a wrong file is told from a damaged one.
    static let prefix = "benji-master-key-1:"

    static let length = 32

    package init(bytes: [UInt8]) {
        precondition(bytes.count == Self.length)
        let key = SymmetricKey(data: bytes)
        self.key = key
        let code = Array(
            HMAC<SHA256>.authenticationCode(
                for: LengthPrefixed(domain: "benji-master-key-check").bytes, using: Self.derived("check", from: key)))
        check = MasterKeyCheck(bytes: code)
        // A hash is longer than an id.
        id = check.id!
    }

    /// Reads the textual form: `benji-master-key-1:` and 43 characters of base64url.
    package init(text: String) throws(MasterKeyError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasPrefix(Self.prefix), let bytes = Base64URL.decode(text.dropFirst(Self.prefix.count)),
            bytes.count == Self.length
        else { throw MasterKeyError("must be \(Self.prefix) followed by 43 characters of base64url") }
        self.init(bytes: bytes)
    }

    /// Makes a new key, and returns its bytes for the caller to keep.
    static func make(random: some RandomSource) -> (key: MasterKey, bytes: [UInt8]) {
        let bytes = random.bytes(length)
        return (MasterKey(bytes: bytes), bytes)
    }

    var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

    static func text(of bytes: [UInt8]) -> String { prefix + Base64URL.encode(bytes) }

    /// The textual form of a new key, for a caller that keeps it elsewhere than in a file of ours.
    package static func newText(random: some RandomSource) -> String { text(of: make(random: random).bytes) }

    /// A key for one purpose (HKDF, RFC 5869), so that no two uses share one.
    func derived(_ purpose: String) -> SymmetricKey { Self.derived(purpose, from: key) }

    private static func derived(_ purpose: String, from key: SymmetricKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("benji/1/\(purpose)".utf8), outputByteCount: 32)
    }
}

/// Why a master key cannot be used. Never repeats the key.
package struct MasterKeyError: Error, Sendable, CustomStringConvertible {
    package var problem: String
    package init(_ problem: String) { self.problem = problem }
    package var description: String { "master key: \(problem)" }

    /// There is data, and no key to open it.
    package static func missing(_ path: String, database: String) -> MasterKeyError {
        MasterKeyError(
            "\(path) is missing, but \(database) holds data that is sealed under it; restore the file from your "
                + "backup, "
                + "or give its content as BENJI_MASTER_KEY or as systemd's credential benji-master-key. Without it "
                + "every number, app key and face in the database is lost"
        )
    }

    /// There is data that another key sealed.
    /// - Parameter source: where this key came from: a path, or the name of the variable.
    package static func doesNotFit(_ source: String, database: String) -> MasterKeyError {
        MasterKeyError(
            "\(source) is not the key under which \(database) was sealed, or not all of the keys while they are being "
                + "changed; "
                + "restore the key that belongs to this database from your backup, or the database that belongs to "
                + "this key. "
                + "Nothing was written under this key")
    }

    /// There is a file, and it cannot be read.
    package static func unreadable(_ path: String) -> MasterKeyError { MasterKeyError("\(path): cannot be read") }

    /// The value given from outside is not a key.
    package static func malformed(_ variable: String, _ error: MasterKeyError) -> MasterKeyError {
        MasterKeyError("\(variable): \(error.problem)")
    }
}
