import Glibc

/// One state of one file. A later file with the same name or number has another version.
package struct FileVersion: Hashable, Sendable {
    package let identity: FileIdentity
    private let seconds: Int
    private let nanoseconds: Int

    /// `nil` if there is no such file.
    package init?(_ path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        identity = FileIdentity(found)
        seconds = Int(found.st_ctim.tv_sec)
        nanoseconds = Int(found.st_ctim.tv_nsec)
    }
}
