import Foundation
import ServerRuntime
import StoreSQLite

/// A folder of its owner's alone (0700) for the time of one call.
enum ScratchFolder {
    /// - Parameter parent: where to make it; the system's temporary folder if not given.
    static func use<Result>(in parent: String?, _ body: (String) async throws -> Result) async throws -> Result {
        let parent = parent ?? NSTemporaryDirectory()
        let folder = URL(fileURLWithPath: parent).appending(path: "benji-copy-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                "a folder for a copy cannot be made in \(parent): \(CommandFile.writingProblem(folder))")
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Makes a whole copy of a file, which is there complete or not at all.
    static func copy(_ file: String, to copy: String) throws {
        let draft = try AtomicFileWriter.begin(copy + ".unfinished", for: copy)
        try draft.fill(from: file)
        try draft.publish(replacing: false)
    }
}
