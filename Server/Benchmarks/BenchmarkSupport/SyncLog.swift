import Foundation

/// The system calls with which a contestant's processes ask the disk to keep something, as strace wrote them down.
package struct SyncLog: Sendable {
    package let folder: String
    /// The counted calls. `sync_file_range` is not one: it promises nothing.
    static let calls = "fsync,fdatasync,msync,sync,syncfs"

    package init(in scratch: Scratch) throws {
        folder = scratch.file("syncs-\(UUID())")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Syncs begun so far.
    package var count: Int {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.reduce(0) { sum, file in
            let text = String(
                decoding: FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data(), as: UTF8.self)
            return sum + text.split(separator: "\n").count { $0.contains("sync") && !$0.contains("resumed") }
        }
    }
}
