import BenjiProtocol
package import Store

extension TableStore {
    package func createAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) {
        let codes = rowCodes
        try await write("create admin", locks: [.orders]) { db in
            try AdminRows.insert(record, codes, db)
            try AuditRows.insert(audit, codes, db)
        }
    }

    package func updateAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) -> Bool {
        let codes = rowCodes
        return try await write("update admin", locks: [.orders]) { db in
            guard let present = try AdminRows.find(record.name, codes, db) else { return false }
            if present.credential != record.credential || record.revokedAt != nil {
                try ConsoleRows.end(record.name, db)
            }
            // Apps come and go by ``createApp(_:of:atMost:audit:)`` and ``changeTeam(_:audit:)`` alone, also while this
            // record was out.
            var changed = record
            changed.apps = present.apps
            try AdminRows.update(changed, codes, db)
            try AuditRows.insert(audit, codes, db)
            return true
        }
    }

    package func createApp(
        _ app: AppRecord, of admin: String, atMost limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        let codes = rowCodes
        return try await write("create app", locks: [.orders, .masterKeys.shared]) { db in
            guard var record = try AdminRows.find(admin, codes, db), record.revokedAt == nil else { return false }
            let kept = try db.row(
                """
                SELECT count(*) FROM app WHERE id IN (SELECT value FROM \(Transaction.elements(of: "$1")))
                    AND (deleted_after IS NULL OR deleted_after > $2)
                """, of: "app", try AdminRows.apps(record), app.createdAt.milliseconds
            ) { try $0.integer(Int.self) }
            guard kept ?? 0 < limit else { return false }
            record.apps.insert(app.id)
            try AppRows.insert(app, codes, db)
            try AdminRows.update(record, codes, db)
            try AuditRows.insert(audit, codes, db)
            return true
        }
    }

    package func admins() async throws(StoreError) -> [AdminRecord] {
        let codes = rowCodes
        return try await read("read admins") { db in
            try db.rows("SELECT \(AdminRows.columns) FROM admin ORDER BY name", of: "admin") {
                try AdminRows.decode(&$0, codes)
            }.compactMap { $0 }
        }
    }

    package func admin(named name: String) async throws(StoreError) -> AdminRecord? {
        let codes = rowCodes
        return try await read("read admin") { db in try AdminRows.find(name, codes, db) }
    }

    package func admin(_ credential: CredentialHash) async throws(StoreError) -> AdminRecord? {
        let codes = rowCodes
        return try await read("read admin") { db in
            try db.row(
                "SELECT \(AdminRows.columns) FROM admin WHERE credential = $1", of: "admin", credential.bytes
            ) { try AdminRows.decode(&$0, codes) } ?? nil
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
    static let columns = """
        name, role, apps, sees_numbers, kind, credential, created_at, expires_at, revoked_at, last_used_day, mac
        """

    static func apps(_ record: AdminRecord) throws -> String { try record.apps.map(\.rawValue).sorted().json }

    /// The values that a code covers: all but the day of last use, which no order changes. See ``RowCodes/code(of:_:)``
    /// before you change it.
    private static func values(of record: AdminRecord) throws -> [any SQLArgument] {
        [
            record.name, record.role, try apps(record), record.seesNumbers, record.kind.rawValue,
            record.credential.bytes, record.createdAt.milliseconds, record.expiresAt.milliseconds,
            record.revokedAt?.milliseconds,
        ]
    }

    private static func code(of record: AdminRecord, _ codes: RowCodes) throws -> [UInt8]? {
        codes.code(of: "admin", try values(of: record))
    }

    static func insert(_ record: AdminRecord, _ codes: RowCodes, _ db: some StatementRunner) throws {
        try db.run(
            """
            INSERT INTO admin (\(columns)) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)
            """, record.name, record.role, try apps(record), record.seesNumbers, record.kind.rawValue,
            record.credential.bytes, record.createdAt.milliseconds, record.expiresAt.milliseconds,
            record.revokedAt?.milliseconds, record.lastUsedDay, try code(of: record, codes))
    }

    /// Replaces all but when the admin was here last.
    static func update(_ record: AdminRecord, _ codes: RowCodes, _ db: some StatementRunner) throws {
        try db.run(
            """
            UPDATE admin SET (role, apps, sees_numbers, kind, credential, created_at, expires_at, revoked_at, mac)
                = ($1,$2,$3,$4,$5,$6,$7,$8,$9) WHERE name = $10
            """, record.role, try apps(record), record.seesNumbers, record.kind.rawValue, record.credential.bytes,
            record.createdAt.milliseconds, record.expiresAt.milliseconds, record.revokedAt?.milliseconds,
            try code(of: record, codes), record.name)
    }

    static func find(_ name: String, _ codes: RowCodes, _ db: some StatementRunner) throws -> AdminRecord? {
        try db.row("SELECT \(columns) FROM admin WHERE name = $1", of: "admin", name) {
            try decode(&$0, codes)
        } ?? nil
    }

    /// - Returns: `nil` for a row that is refused.
    static func decode(_ columns: inout some Columns, _ codes: RowCodes) throws -> AdminRecord? {
        let (record, code) = try decodeUnchecked(&columns)
        if try wasRevokedWithoutCode(record, code, codes) { return record }
        return codes.accepts(code, of: "admin", id: record.name, try values(of: record)) ? record : nil
    }

    /// Whether the code is that of the same admin before the revocation: a restoration revokes without codes.
    private static func wasRevokedWithoutCode(
        _ record: AdminRecord, _ code: [UInt8]?, _ codes: RowCodes
    ) throws -> Bool {
        guard record.revokedAt != nil, codes.isInUse else { return false }
        var before = record
        before.revokedAt = nil
        return codes.matches(code, of: "admin", try values(of: before))
    }

    private static func decodeUnchecked(_ columns: inout some Columns) throws -> (record: AdminRecord, code: [UInt8]?) {
        let record = AdminRecord(
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
        return (record: record, code: try columns.optionalBytes())
    }

    /// The admins who were revoked without codes. An earlier copy of their rows has a valid code, so they get new ones.
    static func revokedWithoutCode(_ codes: RowCodes, _ db: some StatementRunner) throws -> [AdminRecord] {
        try db.rows("SELECT \(columns) FROM admin WHERE revoked_at IS NOT NULL", of: "admin") {
            columns -> AdminRecord? in
            let (record, code) = try decodeUnchecked(&columns)
            return try wasRevokedWithoutCode(record, code, codes) ? record : nil
        }.compactMap { $0 }
    }

    /// Gives a row its code.
    static func seal(_ record: AdminRecord, _ codes: RowCodes, _ db: some StatementRunner) throws {
        try db.run("UPDATE admin SET mac = $1 WHERE name = $2", try code(of: record, codes), record.name)
    }

    /// A row as it is. Its session and password of the console have codes of their own.
    static func toSeal(_ name: String, _ codes: RowCodes, _ db: some StatementRunner) throws -> RowToSeal? {
        try db.row("SELECT \(columns) FROM admin WHERE name = $1", of: "admin", name) { columns -> RowToSeal in
            let (record, code) = try decodeUnchecked(&columns)
            let values = try values(of: record)
            return RowToSeal(
                table: .admin, id: name, values: RowToSeal.Value.named(coveredNames, partNames: [""], values),
                isValid: codes.matches(code, of: "admin", values), digest: codes.digest(of: "admin", values))
        }
    }

    private static let coveredNames = [
        "name", "role", "apps", "sees_numbers", "kind", "credential", "created_at", "expires_at", "revoked_at",
    ]

    /// Gives every row its code.
    /// - Returns: how many there are.
    static func seal(_ codes: RowCodes, _ db: some StatementRunner) throws -> Int {
        let unchecked = RowCodes()
        let records = try db.rows("SELECT \(columns) FROM admin", of: "admin") { try decode(&$0, unchecked) }
        for case let record? in records { try seal(record, codes, db) }
        return records.count
    }
}
