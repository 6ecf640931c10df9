import BenjiProtocol
import Foundation
import Logging
import StoreSQLite

@testable import Authority

/// A folder with the file of a master key, and a place for a database.
struct KeyFolder: Sendable {
    let path = NSTemporaryDirectory() + "/keys-\(UUID().uuidString)"
    let file: MasterKeyFile
    let first: MasterKey

    init() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        file = MasterKeyFile(path: path + "/master.key")
        first = try file.load(random: SystemRandomSource())[0]
    }

    var database: String { path + "/benji.sqlite" }

    /// Opens the database as a process does.
    func store() throws -> SQLiteStore { try SQLiteStore(path: database, logger: Logger(label: "test")) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
