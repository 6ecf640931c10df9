public import BenjiProtocol
internal import Crypto
internal import Foundation

/// The secret that everything at rest hangs on: 32 random bytes in a 0600 file made at first start, or given by the
/// environment.
///
/// Losing it loses every number and app key; whoever has it and the database has them all. Back it up apart from the
/// database.
public struct MasterKey: Sendable {
    let key: SymmetricKey

    /// Prefix of the textual form, so that a wrong file is told from a damaged one.
    static let prefix = "benji-master-key-1:"

    public init(bytes: [UInt8]) {
        precondition(bytes.count == 32)
        key = SymmetricKey(data: bytes)
    }

    /// Reads the textual form: `benji-master-key-1:` and 43 characters of base64url.
    public init(text: String) throws(MasterKeyError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasPrefix(Self.prefix), let bytes = Base64URL.decode(text.dropFirst(Self.prefix.count)),
            bytes.count == 32
        else { throw MasterKeyError("must be \(Self.prefix) followed by 43 characters of base64url") }
        self.init(bytes: bytes)
    }

    /// Reads the key from `path`, making it first if there is no file.
    ///
    /// Refuses a file that others may read, because then the key is no longer a secret.
    public static func load(path: String, random: some RandomSource) throws -> MasterKey {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            let text = Array("\(prefix)\(Base64URL.encode(random.bytes(32)))\n".utf8)
            let written = write(descriptor, text, text.count)
            let synced = fsync(descriptor)
            close(descriptor)
            guard written == text.count, synced == 0 else {
                unlink(path)
                throw MasterKeyError("\(path): could not be written")
            }
        } else if errno != EEXIST {
            throw MasterKeyError("\(path): \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw MasterKeyError("\(path): \(String(cString: strerror(errno)))") }
        guard status.st_mode & 0o077 == 0 else {
            throw MasterKeyError("\(path): others may read it; run: chmod 600 \(path)")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MasterKeyError("\(path): cannot be read")
        }
        do {
            return try MasterKey(text: String(decoding: data, as: UTF8.self))
        } catch {
            throw MasterKeyError("\(path): \(error.problem)")
        }
    }

    /// A key for one purpose (HKDF, RFC 5869), so that no two uses share one.
    func derived(_ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("benji/1/\(purpose)".utf8), outputByteCount: 32)
    }
}

/// Why a master key cannot be used. Never repeats the key.
public struct MasterKeyError: Error, Sendable, CustomStringConvertible {
    public var problem: String
    init(_ problem: String) { self.problem = problem }
    public var description: String { "master key: \(problem)" }
}
