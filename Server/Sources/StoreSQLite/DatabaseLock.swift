import Foundation
import Store

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps every other process out of a database file, without opening it as one and without changing it.
///
/// A process that has a store open holds SQLite's shared lock on the file for as long. This takes SQLite's exclusive
/// lock (the byte ranges of <https://www.sqlite.org/src/file/src/os.h>). The lock ends with ``release()``, with the
/// process, and when this process closes the file anywhere. Do not open the store while it is held.
package final class DatabaseLock: Sendable {
    /// Another process uses the file.
    package struct InUse: Error, Hashable, Sendable {
        /// `nil` if the system does not tell.
        package let process: Int32?
    }

    private static let pendingByte: off_t = 0x4000_0000
    private static let length: off_t = 512

    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// - Throws: ``InUse``, or a ``StoreError`` if the file cannot be opened.
    package static func take(_ path: String) throws -> DatabaseLock {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(
                .unavailable,
                "lock: \(path) cannot be opened for writing: \(String(cString: strerror(errno)).lowercased())")
        }
        var lock = wholeRange
        guard fcntl(descriptor, F_SETLK, &lock) != 0 else { return DatabaseLock(descriptor: descriptor) }
        var holder = wholeRange
        let isTold = fcntl(descriptor, F_GETLK, &holder) == 0 && holder.l_type != Int16(F_UNLCK) && holder.l_pid > 0
        close(descriptor)
        throw InUse(process: isTold ? holder.l_pid : nil)
    }

    package func release() { close(descriptor) }

    private static var wholeRange: flock {
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = pendingByte
        range.l_len = length
        return range
    }
}
