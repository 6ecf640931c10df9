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
            try db.run("DELETE FROM app_source WHERE app = ?", [app.id.rawValue])
            try AppRows.insertSources(of: app, db)
        }
    }

    public func app(_ id: AppID) async throws(StoreError) -> AppRecord? {
        try await read("read app") { db in
            try db.row("SELECT \(AppRows.columns) FROM app WHERE id = ?", [id.rawValue]).map(AppRows.decode)
        }
    }

    public func apps() async throws(StoreError) -> [AppRecord] {
        try await read("list apps") { db in
            try db.rows("SELECT \(AppRows.columns) FROM app ORDER BY id", []).map(AppRows.decode)
        }
    }

    public func app(withSourceID sourceID: String) async throws(StoreError) -> AppRecord? {
        try await read("read app by source id") { db in
            try db.row(
                "SELECT \(AppRows.columns) FROM app WHERE id = (SELECT app FROM app_source WHERE source_id = ?)",
                [sourceID]
            ).map(AppRows.decode)
        }
    }
}

private enum AppRows {
    static let columns = """
        id, name, sealed_key, key_version, suspended, allowed, capabilities, bundle_ids, server_addresses, rsa_public_key, \
        sign_algorithm, daily_quota, least_assurance, attesters, scrip_lifetime, token_lifetime, request_time_tolerance, \
        legacy_number_without_page, approved_content, source_ids, created_at
        """

    static func insert(_ app: AppRecord, _ db: Database) throws {
        try db.run(
            "INSERT INTO app (\(columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", arguments(app))
    }

    static func update(_ app: AppRecord, _ db: Database) throws -> Int {
        // As many values as columns; the id is both set, to itself, and looked for.
        try db.run(
            "UPDATE app SET (\(columns)) = (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21) WHERE id = ?1",
            arguments(app))
    }

    static func insertSources(of app: AppRecord, _ db: Database) throws {
        for source in app.sourceIDs {
            try db.run("INSERT INTO app_source (source_id, app) VALUES (?, ?)", [source, app.id.rawValue])
        }
    }

    private static func arguments(_ app: AppRecord) throws -> StatementArguments {
        [
            app.id.rawValue, app.name, app.sealedKey.bytes.blob, app.keyVersion, app.suspended, app.allowed,
            try app.capabilities.map(\.rawValue).sorted().json, try app.bundleIDs.json, try app.serverAddresses.json,
            app.rsaPublicKey, app.signAlgorithm.rawValue, app.dailyQuota, app.leastAssurance.rawValue,
            try app.attesters.json, app.scripLifetime, app.tokenLifetime, app.requestTimeTolerance,
            app.legacyNumberWithoutPage, try app.approvedContent.json, try app.sourceIDs.json,
            app.createdAt.milliseconds,
        ]
    }

    static func decode(_ row: Row) throws -> AppRecord {
        var columns = ColumnReader(row, of: "app")
        return AppRecord(
            id: try columns.raw(), name: try columns.value(), sealedKey: Sealed(bytes: try columns.bytes()),
            keyVersion: try columns.value(), suspended: try columns.value(), allowed: try columns.value(),
            capabilities: try Set(
                columns.texts().map { text in
                    guard let capability = Capability(rawValue: text) else {
                        throw DamagedRow(column: "app.capabilities")
                    }
                    return capability
                }),
            bundleIDs: try columns.texts(), serverAddresses: try columns.texts(), rsaPublicKey: try columns.optional(),
            signAlgorithm: try columns.raw(), dailyQuota: try columns.optional(), leastAssurance: try columns.raw(),
            attesters: try columns.texts(), scripLifetime: try columns.optional(),
            tokenLifetime: try columns.optional(),
            requestTimeTolerance: try columns.optional(), legacyNumberWithoutPage: try columns.value(),
            approvedContent: try columns.texts(), sourceIDs: try columns.texts(), createdAt: try columns.timestamp())
    }
}
