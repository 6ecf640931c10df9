import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A process that is in the way, as messages name it: `process 4711 (sqlite3)`.
package struct RunningProcess: Hashable, Sendable, CustomStringConvertible {
    package let id: Int32

    package init(id: Int32) { self.id = id }

    package var description: String { program.map { "process \(id) (\($0))" } ?? "process \(id)" }

    /// The processes that have one of these open, by id: paths without links, or sockets as `socket:[4711]`. Other
    /// users' are closed to everybody but root.
    package static func having(open targets: Set<String>) -> [RunningProcess] {
        let files = FileManager.default
        let processes = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return processes.sorted().filter { process in
            let folder = "/proc/\(process)/fd"
            return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).contains { descriptor in
                (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")).map(targets.contains) ?? false
            }
        }.map(RunningProcess.init)
    }

    /// The name of its program; `nil` if it has ended or the system does not report it.
    private var program: String? {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/comm") else { return nil }
        // A process chooses its name, and the name goes to a terminal.
        let name = bytes.filter { (0x21...0x7e).contains($0) }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}
