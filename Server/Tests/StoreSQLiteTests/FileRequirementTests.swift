import Foundation
import GRDB
import Logging
import Processes
import Store
import Testing

@testable import StoreSQLite

@Suite("Requirements of the file")
struct FileRequirementTests {
    private let logger = Logger(label: "test")

    /// A list of file systems in which the one of a file has a type.
    private func mounts(_ path: String, type: String) throws -> String {
        let file = try #require(FileIdentity(path))
        return """
            22 27 0:\(UInt32.max) / /proc rw,relatime - proc proc rw
            36 35 \(file.major):\(file.minor) / /srv/data rw,noatime shared:1 master:2 - \(type) host:/data rw
            """
    }

    @Test(
        "A file on a network file system is refused by name, and one on a disk of the machine is not",
        arguments: [
            ("nfs4", true), ("nfs", true), ("cifs", true), ("fuse.sshfs", true), ("9p", true), ("virtiofs", true),
            ("ocfs2", true), ("gfs2", true), ("beegfs", true), ("fuse.rclone", true), ("ext4", false),
            ("overlay", false),
            ("tmpfs", false),
        ])
    func network(type: String, isRefused: Bool) throws {
        let place = try TemporaryPlace()
        let mounts = try mounts(place.folder, type: type)
        for path in [place.path, place.folder + "/not/there/yet.sqlite"] {
            let problem = DatabaseFile.problem(of: path, mounts: mounts)
            if isRefused {
                #expect(problem?.contains("network file system (\(type))") == true)
                #expect(problem?.contains("store.postgres") == true)
            } else {
                #expect(problem == nil)
            }
        }
        #expect(DatabaseFile.problem(of: place.path, mounts: nil) == nil)
        #expect(!FileManager.default.fileExists(atPath: place.path))
    }

    @Test("A library that is older than the schema needs is refused with both versions")
    func version() throws {
        let place = try TemporaryPlace()
        let problem = DatabaseFile.problem(of: place.path, version: 3_036_000, mounts: nil)
        #expect(problem?.contains("SQLite has version 3.36.0, and 3.37.0 or newer is needed") == true)
        #expect(DatabaseFile.problem(of: place.path, version: 3_037_000, mounts: nil) == nil)
    }

    @Test("A store's file in another encoding is refused by name, by a start and by a look")
    func encoding() throws {
        let place = try TemporaryPlace()
        let queue = try DatabaseQueue(path: place.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA encoding = 'UTF-16le'; PRAGMA application_id = \(Schema.applicationID)")
            try db.execute(sql: "CREATE TABLE any_table (value)")
        }
        try queue.close()
        let start = #expect(throws: StoreError.self) { try SQLiteStore(path: place.path, logger: logger) }
        #expect(start?.detail.contains("encoding is UTF-16le and must be UTF-8") == true)
        let look = #expect(throws: StoreError.self) { try SQLiteStore.hasCurrentSchema(path: place.path) }
        #expect(look?.detail.contains("encoding is UTF-16le") == true)
    }

    @Test("A folder in which SQLite may make no files is refused by name")
    func folder() throws {
        let place = try TemporaryPlace()
        func problem(_ path: String) -> String? {
            DatabaseFile.problem(of: path, mounts: nil) { _ in
                errno = EROFS
                return false
            }
        }
        let said = problem(place.path)
        #expect(said?.contains("cannot be written") == true && said?.contains("read-only file system") == true)
        #expect(DatabaseFile.problem(of: place.path, mounts: nil) == nil)
        // One that is not there yet is made by the start.
        #expect(problem(place.folder + "/new/store.sqlite") == nil)
    }
}
