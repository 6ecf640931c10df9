package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which file a name leads to: two names of one file, by a link of either kind, are equal.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    /// The inode's number.
    package let number: UInt64

    /// gnu_dev_major, which is a macro.
    package var major: UInt64 { device >> 8 & 0xfff | device >> 32 & ~0xfff }
    /// gnu_dev_minor.
    package var minor: UInt64 { device & 0xff | device >> 12 & ~0xff }

    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    /// `nil` if there is none.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    package init(_ status: stat) {
        self.init(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }
}
