import BenjiProtocol
package import Store

extension TableStore {
    package func createAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) {
        try await write("create admin", locks: [.orders]) { db in
            try AdminRows.insert(record, db)
            try AuditRows.insert(audit, db)
        }
    }

    package func updateAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await write("update admin", locks: [.orders]) { db in
            let isSame = try db.hasRow(
                "SELECT 1 FROM admin WHERE name = $1 AND credential = $2", record.name, record.credential.bytes)
            if !isSame || record.revokedAt != nil { try ConsoleRows.end(record.name, db) }
            // Apps come and go by ``createApp(_:of:atMost:audit:)`` and ``changeTeam(_:audit:)`` alone, also while this record was out.
            let changed = try db.run(
                """
                UPDATE admin SET (role, sees_numbers, kind, credential, created_at, expires_at, revoked_at)
                    = ($1,$2,$3,$4,$5,$6,$7) WHERE name = $8
                """, record.role, record.seesNumbers, record.kind.rawValue, record.credential.bytes,
                record.createdAt.milliseconds, record.expiresAt.milliseconds,
                record.revokedAt?.milliseconds, record.name)
            guard changed == 1 else { return false }
            try AuditRows.insert(audit, db)
            return true
        }
    }

    package func createApp(
        _ app: AppRecord, of admin: String, atMost limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await write("create app", locks: [.orders, .masterKeys.shared]) { db in
            let found = try db.row(
                "SELECT \(AdminRows.columns) FROM admin WHERE name = $1 AND revoked_at IS NULL", of: "admin", admin,
                read: AdminRows.decode)
            guard var record = found else { return false }
            let kept = try db.row(
                """
                SELECT count(*) FROM app WHERE id IN (SELECT value FROM \(Transaction.elements(of: "$1")))
                    AND (deleted_after IS NULL OR deleted_after > $2)
                """, of: "app", try AdminRows.apps(record), app.createdAt.milliseconds
            ) { try $0.integer(Int.self) }
            guard kept ?? 0 < limit else { return false }
            record.apps.insert(app.id)
            try AppRows.insert(app, db)
            try AppRows.insertParts(of: app, db)
            try db.run("UPDATE admin SET apps = $1 WHERE name = $2", try AdminRows.apps(record), admin)
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
        try await read("read admin") { db in try AdminRows.find(name, db) }
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

enum AdminRows {
    static let columns =
        "name, role, apps, sees_numbers, kind, credential, created_at, expires_at, revoked_at, last_used_day"

    static func apps(_ record: AdminRecord) throws -> String { try record.apps.map(\.rawValue).sorted().json }

    static func insert(_ record: AdminRecord, _ db: some StatementRunner) throws {
        try db.run(
            """
            INSERT INTO admin (name, role, apps, sees_numbers, kind, credential, created_at, expires_at, revoked_at,
                last_used_day)
            VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)
            """, record.name, record.role, try apps(record), record.seesNumbers, record.kind.rawValue,
            record.credential.bytes, record.createdAt.milliseconds, record.expiresAt.milliseconds,
            record.revokedAt?.milliseconds, record.lastUsedDay)
    }

    static func find(_ name: String, _ db: some StatementRunner) throws -> AdminRecord? {
        try db.row("SELECT \(columns) FROM admin WHERE name = $1", of: "admin", name, read: decode)
    }

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
