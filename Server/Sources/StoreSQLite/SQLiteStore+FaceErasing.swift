public import BenjiProtocol
import GRDB
public import Store

extension SQLiteStore {
    public func cancelFaceBinding(account: Int64, app: AppID) async throws(StoreError) -> FaceCancelOutcome {
        let outcome = try await write("cancel face binding") { db -> FaceCancelOutcome in
            let gone = try db.run(
                "DELETE FROM face_binding WHERE account = ? AND app = ?", account, app.rawValue)
            guard gone > 0 else { return .notBound }
            guard try db.hasRow("SELECT 1 FROM face_binding WHERE account = ?", account) else {
                _ = try FaceErasing.erase(account, db)
                return .erased
            }
            try db.run(
                "UPDATE face_credential SET revoked = 1 WHERE account = ? AND app = ?", account, app.rawValue)
            try db.run(
                """
                DELETE FROM face_group_member WHERE account = ?
                    AND face_group IN (SELECT id FROM face_group WHERE app = ?)
                """, account, app.rawValue)
            return .cancelled
        }
        if outcome == .erased { await forgetErasedPages() }
        return outcome
    }

    public func eraseFaceAccount(_ account: Int64) async throws(StoreError) -> Bool {
        let isErased = try await write("erase face account") { db in try FaceErasing.erase(account, db) }
        if isErased { await forgetErasedPages() }
        return isErased
    }

    public func eraseOutdatedFaceAccounts(limit: Int) async throws(StoreError) -> Int {
        let count = try await write("erase outdated face accounts") { db in
            let outdated = try db.rows(
                "SELECT a.id FROM face_account AS a WHERE NOT \(FaceRows.isPresent) LIMIT ?", of: "face_account",
                max(limit, 0)
            ) { try $0.integer(Int64.self) }
            for account in outdated { _ = try FaceErasing.erase(account, db) }
            return outdated.count
        }
        if count > 0 { await forgetErasedPages() }
        return count
    }

    /// The log still holds pages as they were before. Writing them home and emptying it takes that away; a reader in
    /// the way only delays it, so it is tried again.
    private func forgetErasedPages() async {
        for _ in 0..<20 {
            if (try? await pool.writeWithoutTransaction({ db in try WriteAheadLog.empty(db) })) != nil { return }
            try? await Task.sleep(for: .milliseconds(25))
        }
    }
}

private enum FaceErasing {
    static func erase(_ account: Int64, _ db: Database) throws -> Bool {
        // Overwritten in its place first: a row that is only deleted may stay in a page that becomes free.
        try db.run(
            "UPDATE face_key SET sealed_key = zeroblob(length(sealed_key)) WHERE account = ?", account)
        try db.run(
            """
            UPDATE face_account SET sealed_template = zeroblob(length(sealed_template)),
                sealed_profile = zeroblob(length(sealed_profile)) WHERE id = ?
            """, account)
        for table in ["face_key", "face_group_member", "face_binding", "face_credential"] {
            try db.run("DELETE FROM \(table) WHERE account = ?", account)
        }
        return try db.run("DELETE FROM face_account WHERE id = ?", account) > 0
    }
}
