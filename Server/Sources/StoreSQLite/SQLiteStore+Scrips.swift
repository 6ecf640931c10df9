package import BenjiProtocol
import GRDB
package import Sightings
package import Store
import StoreRows

extension SQLiteStore {
    package func insertScrip(
        _ scrip: ScripRecord, appRevision: Int64?, fence: PairFence?
    ) async throws(StoreError) {
        try await write("insert scrip") { db in
            guard try AppRows.isApp(scrip.appID, at: appRevision, db) else {
                throw StoreError(.outdated, "insert scrip: the app was changed")
            }
            if let fence, try !PairRows.standing(of: fence.pair, db).isUnder(fence) {
                throw StoreError(.gatewayReplaced, "insert scrip: another gateway owns the pair")
            }
            try ScripRows.insert(scrip, db)
        }
    }

    package func scrip(_ hash: CredentialHash) async throws(StoreError) -> ScripLookup {
        try await look("read scrip") { db in try ScripRows.find(hash, db) }
    }

    package func revokeScrips(family: Int64) async throws(StoreError) {
        try await write("revoke scrips") { db in
            try db.run("UPDATE scrip SET revoked = 1 WHERE family = ? AND revoked = 0", family)
        }
    }

    package func revokeCredentials(bindings: [BindingID], at: Timestamp) async throws(StoreError) {
        if bindings.isEmpty, writer.isOpen { return }
        try await write("revoke credentials") { db in
            for binding in bindings {
                try RevokedBindings.remember(binding, at: at, db)
                try db.run("UPDATE scrip SET revoked = 1 WHERE binding = ? AND revoked = 0", binding.rawValue)
                try db.run(
                    """
                    UPDATE token SET revoked = 1, listed = 0
                    WHERE binding = ? AND listed = 1 AND spent_at IS NULL AND revoked = 0
                    """, binding.rawValue)
                try db.run(
                    "UPDATE openid_credential SET revoked = 1 WHERE binding = ? AND spent_at IS NULL AND revoked = 0",
                    binding.rawValue)
            }
        }
    }

    package func deleteExpiredCredentials(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete expired credentials") { db in
            var gone = 0
            func deleting(_ table: String) -> String {
                "DELETE FROM \(table) WHERE hash IN (SELECT hash FROM \(table) WHERE expires_at < ? LIMIT ?)"
            }
            for table in ["scrip", "face_credential"] {
                gone += try db.run(deleting(table), moment.milliseconds, max(limit, 0))
            }
            for table in ["token", "openid_credential"] {
                // SQLite 3.40 returns 1 for `spent_at IS NOT NULL` of a deleted row without a time.
                let expired = try db.rows(
                    "\(deleting(table)) RETURNING hash, trace, spent_at", of: table, moment.milliseconds, max(limit, 0)
                ) { columns in
                    (
                        hash: try columns.hash(), trace: try columns.raw(TraceID.self),
                        isSpent: try columns.optionalInteger(Int64.self) != nil
                    )
                }
                gone += expired.count
                for credential in expired where !credential.isSpent {
                    try ConsentRows.deletePending(of: credential.hash, credential.trace, at: moment, db)
                }
            }
            return try gone + RevokedBindings.forget(before: moment, limit: limit, db)
        }
    }

    package func deleteExpiredPages(_ expiry: Range<Timestamp>, limit: Int) async throws(StoreError) -> Int {
        try await write("delete expired pages") { db in
            let gone = try db.rows(
                """
                DELETE FROM openid_credential WHERE hash IN
                    (SELECT hash FROM openid_credential WHERE expires_at >= ? AND expires_at < ?
                        AND (kind = 'page' OR kind = 'code' AND spent_at IS NULL) LIMIT ?)
                RETURNING hash, trace
                """, of: "openid_credential", expiry.lowerBound.milliseconds, expiry.upperBound.milliseconds,
                max(limit, 0)
            ) { columns in (hash: try columns.hash(), trace: try columns.raw(TraceID.self)) }
            for credential in gone {
                try ConsentRows.deletePending(of: credential.hash, credential.trace, at: expiry.upperBound, db)
            }
            return gone.count
        }
    }

    package func deleteExpiredScrips(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete expired scrips") { db in
            try db.run(
                "DELETE FROM scrip WHERE hash IN (SELECT hash FROM scrip WHERE expires_at < ? LIMIT ?)",
                moment.milliseconds, max(limit, 0))
        }
    }
}

extension RevokedBindings {
    static func remember(_ binding: BindingID, at: Timestamp, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO revoked_binding (binding, at) VALUES (?, ?)
            ON CONFLICT (binding) DO UPDATE SET at = max(at, excluded.at)
            """, binding.rawValue, at.milliseconds)
    }

    static func forget(before moment: Timestamp, limit: Int, _ db: Database) throws -> Int {
        try db.run(
            """
            DELETE FROM revoked_binding WHERE binding IN
                (SELECT binding FROM revoked_binding WHERE at < ? LIMIT ?)
            """, moment.milliseconds, max(limit, 0))
    }
}

enum ScripRows {
    private static let columns = """
        hash, family, generation, app, subscription, epoch, sim_generation, carrier, binding, device_key, nonce_hash, \
        trace, dialect, reusable, brief, expires_at
        """

    private static let inserting = """
        INSERT INTO scrip (\(columns), revoked)
        VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?, \(RevokedBindings.contain("?9")))
        """

    static func insert(_ scrip: ScripRecord, _ db: Database) throws {
        try db.run(
            inserting, scrip.hash.bytes, scrip.family, scrip.generation, scrip.appID.rawValue,
            scrip.subscription.subscription, scrip.subscription.epoch, scrip.subscription.simGeneration,
            scrip.carrier.rawValue, scrip.binding.rawValue, scrip.deviceKey, scrip.nonceHash.bytes,
            scrip.trace.rawValue, scrip.dialect.rawValue, scrip.reusable, scrip.isBrief, scrip.expiresAt.milliseconds)
    }

    private static let finding = "SELECT \(columns), used, revoked FROM scrip WHERE hash = ?"

    static func find(_ hash: CredentialHash, _ db: Database) throws -> ScripLookup {
        try db.row(finding, of: "scrip", hash.bytes) { columns in
            let record = ScripRecord(
                hash: try columns.hash(), family: try columns.integer(), generation: try columns.integer(),
                appID: try columns.raw(), subscription: try columns.reference(), carrier: try columns.raw(),
                binding: try columns.binding(), deviceKey: try columns.text(), nonceHash: try columns.hash(),
                trace: try columns.raw(), dialect: try columns.raw(), reusable: try columns.bool(),
                isBrief: try columns.bool(), expiresAt: try columns.timestamp())
            let used = try columns.bool()
            let revoked = try columns.bool()
            return revoked ? .revoked(record) : used ? .superseded(record) : .current(record)
        } ?? .unknown
    }
}
