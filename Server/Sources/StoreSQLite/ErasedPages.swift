import GRDB
import Logging

extension SQLiteStore {
    package func forgetErasedFaces(_ count: Int) async {
        // Also after earlier erasures that a reader was in the way of: outdated accounts are asked for every minute.
        await forgetErasedPages()
    }

    /// The log still holds pages as they were before. Writing them home and emptying it takes that away. A reader in
    /// the way only delays it: it is tried for a moment, and again when outdated accounts are asked for.
    ///
    /// - Returns: whether it is done.
    @discardableResult
    func forgetErasedPages() async -> Bool {
        for _ in 0..<20 {
            if await triesToForget() { return true }
            try? await Task.sleep(for: .milliseconds(25))
        }
        let advice = await readerAdvice
        logger.warning(
            "what was erased is still in the write-ahead log; it is tried again", metadata: ["advice": "\(advice)"])
        return false
    }

    /// What to do while somebody reads an older state, so that the log cannot be emptied.
    var readerAdvice: String {
        get async {
            let readers = await DatabaseReaders.find(ofDatabase: pool.path)
            return readers.isEmpty
                ? "end whatever reads the database for long, such as a backup"
                : "end whatever reads the database for long, or wait for it: "
                    + "\(readers.map(\.description).joined(separator: ", "))"
        }
    }

    /// Whether the log holds nothing that was erased.
    private func triesToForget() async -> Bool {
        do {
            let count = try await read("count erasures") { db in try ErasedPages.unforgotten(db) }
            guard count > 0 else { return true }
            try await pool.writeWithoutTransaction { db in try WriteAheadLog.emptyAtOnce(db) }
            try await write("forget erasures") { db in
                // If something was erased meanwhile, the log may hold pages of that: keep the count.
                if try ErasedPages.unforgotten(db) == count { try ErasedPages.setUnforgotten(0, db) }
            }
            return true
        } catch {
            return false
        }
    }
}

/// Erasures of which the write-ahead log may still have the bytes.
enum ErasedPages {
    /// Erasures since the log was emptied. They are counted in the file, so that any process goes on with what one
    /// could not finish.
    static func unforgotten(_ db: Database) throws -> Int32 { try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }

    /// One more erasure whose bytes the log still has.
    static func note(_ db: Database) throws { try setUnforgotten(try unforgotten(db) + 1, db) }

    static func setUnforgotten(_ count: Int32, _ db: Database) throws {
        try db.execute(sql: "PRAGMA user_version = \(count)")
    }
}
