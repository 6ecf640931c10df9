package import BenjiProtocol
package import Store

extension TableStore {
    package func createApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
        let codes = rowCodes
        try await write("create app", locks: [.orders, .masterKeys.shared]) { db in
            try AppRows.insert(app, codes, db)
            try AuditRows.insert(audit, codes, db)
        }
    }

    package func updateApp(_ app: AppRecord, event: OutboxEvent?, audit: AuditEntry?) async throws(StoreError) {
        let codes = rowCodes
        try await write("update app", locks: [.orders, .masterKeys.shared]) { db in
            try AppRows.replace(app, codes, db)
            if let event { try OutboxRows.insert(event, db) }
            try AuditRows.insert(audit, codes, db)
        }
    }

    package func eraseApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
        let codes = rowCodes
        try await write("erase app", locks: [.orders, .masterKeys.shared]) { db in
            try AppRows.replace(app, codes, db)
            try OpenIDRows.remove(app.id, db)
            try db.run("DELETE FROM page_submission WHERE app = $1", app.id.rawValue)
            try db.run("DELETE FROM outbox WHERE app = $1", app.id.rawValue)
            try db.run("DELETE FROM attested_key WHERE app = $1", app.id.rawValue)
            try AuditRows.insert(audit, codes, db)
        }
    }

    package func app(_ id: AppID) async throws(StoreError) -> AppRecord? {
        let codes = rowCodes
        return try await read("read app") { db in
            try AppRows.find("WHERE id = $1", id.rawValue, in: db, checking: codes).first
        }
    }

    package func appRevision(_ id: AppID) async throws(StoreError) -> Int64? {
        try await readOne("read app's revision") { db in
            try db.row("SELECT revision FROM app WHERE id = $1", of: "app", id.rawValue) { try $0.integer() }
        }
    }

    package func apps() async throws(StoreError) -> [AppRecord] {
        let codes = rowCodes
        return try await read("list apps") { db in
            try AppRows.find("ORDER BY id", in: db, checking: codes)
        }
    }

    package func appsToErase(at moment: Timestamp) async throws(StoreError) -> [AppID] {
        try await read("list apps to erase") { db in
            try db.rows(
                """
                SELECT id FROM app
                WHERE deleted_after <= $1 AND EXISTS (SELECT 1 FROM app_key WHERE app_key.app = app.id) ORDER BY id
                """, of: "app", moment.milliseconds
            ) { columns in try columns.raw() }
        }
    }

    package func app(withSourceID sourceID: String) async throws(StoreError) -> AppRecord? {
        let codes = rowCodes
        return try await read("read app by source id") { db in
            // The app's own row decides, which has a code; the other table is its index.
            try AppRows.find(
                "WHERE id = (SELECT app FROM app_source WHERE source_id = $1)", sourceID, in: db, checking: codes
            ).first { $0.sourceIDs.contains(sourceID) }
        }
    }

    package func noteKeyUsages(_ usages: [AppKeyUsage]) async throws(StoreError) {
        try await write("note key usages", locks: []) { db in
            // In the order of the rows, so that two who note do not wait for each other.
            for usage in usages.sorted(by: {
                ($0.appID.rawValue, $0.use, $0.version) < ($1.appID.rawValue, $1.use, $1.version)
            }) {
                try db.run(
                    """
                    INSERT INTO app_key_usage (app, use, version, day) VALUES ($1,$2,$3,$4)
                    ON CONFLICT (app, use, version) DO UPDATE SET day = excluded.day
                        WHERE app_key_usage.day < excluded.day
                    """, usage.appID.rawValue, usage.use.rawValue, usage.version, usage.day)
            }
        }
    }

    package func keyUsages(of app: AppID) async throws(StoreError) -> [AppKeyUsage] {
        try await read("read key usages") { db in
            try db.rows(
                "SELECT use, version, day FROM app_key_usage WHERE app = $1 ORDER BY use, version",
                of: "app_key_usage", app.rawValue
            ) { columns in
                AppKeyUsage(
                    appID: app, use: try columns.raw(), version: try columns.integer(), day: try columns.integer())
            }
        }
    }
}
