import Foundation
package import Processes
package import Store

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file under a temporary name, until it is whole and takes its place. A process that is killed leaves nothing but
/// the temporary name, which the next ``begin(_:for:)`` removes.
package struct AtomicFileWriter: Sendable {
    /// The temporary name, in the folder of ``target``.
    package let path: String
    package let target: String
    private let descriptor: Int32

    /// Makes an empty file (0600) under the temporary name, and removes an earlier one.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if it cannot be made, ``StoreError/Code/alreadyExists`` if another
    ///   process is writing it now.
    package static func begin(_ path: String, for target: String) throws(StoreError) -> AtomicFileWriter {
        for _ in 0..<16 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw failure("make", path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw StoreError(.alreadyExists, "\(path) is being written by another process; wait for it")
            }
            var locked = stat()
            var named = stat()
            let isNamed =
                fstat(descriptor, &locked) == 0 && lstat(path, &named) == 0
                && FileIdentity(locked) == FileIdentity(named)
            for companion in ["-journal", "-wal", "-shm"] where isNamed { unlink(path + companion) }
            if isNamed, locked.st_size == 0, fchmod(descriptor, 0o600) == 0 {
                return AtomicFileWriter(path: path, target: target, descriptor: descriptor)
            }
            // It was left by a process that was killed, or has just taken its place under its own name.
            if isNamed { unlink(path) }
            close(descriptor)
        }
        throw StoreError(.unavailable, "\(path) cannot be made: others keep making it")
    }

    /// Fills it with the bytes of a file that does not change.
    /// - Parameter locked: a file that is not read: this process has it locked, and to close it would end the lock.
    package func fill(
        from source: String, except locked: FileIdentity? = nil, progress: (Double) -> Void = { _ in }
    ) throws(StoreError) {
        guard locked == nil || FileIdentity(source) != locked else { throw Self.isLocked(source) }
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw Self.failure("read", source) }
        defer { close(from) }
        // It may have become another file since. The lock is gone then, and nothing is done without it.
        guard locked == nil || FileIdentity(from) != locked else { throw Self.isLocked(source) }
        var status = stat()
        guard fstat(from, &status) == 0 else { throw Self.failure("read", source) }
        var copied = 0
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = piece.withUnsafeMutableBytes { read(from, $0.baseAddress, $0.count) }
            if count == 0 { return }
            if count < 0 {
                guard errno == EINTR else { throw Self.failure("read", source) }
                continue
            }
            try append(piece[..<count])
            copied += count
            progress(Double(copied) / Double(max(Int(status.st_size), 1)))
        }
    }

    /// Fills it with bytes.
    package func fill(with bytes: [UInt8]) throws(StoreError) { try append(bytes[...]) }

    private func append(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let step = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            guard step >= 0 || errno == EINTR else { throw Self.failure("write", path) }
            written += max(step, 0)
        }
    }

    /// Gives the file to somebody else; for a process of root's that works in another's folder.
    package func give(toUser user: UInt32, group: UInt32) throws(StoreError) {
        guard fchown(descriptor, user, group) == 0 else { throw Self.failure("give away", path) }
    }

    /// Syncs the file, puts it in its place and syncs the folder.
    ///
    /// - Parameter replacing: whether a file in that place is replaced.
    /// - Throws: ``StoreError/Code/alreadyExists`` if there is one and it is not.
    package func publish(replacing: Bool) throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw Self.failure("sync", path) }
        if !replacing {
            // A link never replaces a file. Without links, look first and then move: no file is expected in between.
            if link(path, target) == 0 {
                guard unlink(path) == 0 else { throw Self.failure("remove", path) }
                try Self.syncFolder(of: target)
                close(descriptor)
                return
            }
            guard errno != EEXIST, access(target, F_OK) != 0 else {
                throw StoreError(.alreadyExists, "\(target) exists")
            }
        }
        guard rename(path, target) == 0 else { throw Self.failure("move to \(target)", path) }
        try Self.syncFolder(of: target)
        close(descriptor)
    }

    /// Removes it.
    package func discard() {
        for companion in ["", "-journal", "-wal", "-shm"] { unlink(path + companion) }
        close(descriptor)
    }

    /// Makes the names in a file's folder durable.
    package static func syncFolder(of path: String) throws(StoreError) {
        let parent = (path as NSString).deletingLastPathComponent
        let folder = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("sync the folder of", path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("sync the folder of", path) }
    }

    /// Moves a file into another folder of the same file system, under its own name.
    package static func move(_ path: String, into folder: String) throws(StoreError) {
        let target = "\(folder)/\((path as NSString).lastPathComponent)"
        guard access(target, F_OK) != 0 else { throw StoreError(.alreadyExists, "\(target) exists") }
        guard rename(path, target) == 0 else { throw failure("move to \(target)", path) }
    }

    private static func isLocked(_ source: String) -> StoreError {
        StoreError(.unavailable, "\(source) is the database itself; name a backup")
    }

    private static func failure(_ action: String, _ path: String) -> StoreError {
        let code = errno
        let parent = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
        let reason =
            switch code {
            case ENOENT where access(parent, F_OK) != 0: "the folder \(parent) does not exist; make it first"
            case EACCES, EPERM: "the user \(NSUserName()) has no right to; see: ls -ld \(parent)"
            case ENOSPC, EDQUOT: "the disk is full; see: df \(parent)"
            case EROFS: "the disk is read-only"
            default: String(cString: strerror(code)).lowercased()
            }
        return StoreError(.unavailable, "cannot \(action) \(path): \(reason)")
    }
}
