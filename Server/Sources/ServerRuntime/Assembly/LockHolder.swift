import Foundation
package import Processes

/// The process that has locked a file.
package struct LockHolder {
    /// Its id; `nil` if the system does not tell, for example because it runs in another container.
    package let process: Int32?

    /// How often the list is read for a lock that is not in it. Other processes' locks come and go meanwhile, and the
    /// kernel resumes by number. A line is then missed, on a busy machine in one of some hundred readings.
    package static let readings = 10

    /// - Parameter list: the system's list of locks; `nil` where there is none.
    package init(holding path: String, list: () -> String? = FileLock.systemList) {
        guard let file = FileIdentity(path) else {
            process = nil
            return
        }
        for _ in 0..<Self.readings {
            guard let locks = list() else { break }
            if let holder = Self.holder(of: file, in: locks) {
                process = holder
                return
            }
        }
        process = nil
    }

    /// The process that has locked a file as a whole, by a list of locks.
    package static func holder(of file: FileIdentity, in locks: String) -> Int32? {
        FileLock.all(on: file, in: locks).first { $0.kind == .whole }?.process
    }

    package func problem(_ configuration: ProcessConfiguration) -> String {
        let which = process.map { "\(RunningProcess(id: $0))" } ?? "another process"
        return
            "another server is running on \(configuration.absoluteDataDirectory) (\(which)); stop it first, or "
            + "name "
            + "another folder with --data"
    }
}
