package import BenjiProtocol
import Foundation
import Store

/// The file of the master keys, one a line, wrapped or in clear, of mode 0600. It is only ever replaced as a whole, so
/// that after a power failure it holds either the old or the new content.
package struct MasterKeyFile: MasterKeyKeeper {
    package let path: String
    package var name: String { path }

    let wrapping: WrappingKeys

    package init(path: String, wrapping: WrappingKeys = WrappingKeys()) {
        self.path = path
        self.wrapping = wrapping
    }

    /// Reads the keys, making one first if there is no file.
    ///
    /// Only for the first start of an installation. A new key opens nothing that another key sealed.
    package func load(random: any RandomSource) throws(MasterKeyError) -> [MasterKey] {
        let present = try keys()
        guard present.isEmpty else { return present }
        try changing { present throws(MasterKeyError) in
            // If two processes begin at once, the second finds the first one's key.
            present.isEmpty ? [try wrapping.makeKey(random: random).line] : nil
        }
        let made = try keys()
        guard !made.isEmpty else { throw MasterKeyError("\(path): was removed as soon as it was made") }
        return made
    }

    /// Refuses a file that others may read, because then the keys are no longer secrets.
    package func kept() throws(MasterKeyError) -> [KeptMasterKey] {
        guard let text = try Self.text(of: path) else { return [] }
        do { return try wrapping.keys(in: text) } catch { throw MasterKeyError("\(path): \(error.problem)") }
    }

    /// Whether a key lies in it that anybody can use who reads the file.
    package func holdsClearKey() throws(MasterKeyError) -> Bool {
        try Self.text(of: path)?.split(whereSeparator: \.isWhitespace).contains { !WrappingKeys.isWrapped(String($0)) }
            ?? false
    }

    /// The content of a file of keys; `nil` if there is none.
    static func text(of path: String) throws(MasterKeyError) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw MasterKeyError("\(path): \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw MasterKeyError("\(path): others may read it; run: chmod 600 \(path)")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count >= 0 || errno == EINTR else { throw failure(path) }
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            text += piece.prefix(max(count, 0))
        }
    }

    package func add(random: any RandomSource) throws(MasterKeyError) -> MasterKey {
        let (key, line) = try wrapping.makeKey(random: random)
        try changing { present throws(MasterKeyError) in present + [line] }
        return key
    }

    package func remove(_ keys: [MasterKey], discarding: Bool) throws(MasterKeyError) -> Bool {
        guard !keys.isEmpty else { return true }
        try changing { present throws(MasterKeyError) in
            var left: [String] = []
            var taken: [MasterKeyID: [String]] = [:]
            for line in present {
                let id = try wrapping.keys(in: line).first?.key.id
                if let id, keys.contains(where: { $0.id == id }) {
                    taken[id, default: []].append(line)
                } else {
                    left.append(line)
                }
            }
            guard !left.isEmpty, !taken.isEmpty else { return nil }
            // Before the key leaves this file. A process that is killed in between repeats both.
            for (id, lines) in taken {
                if discarding { try discard(id) } else { try setAside(id, lines) }
            }
            return left
        }
        return true
    }

    package func hold() throws(MasterKeyError) -> RotationLock? {
        // Beside the file, which is replaced. It stays: who removes a lock file may lock another one than the next.
        let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("\(path).lock") }
        guard giveToOwnerOfFolder(descriptor) else {
            let error = failure("\(path).lock")
            close(descriptor)
            throw error
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return RotationLock(descriptor: descriptor)
    }

    /// Replaces the file's lines by what `change` makes of them; leaves it alone if that is `nil`.
    func changing(
        _ change: (_ lines: [String]) throws(MasterKeyError) -> [String]?
    ) throws(MasterKeyError) {
        let folder = open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure(path) }
        defer { close(folder) }
        // The lock ends with the descriptor.
        guard flock(folder, LOCK_EX) == 0 else { throw failure(path) }
        let present = (try Self.text(of: path) ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
        guard let lines = try change(present) else { return }
        try replace(path, with: lines)
    }

    static func draft(of path: String) -> String { path + ".new" }

    /// Replaces a file by one with these lines, whole and durably. The caller holds the folder's lock.
    func replace(_ path: String, with lines: [String]) throws(MasterKeyError) {
        let draft = Self.draft(of: path)
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        let isWritten =
            Self.writeAll(lines.map { $0 + "\n" }.joined(), to: descriptor) && giveToOwnerOfFolder(descriptor)
            && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            let error = failure(path)
            unlink(draft)
            throw error
        }
        try syncFolder()
    }

    /// Writes the whole text. Returns `false` and leaves the system's error in `errno` if that fails.
    private static func writeAll(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        // On a disk that fills up, one call writes a part of it, and the next one fails.
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Makes the folder's names durable.
    func syncFolder() throws(MasterKeyError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(folder) }
    }

    var folder: String {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? "." : parent
    }

    /// A file that root makes in another user's folder must stay readable for the server, which runs as the owner.
    private func giveToOwnerOfFolder(_ descriptor: Int32) -> Bool {
        guard geteuid() == 0 else { return true }
        var status = stat()
        return stat(folder, &status) == 0 && fchown(descriptor, status.st_uid, status.st_gid) == 0
    }

    func failure(_ place: String) -> MasterKeyError { Self.failure(place) }

    private static func failure(_ place: String) -> MasterKeyError {
        MasterKeyError("\(place): \(String(cString: strerror(errno)))")
    }
}
