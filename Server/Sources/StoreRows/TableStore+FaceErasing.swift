package import BenjiProtocol
package import Store

extension TableStore {
    package func cancelFaceBinding(
        account: Int64, app: AppID, revision: Int64, at moment: Timestamp, keepsAccount: Bool
    ) async throws(StoreError) -> FaceCancelOutcome {
        let outcome = try await write("cancel face binding", locks: .faceWrites) { db -> FaceCancelOutcome in
            let gone = try db.run(
                "DELETE FROM face_binding WHERE account = $1 AND app = $2 AND revision = $3", account, app.rawValue,
                revision)
            guard gone > 0 else { return .outdated }
            let isLast = try FaceErasing.leave(account, app, at: moment, db)
            guard isLast, !keepsAccount else { return isLast ? .unbound : .cancelled }
            _ = try FaceErasing.erase(account, telling: moment, db)
            return .erased
        }
        if outcome == .erased { await forgetErasedFaces(1) }
        return outcome
    }

    package func eraseFaceAccount(
        _ account: Int64, revision: Int64?, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> FaceAccountOutcome {
        let outcome = try await write("erase face account", locks: .faceWrites) { db -> FaceAccountOutcome in
            if let outcome = try FaceRows.refusal(account, revision: revision, db) { return outcome }
            _ = try FaceErasing.erase(account, telling: moment, db)
            try AuditRows.insert(audit, self.rowCodes, db)
            return .done
        }
        if outcome == .done { await forgetErasedFaces(1) }
        return outcome
    }

    package func eraseOutdatedFaceAccounts(
        unboundBefore moment: Timestamp, limit: Int
    ) async throws(StoreError) -> Int {
        let isUnbound = "a.unbound_at < $1 AND NOT a.frozen"
        // Looked for without a lock, because it reads every account; looked at again under it.
        let found = try await read("find outdated face accounts") { db in
            try db.rows(
                """
                SELECT id FROM (SELECT a.id FROM face_account AS a WHERE NOT \(FaceRows.isPresent)
                    UNION SELECT a.id FROM face_account AS a WHERE \(isUnbound)) AS outdated LIMIT $2
                """, of: "face_account", moment.milliseconds, max(limit, 0)
            ) { try $0.integer(Int64.self) }
        }
        let count =
            found.isEmpty
            ? 0
            : try await write("erase outdated face accounts", locks: .faceWrites) { db in
                var count = 0
                for account in found {
                    guard
                        try db.hasRow(
                            """
                            SELECT 1 FROM face_account AS a WHERE a.id = $2 AND (NOT \(FaceRows.isPresent) OR \
                            (\(isUnbound)))
                            """, moment.milliseconds, account)
                    else { continue }
                    if try FaceErasing.erase(account, telling: nil, db) { count += 1 }
                }
                return count
            }
        await forgetErasedFaces(count)
        return count
    }
}

package enum FaceErasing {
    /// Ends what an app had of an account, whose binding is gone.
    ///
    /// - Returns: whether it was the account's last.
    @discardableResult
    static func leave(_ account: Int64, _ app: AppID, at moment: Timestamp, _ db: some StatementRunner) throws -> Bool {
        try FaceRows.end(account, app: app, FaceEnding(.cancelled, at: moment), db)
        try FaceGroupRows.leave(account, app, db)
        let isLast = try !db.hasRow("SELECT 1 FROM face_binding WHERE account = $1", account)
        if isLast {
            try db.run("UPDATE face_account SET unbound_at = $1 WHERE id = $2", moment.milliseconds, account)
        }
        return isLast
    }

    /// - Parameter telling: The time of the erasure, for the account's devices; `nil` if its holder is gone.
    package static func erase(_ account: Int64, telling moment: Timestamp?, _ db: some StatementRunner) throws -> Bool {
        try db.eraseFaceSecrets(of: account)
        for table in ["face_group_member", "face_binding"] {
            try db.run("DELETE FROM \(table) WHERE account = $1", account)
        }
        if let moment {
            try FaceRows.end(account, app: nil, FaceEnding(.erased, at: moment), db)
            try db.run(
                """
                UPDATE face_credential SET expires_at = $1 WHERE account = $2 AND ended_at IS NOT NULL AND expires_at \
                > $1
                """, (moment + FaceEnding.memory).milliseconds, account)
            try db.run("DELETE FROM face_credential WHERE account = $1 AND ended_at IS NULL", account)
        } else {
            try db.run("DELETE FROM face_credential WHERE account = $1", account)
        }
        return try db.run("DELETE FROM face_account WHERE id = $1", account) > 0
    }
}
