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

    /// What its program is called; `nil` if it has ended or the system does not tell.
    private var program: String? {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/comm") else { return nil }
        // A process chooses its name, and the name goes to a terminal.
        let name = bytes.filter { (0x21...0x7e).contains($0) }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}
