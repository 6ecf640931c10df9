import BenjiProtocol

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why the journal cannot be written or read.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed operation, such as `fdatasync`.
    package let operation: String
    /// The system's error number; 0 if it is not the system's.
    package let code: Int32

    package init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// Whether another process has the journal: two gateways on one would each undo the other's work.
    package var isHeldByAnother: Bool { operation == Self.locking && code == EWOULDBLOCK }

    fileprivate static let locking = "flock"

    package var description: String {
        "journal: \(operation) failed: "
            + (code == 0 ? "this is no journal of a gateway" : String(cString: strerror(code)))
    }
}

/// The file system operations of a journal. Tests have an implementation that fails on request.
protocol JournalDisk: Sendable {
    /// Reads a file piece by piece; `false` if there is none.
    func read(_ path: String, _ body: ([UInt8]) -> Void) throws(JournalError) -> Bool
    /// Opens a file for appending, readable by its owner only, cut to `length`; makes it if it is not there.
    func open(_ path: String, cutTo length: Int) throws(JournalError) -> any JournalFile
    /// Puts `source` in the place of `path`, durably.
    func move(_ source: String, to path: String) throws(JournalError)
}

protocol JournalFile: Sendable {
    func append(_ bytes: [UInt8]) throws(JournalError)
    func sync() throws(JournalError)
    func close()
}

struct SystemDisk: JournalDisk {
    private static let pieceSize = 1 << 20

    func read(_ path: String, _ body: ([UInt8]) -> Void) throws(JournalError) -> Bool {
        let descriptor = Self.retrying { systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0) }
        if descriptor < 0, errno == ENOENT { return false }
        guard descriptor >= 0 else { throw Self.error("open") }
        defer { _ = systemClose(descriptor) }
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        while true {
            let count = Self.retrying {
                piece.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            }
            guard count >= 0 else { throw Self.error("read") }
            if count == 0 { return true }
            body(Array(piece[..<count]))
        }
    }

    func open(_ path: String, cutTo length: Int) throws(JournalError) -> any JournalFile {
        let descriptor = Self.retrying {
            systemOpen(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else { throw Self.error("open") }
        let file = SystemFile(descriptor: descriptor)
        do throws(JournalError) {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.error(JournalError.locking) }
            // A file that was there may have been made readable to others.
            guard fchmod(descriptor, 0o600) == 0 else { throw Self.error("fchmod") }
            guard Self.retrying({ ftruncate(descriptor, off_t(length)) }) == 0 else { throw Self.error("ftruncate") }
            guard Self.retrying({ fsync(descriptor) }) == 0 else { throw Self.error("fsync") }
            try Self.syncDirectory(of: path)
        } catch {
            file.close()
            throw error
        }
        return file
    }

    func move(_ source: String, to path: String) throws(JournalError) {
        guard rename(source, path) == 0 else { throw Self.error("rename") }
        try Self.syncDirectory(of: path)
    }

    private static func syncDirectory(of path: String) throws(JournalError) {
        let end = path.lastIndex(of: "/")
        let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = retrying { systemOpen(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
        guard descriptor >= 0 else { throw error("open directory") }
        defer { _ = systemClose(descriptor) }
        guard retrying({ fsync(descriptor) }) == 0 else { throw error("fsync directory") }
    }

    fileprivate static func error(_ operation: String) -> JournalError {
        JournalError(operation: operation, code: errno)
    }

    /// Calls again for as long as a signal interrupts the call (POSIX's `EINTR`).
    static func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}

private struct SystemFile: JournalFile {
    let descriptor: Int32

    func append(_ bytes: [UInt8]) throws(JournalError) {
        var written = 0
        while written < bytes.count {
            let count = SystemDisk.retrying {
                bytes.withUnsafeBytes {
                    systemWrite(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
                }
            }
            guard count > 0 else { throw SystemDisk.error("write") }
            written += count
        }
    }

    func sync() throws(JournalError) {
        #if canImport(Darwin)
        let result = SystemDisk.retrying { fsync(descriptor) }
        #else
        let result = SystemDisk.retrying { fdatasync(descriptor) }
        #endif
        guard result == 0 else { throw SystemDisk.error("fdatasync") }
    }

    func close() { _ = systemClose(descriptor) }
}

// Under other names, because the types above have methods of the same.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
