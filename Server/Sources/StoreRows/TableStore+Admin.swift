import BenjiProtocol
package import Store

extension TableStore {
    package func createAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) {
        try await write("create admin", locks: [.orders]) { db in
            try db.run(
                """
                INSERT INTO admin (name, role, apps, sees_numbers, kind, credential, created_at, expires_at, revoked_at,
                    last_used_day)
                VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)
                """, record.name, record.role, try AdminRows.apps(record), record.seesNumbers, record.kind.rawValue,
                record.credential.bytes, record.createdAt.milliseconds, record.expiresAt.milliseconds,
                record.revokedAt?.milliseconds, record.lastUsedDay)
            try AuditRows.insert(audit, db)
        }
    }

    package func updateAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await write("update admin", locks: [.orders]) { db in
            let changed = try db.run(
                """
                UPDATE admin SET (role, apps, sees_numbers, kind, credential, created_at, expires_at, revoked_at)
                    = ($1,$2,$3,$4,$5,$6,$7,$8) WHERE name = $9
                """, record.role, try AdminRows.apps(record), record.seesNumbers, record.kind.rawValue,
                record.credential.bytes, record.createdAt.milliseconds, record.expiresAt.milliseconds,
                record.revokedAt?.milliseconds, record.name)
            guard changed == 1 else { return false }
            try AuditRows.insert(audit, db)
            return true
        }
    }

    package func admins() async throws(StoreError) -> [AdminRecord] {
        try await read("read admins") { db in
            try db.rows(
                "SELECT \(AdminRows.columns) FROM admin ORDER BY name", of: "admin", read: AdminRows.decode)
        }
    }

    package func admin(named name: String) async throws(StoreError) -> AdminRecord? {
        try await read("read admin") { db in
            try db.row(
                "SELECT \(AdminRows.columns) FROM admin WHERE name = $1", of: "admin", name, read: AdminRows.decode)
        }
    }

    package func admin(_ credential: CredentialHash) async throws(StoreError) -> AdminRecord? {
        try await read("read admin") { db in
            try db.row(
                "SELECT \(AdminRows.columns) FROM admin WHERE credential = $1", of: "admin", credential.bytes,
                read: AdminRows.decode)
        }
    }

    package func noteAdminUse(_ name: String, day: Int32) async throws(StoreError) {
        try await write("note admin use", locks: []) { db in
            try db.run(
                "UPDATE admin SET last_used_day = $1 WHERE name = $2 AND coalesce(last_used_day, 0) < $1", day, name)
        }
    }
}

private enum AdminRows {
    static let columns =
        "name, role, apps, sees_numbers, kind, credential, created_at, expires_at, revoked_at, last_used_day"

    static func apps(_ record: AdminRecord) throws -> String { try record.apps.map(\.rawValue).sorted().json }

    static func decode(_ columns: inout some Columns) throws -> AdminRecord {
        AdminRecord(
            name: try columns.text(), role: try columns.text(),
            apps: Set(
                try columns.texts().map { text in
                    guard let app = AppID(rawValue: text) else { throw DamagedRow(column: "admin.apps") }
                    return app
                }),
            seesNumbers: try columns.bool(), kind: try columns.raw(),
            credential: CredentialHash(bytes: try columns.bytes()), createdAt: try columns.timestamp(),
            expiresAt: try columns.timestamp(), revokedAt: try columns.optionalTimestamp(),
            lastUsedDay: try columns.optionalInteger())
    }
}
