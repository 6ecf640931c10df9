import Foundation

/// A folder of its own for one test, gone with the value.
final class TemporaryPlace: Sendable {
    let folder: String
    /// Where the test's database goes; nothing is there yet.
    var path: String { folder + "/store.sqlite" }

    init() throws {
        folder = NSTemporaryDirectory() + "benji-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
