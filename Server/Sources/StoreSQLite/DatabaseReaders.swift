import Foundation
package import Processes

/// Processes that read an older state of a database for long, and so keep erased content in its files.
package enum DatabaseReaders {
    /// A reader locks one of these bytes of the `-shm` file for as long as it reads
    /// (<https://www.sqlite.org/walformat.html>, WAL_READ_LOCK).
    private static let marks: ClosedRange<UInt64> = 123...127
    /// A server reads for a moment again and again. A process that is found at each look reads for long.
    private static let looks = 5
    private static let pause: Duration = .milliseconds(20)

    /// Processes other than this one, by id; none where the system does not tell.
    ///
    /// The file itself is not opened: closing it would end this process's own locks on it.
    /// - Parameter list: the system's list of locks; `nil` where there is none.
    package static func find(
        ofDatabase path: String, list: () -> String? = FileLock.systemList
    ) async -> [RunningProcess] {
        guard let file = FileIdentity(path + "-shm") else { return [] }
        var found: Set<Int32>?
        for look in 0..<looks {
            if look > 0 { try? await Task.sleep(for: pause) }
            guard let locks = list() else { return [] }
            let readers = FileLock.all(on: file, in: locks).filter {
                $0.kind == .range && $0.isShared && $0.bytes.overlaps(marks)
            }
            let now = Set(readers.map(\.process)).subtracting([ProcessInfo.processInfo.processIdentifier])
            found = found?.intersection(now) ?? now
        }
        return (found ?? []).sorted().map(RunningProcess.init)
    }
}
