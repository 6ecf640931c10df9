import Foundation

/// A file that the kernel makes while it is read.
package enum SystemFile {
    /// `nil` if there is none. FileManager's contents of such a file end after 4 KiB, some eighty locks.
    package static func text(_ path: String) -> String? {
        (try? FileHandle(forReadingAtPath: path)?.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
    }
}
