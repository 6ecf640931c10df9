package import BenjiProtocol
import Crypto
import Foundation

/// The key from which all keys for stored data are derived: 32 random bytes in a 0600 file made at first start, or
/// given by the environment.
///
/// Losing it loses every number and app key; whoever has it and the database has them all. Back it up apart from the
/// database.
package struct MasterKey: Sendable {
    let key: SymmetricKey

    /// Prefix of the textual form, so that a wrong file is told from a damaged one.
    static let prefix = "benji-master-key-1:"

    package init(bytes: [UInt8]) {
        precondition(bytes.count == 32)
        key = SymmetricKey(data: bytes)
    }

    /// Reads the textual form: `benji-master-key-1:` and 43 characters of base64url.
    package init(text: String) throws(MasterKeyError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasPrefix(Self.prefix), let bytes = Base64URL.decode(text.dropFirst(Self.prefix.count)),
            bytes.count == 32
        else { throw MasterKeyError("must be \(Self.prefix) followed by 43 characters of base64url") }
        self.init(bytes: bytes)
    }

    /// Reads the key from `path`, making it first if there is no file.
    ///
    /// Only for whoever begins an installation: a key that was made beside data which another one sealed opens nothing.
    package static func load(path: String, random: some RandomSource) throws(MasterKeyError) -> MasterKey {
        if let key = try read(path: path) { return key }
        try make(path: path, random: random)
        guard let key = try read(path: path) else {
            throw MasterKeyError("\(path): was removed as soon as it was made")
        }
        return key
    }

    /// Reads the key from `path`; `nil` if there is no file.
    ///
    /// Refuses a file that others may read, because then the key is no longer a secret.
    package static func read(path: String) throws(MasterKeyError) -> MasterKey? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw MasterKeyError("\(path): \(String(cString: strerror(errno)))")
        }
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

    /// Makes the file (0600), whole or not at all, also when the power fails; leaves one that is there alone.
    private static func make(path: String, random: some RandomSource) throws(MasterKeyError) {
        func failure() -> MasterKeyError { MasterKeyError("\(path): \(String(cString: strerror(errno)))") }
        let parent = (path as NSString).deletingLastPathComponent
        let folder = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure() }
        defer { close(folder) }
        // Of two that begin at once the second finds the first one's key. The lock ends with the descriptor.
        guard flock(folder, LOCK_EX) == 0 else { throw failure() }
        if access(path, F_OK) == 0 { return }
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure() }
        let text = Array("\(prefix)\(Base64URL.encode(random.bytes(32)))\n".utf8)
        let isWritten = write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(draft, path) == 0, fsync(folder) == 0 else {
            let failure = failure()
            unlink(draft)
            throw failure
        }
    }

    /// A key for one purpose (HKDF, RFC 5869), so that no two uses share one.
    func derived(_ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("benji/1/\(purpose)".utf8), outputByteCount: 32)
    }
}

/// Why a master key cannot be used. Never repeats the key.
package struct MasterKeyError: Error, Sendable, CustomStringConvertible {
    package var problem: String
    init(_ problem: String) { self.problem = problem }
    package var description: String { "master key: \(problem)" }

    /// There is data, and no key to open it.
    package static func missing(_ path: String, database: String) -> MasterKeyError {
        MasterKeyError(
            "\(path) is missing, but \(database) holds data that is sealed under it; restore the file from your backup, "
                + "or set BENJI_MASTER_KEY to its content. Without it every number, app key and face in the database is lost"
        )
    }

    /// There is data that another key sealed.
    /// - Parameter source: where this key came from: a path, or the name of the variable.
    package static func doesNotFit(_ source: String, database: String) -> MasterKeyError {
        MasterKeyError(
            "\(source) is not the key under which \(database) was sealed; restore the key that belongs to this database from "
                + "your backup, or the database that belongs to this key. Nothing was changed")
    }

    /// The environment names something that is no key.
    package static func malformed(_ variable: String, _ error: MasterKeyError) -> MasterKeyError {
        MasterKeyError("\(variable): \(error.problem)")
    }
}
