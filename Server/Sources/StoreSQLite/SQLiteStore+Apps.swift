package import BenjiProtocol
import GRDB
package import Store

extension SQLiteStore {
    package func createApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
        try await write("create app") { db in
            try AppRows.insert(app, db)
            try AppRows.insertParts(of: app, db)
            try AuditRows.insert(audit, db)
        }
    }

    package func updateApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
        try await write("update app") { db in
            try AppRows.replace(app, db)
            try AuditRows.insert(audit, db)
        }
    }

    package func eraseApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
        try await write("erase app") { db in
            try AppRows.replace(app, db)
            try OpenIDRows.remove(app.id, db)
            try db.run("DELETE FROM page_submission WHERE app = ?", app.id.rawValue)
            try AuditRows.insert(audit, db)
        }
    }

    package func app(_ id: AppID) async throws(StoreError) -> AppRecord? {
        try await read("read app") { db in
            var app = try db.row(
                "SELECT \(AppRows.readColumns) FROM app WHERE id = ?", of: "app", id.rawValue, read: AppRows.decode)
            app?.keys = try AppRows.keys(of: id, db)
            return app
        }
    }

    package func apps() async throws(StoreError) -> [AppRecord] {
        try await read("list apps") { db in
            try db.rows("SELECT \(AppRows.readColumns) FROM app ORDER BY id", of: "app", read: AppRows.decode).map {
                var app = $0
                app.keys = try AppRows.keys(of: app.id, db)
                return app
            }
        }
    }

    package func appsToErase(at moment: Timestamp) async throws(StoreError) -> [AppID] {
        try await read("list apps to erase") { db in
            try db.rows(
                """
                SELECT id FROM app
                WHERE deleted_after <= ? AND EXISTS (SELECT 1 FROM app_key WHERE app_key.app = app.id) ORDER BY id
                """, of: "app", moment.milliseconds
            ) { columns in try columns.raw() }
        }
    }

    package func app(withSourceID sourceID: String) async throws(StoreError) -> AppRecord? {
        try await read("read app by source id") { db in
            var app = try db.row(
                "SELECT \(AppRows.readColumns) FROM app WHERE id = (SELECT app FROM app_source WHERE source_id = ?)",
                of: "app", sourceID, read: AppRows.decode)
            if let id = app?.id { app?.keys = try AppRows.keys(of: id, db) }
            return app
        }
    }

    package func noteKeyUsages(_ usages: [AppKeyUsage]) async throws(StoreError) {
        try await write("note key usages") { db in
            for usage in usages {
                try db.run(
                    """
                    INSERT INTO app_key_usage (app, use, version, day) VALUES (?,?,?,?)
                    ON CONFLICT (app, use, version) DO UPDATE SET day = max(day, excluded.day)
                    """, usage.appID.rawValue, usage.use.rawValue, usage.version, usage.day)
            }
        }
    }

    package func keyUsages(of app: AppID) async throws(StoreError) -> [AppKeyUsage] {
        try await read("read key usages") { db in
            try db.rows(
                "SELECT use, version, day FROM app_key_usage WHERE app = ? ORDER BY use, version",
                of: "app_key_usage", app.rawValue
            ) { columns in
                AppKeyUsage(
                    appID: app, use: try columns.raw(), version: try columns.integer(), day: try columns.integer())
            }
        }
    }
}

enum AppRows {
    private static let columns = """
        id, name, suspended, allowed, capabilities, bundle_ids, server_addresses, rsa_public_key, \
        sign_algorithm, daily_quota, least_assurance, attesters, scrip_lifetime, token_lifetime, request_time_tolerance, \
        legacy_number_without_page, approved_content, source_ids, created_at, phones_without_key, \
        unsigned_requests, openid_from_anywhere, deleted_after, requires_page_review
        """
    static let readColumns = columns + ", revision"

    private static let values = (1...24).map { "?\($0)" }.joined(separator: ",")

    /// False if the app has another revision by now than a request was judged by; `nil` is whichever there is.
    static func isApp(_ id: AppID, at revision: Int64?, _ db: Database) throws -> Bool {
        guard let revision else { return true }
        return try db.hasRow("SELECT 1 FROM app WHERE id = ? AND revision = ?", id.rawValue, revision)
    }

    static func insert(_ app: AppRecord, _ db: Database) throws {
        try write("INSERT INTO app (\(columns)) VALUES (\(values))", app, db)
    }

    private static func update(_ app: AppRecord, _ db: Database) throws -> Int {
        // The id is both set, to itself, and looked for.
        try write(
            """
            UPDATE app SET (\(columns)) = (\(values)), revision = revision + 1 WHERE id = ?1 AND revision = ?25
            """, app, db, app.revision)
    }

    /// - Throws: ``StoreError`` if there is no such app, or if it is at another revision.
    static func replace(_ app: AppRecord, _ db: Database) throws {
        guard try update(app, db) == 1 else {
            guard try db.hasRow("SELECT 1 FROM app WHERE id = ?", app.id.rawValue) else {
                throw StoreError(.notFound, "update app: no such app")
            }
            throw StoreError(.outdated, "update app: it was changed since it was read")
        }
        try db.run("DELETE FROM app_source WHERE app = ?", app.id.rawValue)
        try db.run("DELETE FROM app_key WHERE app = ?", app.id.rawValue)
        try insertParts(of: app, db)
    }

    /// What stands in tables of its own.
    static func insertParts(of app: AppRecord, _ db: Database) throws {
        for source in app.sourceIDs {
            try db.run("INSERT INTO app_source (source_id, app) VALUES (?, ?)", source, app.id.rawValue)
        }
        for key in app.keys {
            try MasterKeyRows.check(key.sealed, db)
            try db.run(
                """
                INSERT INTO app_key (app, use, version, sealed_key, created_at, accepted_until, in_package)
                VALUES (?,?,?,?,?,?,?)
                """, app.id.rawValue, key.use.rawValue, key.version, key.sealed.bytes, key.createdAt?.milliseconds,
                key.acceptedUntil?.milliseconds, key.isInPackage)
        }
    }

    static func keys(of app: AppID, _ db: Database) throws -> [AppKeyRecord] {
        try db.rows(
            """
            SELECT use, version, sealed_key, created_at, accepted_until, in_package FROM app_key WHERE app = ?
            ORDER BY use, version DESC
            """, of: "app_key", app.rawValue
        ) { columns in
            AppKeyRecord(
                use: try columns.raw(), version: try columns.integer(), sealed: Sealed(bytes: try columns.bytes()),
                createdAt: try columns.optionalTimestamp(), acceptedUntil: try columns.optionalTimestamp(),
                isInPackage: try columns.bool())
        }
    }

    @discardableResult
    private static func write<each Value: BoundValue>(
        _ sql: String, _ app: AppRecord, _ db: Database, _ more: repeat each Value
    ) throws -> Int {
        try db.run(
            sql, app.id.rawValue, app.name, app.suspended, app.allowed,
            try app.capabilities.map(\.rawValue).sorted().json, try app.bundleIDs.json, try app.serverAddresses.json,
            app.rsaPublicKey, app.signAlgorithm.rawValue, app.dailyQuota, app.leastAssurance.rawValue,
            try app.attesters.json, app.scripLifetime, app.tokenLifetime, app.requestTimeTolerance,
            app.legacyNumberWithoutPage, try app.approvedContent.json, try app.sourceIDs.json,
            app.createdAt.milliseconds, app.phonesWithoutKey, app.unsignedRequests,
            app.openIDFromAnywhere, app.deletedAfter?.milliseconds, app.requiresPageReview, repeat each more)
    }

    static func decode(_ columns: inout ColumnReader) throws -> AppRecord {
        var app = AppRecord(
            id: try columns.raw(), name: try columns.text(), keys: [], suspended: try columns.bool(),
            allowed: try columns.bool(),
            capabilities: try Set(
                columns.texts().map { text in
                    guard let capability = Capability(rawValue: text) else {
                        throw DamagedRow(column: "app.capabilities")
                    }
                    return capability
                }),
            bundleIDs: try columns.texts(), serverAddresses: try columns.texts(),
            rsaPublicKey: try columns.optionalText(),
            signAlgorithm: try columns.raw(), dailyQuota: try columns.optionalInteger(),
            leastAssurance: try columns.raw(),
            attesters: try columns.texts(), scripLifetime: try columns.optionalInteger(),
            tokenLifetime: try columns.optionalInteger(),
            requestTimeTolerance: try columns.optionalInteger(), legacyNumberWithoutPage: try columns.bool(),
            approvedContent: try columns.texts(), sourceIDs: try columns.texts(), createdAt: try columns.timestamp())
        // In the order of the columns, which is that of their versions.
        app.phonesWithoutKey = try columns.bool()
        app.unsignedRequests = try columns.bool()
        app.openIDFromAnywhere = try columns.bool()
        app.deletedAfter = try columns.optionalTimestamp()
        app.requiresPageReview = try columns.bool()
        app.revision = try columns.integer()
        return app
    }
}
