import Foundation

/// A folder of one run, removed with all it holds when the run ends.
package final class Scratch {
    package let path: String

    /// - Parameter parent: where to make it, such as a disk whose durable writes are to be measured. The system's
    ///   folder for temporary files if `nil`.
    package init(_ name: String, in parent: String? = nil) throws {
        path = (parent ?? NSTemporaryDirectory()) + "/benji-\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    package func file(_ name: String) -> String { path + "/" + name }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
