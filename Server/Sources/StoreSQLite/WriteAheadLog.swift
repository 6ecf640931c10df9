import Foundation
import GRDB

/// The file beside the database that commits are written to first.
enum WriteAheadLog {
    private static let pieceSize = 1 << 20

    /// Writes everything committed into the database file, syncs it, and restarts the log. Not inside a transaction.
    /// While it waits for a reader of an older state, all writers are blocked.
    static func empty(_ db: Database) throws { _ = try db.checkpoint(.truncate) }

    /// The same without waiting: throws `SQLITE_BUSY` while somebody reads an older state, or another process writes.
    static func emptyAtOnce(_ db: Database) throws {
        let patience = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? db.execute(sql: "PRAGMA busy_timeout = \(patience)") }
        try empty(db)
    }

    /// Makes sure that what a log shows after a crash is on the disk. Call it before the database at `path` is opened.
    ///
    /// The previous process may have died of a failed sync. The system then shows pages of the log that it could not
    /// write, and SQLite takes them for commits. Writes behind them would follow a hole after a power cut, or a copy
    /// into the database would be half a transaction (decision 20). So the log's bytes are written again and synced.
    ///
    /// Does nothing if another process works on the file, for then that one did it.
    static func makeSafe(ofDatabase path: String) throws {
        let log = DatabaseFile.place(of: path) + "-wal"
        guard let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int, size > 0 else { return }
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        // The first read then locks every other process out.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inDatabase { db in
                _ = try Row.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema")
                try rewrite(log)
            }
            try queue.close()
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {}
    }

    private static func rewrite(_ path: String) throws {
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
        defer { try? file.close() }
        do {
            var offset: UInt64 = 0
            while let piece = try file.read(upToCount: pieceSize), !piece.isEmpty {
                try file.seek(toOffset: offset)
                try file.write(contentsOf: piece)
                offset += UInt64(piece.count)
            }
            try file.synchronize()
        } catch {
            throw DatabaseError(resultCode: .SQLITE_IOERR)
        }
    }
}
