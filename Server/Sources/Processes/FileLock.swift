import Foundation

/// A lock of some process on a file, as the system lists them (proc_locks(5)).
package struct FileLock: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// flock(2).
        case whole = "FLOCK"
        /// fcntl(2).
        case range = "POSIX"
    }

    package var kind: Kind
    package var isShared: Bool
    package var process: Int32
    /// The locked bytes.
    package var bytes: ClosedRange<UInt64>

    package init(kind: Kind, isShared: Bool, process: Int32, bytes: ClosedRange<UInt64>) {
        (self.kind, self.isShared, self.process, self.bytes) = (kind, isShared, process, bytes)
    }

    /// The locks on a file that a list names, held by processes that this one can see.
    package static func all(on file: FileIdentity, in list: String) -> [FileLock] {
        list.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 8, let kind = Kind(rawValue: String(words[1])), let process = Int32(words[4]),
                process > 0
            else { return nil }
            let place = words[5].split(separator: ":")
            guard place.count == 3, UInt64(place[0], radix: 16) == file.major,
                UInt64(place[1], radix: 16) == file.minor,
                UInt64(place[2]) == file.number, let first = UInt64(words[6])
            else { return nil }
            let last = UInt64(words[7]) ?? .max
            guard first <= last else { return nil }
            return FileLock(kind: kind, isShared: words[3] == "READ", process: process, bytes: first...last)
        }
    }

    /// The system's list of locks; `nil` where there is none.
    package static func systemList() -> String? { SystemFile.text("/proc/locks") }
}
