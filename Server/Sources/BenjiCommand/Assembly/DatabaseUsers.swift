import Foundation

/// The processes that have a database open, as far as the system tells: those of this user, or all where root asks.
enum DatabaseUsers {
    /// Those that began before a file was last changed, and so may have read an earlier one. Without this process.
    static func startedBefore(changeOf file: String, using database: String) -> [Int32] {
        let files = FileManager.default
        let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        guard let changed = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date else { return [] }
        return users(of: database).filter { process in start(of: process).map { $0 < changed } ?? false }
    }

    private static func users(of database: String) -> [Int32] {
        let files = FileManager.default
        let path = URL(fileURLWithPath: database).resolvingSymlinksInPath().path
        let processes = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }.sorted()
        return processes.filter { process in
            guard process != getpid(), let open = try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd") else {
                return false
            }
            return open.contains { (try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")) == path }
        }
    }

    private static func start(of process: Int32) -> Date? {
        // FileManager's contents of such a file end early.
        func read(_ path: String) -> String? {
            (try? FileHandle(forReadingAtPath: path)?.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
        }
        // The second field of stat, the command's name, may hold anything but ends with the last bracket; the start is the twentieth
        // after it, in ticks since the machine started (proc_pid_stat(5)).
        guard let status = read("/proc/\(process)/stat"), let end = status.lastIndex(of: ")"),
            let ticks = status[end...].split(separator: " ").dropFirst(20).first.flatMap({ Double($0) }),
            let running = read("/proc/uptime")?.split(separator: " ").first.flatMap({ Double($0) })
        else { return nil }
        return Date(timeIntervalSinceNow: ticks / Double(sysconf(Int32(_SC_CLK_TCK))) - running)
    }
}
