package import BenjiProtocol
import GRDB
import Logging
package import Store

extension SQLiteStore {
    package func cancelFaceBinding(
        account: Int64, app: AppID, revision: Int64, at moment: Timestamp, keepsAccount: Bool
    ) async throws(StoreError) -> FaceCancelOutcome {
        let outcome = try await write("cancel face binding") { db -> FaceCancelOutcome in
            let gone = try db.run(
                "DELETE FROM face_binding WHERE account = ? AND app = ? AND revision = ?", account, app.rawValue,
                revision)
            guard gone > 0 else { return .outdated }
            try FaceRows.end(account, app: app, FaceEnding(.cancelled, at: moment), db)
            let isLast = try !db.hasRow("SELECT 1 FROM face_binding WHERE account = ?", account)
            if isLast, !keepsAccount {
                _ = try FaceErasing.erase(account, telling: moment, db)
                return .erased
            }
            try FaceGroupRows.leave(account, app, db)
            guard isLast else { return .cancelled }
            try db.run("UPDATE face_account SET unbound_at = ? WHERE id = ?", moment.milliseconds, account)
            return .unbound
        }
        if outcome == .erased { await forgetErasedPages() }
        return outcome
    }

    package func eraseFaceAccount(
        _ account: Int64, revision: Int64?, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> FaceAccountOutcome {
        let outcome = try await write("erase face account") { db -> FaceAccountOutcome in
            if let outcome = try FaceRows.refusal(account, revision: revision, db) { return outcome }
            _ = try FaceErasing.erase(account, telling: moment, db)
            try AuditRows.insert(audit, db)
            return .done
        }
        if outcome == .done { await forgetErasedPages() }
        return outcome
    }

    package func eraseOutdatedFaceAccounts(
        unboundBefore moment: Timestamp, limit: Int
    ) async throws(StoreError) -> Int {
        let count = try await write("erase outdated face accounts") { db in
            let outdated = try db.rows(
                """
                SELECT a.id FROM face_account AS a
                WHERE NOT \(FaceRows.isPresent) OR (a.unbound_at < ? AND a.frozen = 0) LIMIT ?
                """, of: "face_account", moment.milliseconds, max(limit, 0)
            ) { try $0.integer(Int64.self) }
            for account in outdated { _ = try FaceErasing.erase(account, telling: nil, db) }
            return outdated.count
        }
        // Also after erasures of before that a reader was in the way of: this is asked for every minute.
        await forgetErasedPages()
        return count
    }

    /// The log still holds pages as they were before. Writing them home and emptying it takes that away. A reader in the way
    /// only delays it: it is tried for a moment, and again when outdated accounts are asked for.
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
                : "end whatever reads the database for long, or wait for it: \(readers.map(\.description).joined(separator: ", "))"
        }
    }

    /// Whether the log holds nothing that was erased.
    private func triesToForget() async -> Bool {
        do {
            let count = try await read("count erasures") { db in try FaceErasing.unforgotten(db) }
            guard count > 0 else { return true }
            try await pool.writeWithoutTransaction { db in try WriteAheadLog.emptyAtOnce(db) }
            try await write("forget erasures") { db in
                // Of a later one too the log may hold something.
                if try FaceErasing.unforgotten(db) == count { try FaceErasing.setUnforgotten(0, db) }
            }
            return true
        } catch {
            return false
        }
    }
}

enum FaceErasing {
    /// - Parameter telling: when it was, for the devices of the account; `nil` if its holder is gone, so that nobody is to be told.
    static func erase(_ account: Int64, telling moment: Timestamp?, _ db: Database) throws -> Bool {
        // In place, for it has the same length; see ``Schema/face`` for why the row stays.
        try db.run(
            "UPDATE face_key SET sealed_key = zeroblob(length(sealed_key)) WHERE account = ?", account)
        try db.run(
            """
            UPDATE face_account SET sealed_template = zeroblob(length(sealed_template)),
                sealed_profile = zeroblob(length(sealed_profile)) WHERE id = ?
            """, account)
        for table in ["face_group_member", "face_binding"] {
            try db.run("DELETE FROM \(table) WHERE account = ?", account)
        }
        if let moment {
            try FaceRows.end(account, app: nil, FaceEnding(.erased, at: moment), db)
            try db.run(
                """
                UPDATE face_credential SET expires_at = min(expires_at, ?) WHERE account = ? AND ended_at IS NOT NULL
                """, (moment + FaceEnding.memory).milliseconds, account)
            try db.run("DELETE FROM face_credential WHERE account = ? AND ended_at IS NULL", account)
        } else {
            try db.run("DELETE FROM face_credential WHERE account = ?", account)
        }
        guard try db.run("DELETE FROM face_account WHERE id = ?", account) > 0 else { return false }
        try noteErasure(db)
        return true
    }

    /// Erasures since the log was emptied. They are counted in the file, so that any process goes on with what one could
    /// not finish.
    static func unforgotten(_ db: Database) throws -> Int32 { try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }

    /// One more erasure whose bytes the log still has.
    static func noteErasure(_ db: Database) throws { try setUnforgotten(try unforgotten(db) + 1, db) }

    static func setUnforgotten(_ count: Int32, _ db: Database) throws {
        try db.execute(sql: "PRAGMA user_version = \(count)")
    }
}
