import Foundation
import Processes
import StoreSQLite

/// The processes that have a database open, as far as the system shows: those of this user, or all for root.
enum DatabaseUsers {
    /// Those that began before a file was last changed, and so may have read an earlier one. Without this process.
    static func startedBefore(changeOf file: String, using database: String) -> [Int32] {
        let files = FileManager.default
        let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        guard let changed = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date else { return [] }
        let users = RunningProcess.having(open: [URL(fileURLWithPath: database).resolvingSymlinksInPath().path])
        return users.map(\.id).filter { $0 != getpid() && start(of: $0).map { $0 < changed } ?? false }
    }

    private static func start(of process: Int32) -> Date? {
        // The second field of stat, the command's name, may hold anything but ends with the last bracket. The start is
        // the twentieth field after it, in ticks since the machine started (proc_pid_stat(5)).
        guard let status = SystemFile.text("/proc/\(process)/stat"), let end = status.lastIndex(of: ")"),
            let ticks = status[end...].split(separator: " ").dropFirst(20).first.flatMap({ Double($0) }),
            let running = SystemFile.text("/proc/uptime")?.split(separator: " ").first.flatMap({ Double($0) })
        else { return nil }
        return Date(timeIntervalSinceNow: ticks / Double(sysconf(Int32(_SC_CLK_TCK))) - running)
    }
}
