package import BenjiProtocol
package import Store

extension TableStore {
    package func insertAttestedKey(_ record: AttestedKeyRecord) async throws(StoreError) -> Bool {
        try await write("insert attested key", locks: []) { db in
            let inserted = try db.run(
                """
                INSERT INTO attested_key (app, id, public_key, device_key, bundle, development, counter, created_at)
                VALUES ($1,$2,$3,$4,$5,$6,$7,$8) ON CONFLICT (app, id) DO NOTHING
                """, record.appID.rawValue, record.id, record.publicKey, record.deviceKey, record.bundleID,
                record.isDevelopment, record.counter, record.createdAt.milliseconds)
            guard inserted == 1 else { return false }
            try db.run(
                """
                UPDATE attested_key SET revoked_at = $4
                WHERE app = $1 AND device_key = $2 AND id <> $3 AND revoked_at IS NULL
                """, record.appID.rawValue, record.deviceKey, record.id, record.createdAt.milliseconds)
            return true
        }
    }

    package func attestedKey(_ id: String, of app: AppID) async throws(StoreError) -> AttestedKeyRecord? {
        try await look("look at attested key") { db in
            try db.row(
                "SELECT \(AttestedKeyRows.columns) FROM attested_key WHERE app = $1 AND id = $2", of: "attested_key",
                app.rawValue, id, read: AttestedKeyRows.decode)
        }
    }

    package func advanceAttestedKey(
        _ id: String, of app: AppID, to counter: Int64, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await write("advance attested key", locks: []) { db in
            try db.run(
                """
                UPDATE attested_key SET counter = $3, used_at = $4
                WHERE app = $1 AND id = $2 AND counter < $3 AND revoked_at IS NULL
                """, app.rawValue, id, counter, now.milliseconds) == 1
        }
    }

    package func attestedKeys(
        of app: AppID, deviceKey: String?, limit: Int
    ) async throws(StoreError) -> [AttestedKeyRecord] {
        try await read("list attested keys") { db in
            try db.rows(
                """
                SELECT \(AttestedKeyRows.columns) FROM attested_key
                WHERE app = $1 AND device_key = coalesce($2, device_key) ORDER BY created_at DESC, id LIMIT $3
                """, of: "attested_key", app.rawValue, deviceKey, max(limit, 0), read: AttestedKeyRows.decode)
        }
    }

    package func revokeAttestedKey(
        _ id: String, of app: AppID, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await write("revoke attested key", locks: [.orders]) { db in
            let revoked = try db.run(
                "UPDATE attested_key SET revoked_at = $3 WHERE app = $1 AND id = $2 AND revoked_at IS NULL",
                app.rawValue, id, moment.milliseconds)
            guard revoked == 1 else { return false }
            try AuditRows.insert(audit, self.rowCodes, db)
            return true
        }
    }
}

private enum AttestedKeyRows {
    static let columns =
        "app, id, public_key, device_key, bundle, development, counter, created_at, used_at, revoked_at"

    static func decode(_ columns: inout some Columns) throws -> AttestedKeyRecord {
        AttestedKeyRecord(
            appID: try columns.raw(), id: try columns.text(), publicKey: try columns.bytes(),
            deviceKey: try columns.text(), bundleID: try columns.text(), isDevelopment: try columns.bool(),
            counter: try columns.integer(), createdAt: try columns.timestamp(),
            usedAt: try columns.optionalTimestamp(), revokedAt: try columns.optionalTimestamp())
    }
}
