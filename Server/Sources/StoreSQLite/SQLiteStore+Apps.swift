public import BenjiProtocol
import GRDB
public import Store

extension SQLiteStore {
    public func createApp(_ app: AppRecord) async throws(StoreError) {
        try await write("create app") { db in
            try AppRows.insert(app, db)
            try AppRows.insertSources(of: app, db)
        }
    }

    public func updateApp(_ app: AppRecord) async throws(StoreError) {
        try await write("update app") { db in
            guard try AppRows.update(app, db) == 1 else { throw StoreError(.notFound, "update app: no such app") }
            try db.run("DELETE FROM app_source WHERE app = ?", app.id.rawValue)
            try AppRows.insertSources(of: app, db)
        }
    }

    public func app(_ id: AppID) async throws(StoreError) -> AppRecord? {
        try await read("read app") { db in
            try db.row(
                "SELECT \(AppRows.readColumns) FROM app WHERE id = ?", of: "app", id.rawValue, read: AppRows.decode)
        }
    }

    public func apps() async throws(StoreError) -> [AppRecord] {
        try await read("list apps") { db in
            try db.rows("SELECT \(AppRows.readColumns) FROM app ORDER BY id", of: "app", read: AppRows.decode)
        }
    }

    public func app(withSourceID sourceID: String) async throws(StoreError) -> AppRecord? {
        try await read("read app by source id") { db in
            try db.row(
                "SELECT \(AppRows.readColumns) FROM app WHERE id = (SELECT app FROM app_source WHERE source_id = ?)",
                of: "app", sourceID, read: AppRows.decode)
        }
    }
}

private enum AppRows {
    private static let columns = """
        id, name, sealed_key, key_version, suspended, allowed, capabilities, bundle_ids, server_addresses, rsa_public_key, \
        sign_algorithm, daily_quota, least_assurance, attesters, scrip_lifetime, token_lifetime, request_time_tolerance, \
        legacy_number_without_page, approved_content, source_ids, created_at, phones_without_key, \
        unsigned_requests
        """
    static let readColumns = columns + ", revision"

    private static let values = (1...23).map { "?\($0)" }.joined(separator: ",")

    static func insert(_ app: AppRecord, _ db: Database) throws {
        try write("INSERT INTO app (\(columns)) VALUES (\(values))", app, db)
    }

    static func update(_ app: AppRecord, _ db: Database) throws -> Int {
        // As many values as columns; the id is both set, to itself, and looked for.
        try write("UPDATE app SET (\(columns)) = (\(values)), revision = revision + 1 WHERE id = ?1", app, db)
    }

    static func insertSources(of app: AppRecord, _ db: Database) throws {
        for source in app.sourceIDs {
            try db.run("INSERT INTO app_source (source_id, app) VALUES (?, ?)", source, app.id.rawValue)
        }
    }

    @discardableResult
    private static func write(_ sql: String, _ app: AppRecord, _ db: Database) throws -> Int {
        try db.run(
            sql, app.id.rawValue, app.name, app.sealedKey.bytes, app.keyVersion, app.suspended, app.allowed,
            try app.capabilities.map(\.rawValue).sorted().json, try app.bundleIDs.json, try app.serverAddresses.json,
            app.rsaPublicKey, app.signAlgorithm.rawValue, app.dailyQuota, app.leastAssurance.rawValue,
            try app.attesters.json, app.scripLifetime, app.tokenLifetime, app.requestTimeTolerance,
            app.legacyNumberWithoutPage, try app.approvedContent.json, try app.sourceIDs.json,
            app.createdAt.milliseconds, app.phonesWithoutKey, app.unsignedRequests)
    }

    static func decode(_ columns: inout ColumnReader) throws -> AppRecord {
        var app = AppRecord(
            id: try columns.raw(), name: try columns.text(), sealedKey: Sealed(bytes: try columns.bytes()),
            keyVersion: try columns.integer(), suspended: try columns.bool(), allowed: try columns.bool(),
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
        app.revision = try columns.integer()
        return app
    }
}
