import GRDB
package import Store

extension SQLiteStore {
    package func masterKeyCheck() async throws(StoreError) -> MasterKeyCheck? {
        try await read("read master key check") { db in try MasterKeyRows.find(db) }
    }

    package func keepMasterKeyCheck(_ check: MasterKeyCheck) async throws(StoreError) -> MasterKeyCheck {
        try await write("keep master key check") { db in
            try db.run(
                "INSERT INTO master_key (id, check_value) VALUES (1, ?) ON CONFLICT (id) DO NOTHING", check.bytes)
            guard let kept = try MasterKeyRows.find(db) else {
                throw StoreError(.corrupt, "keep master key check: it is not there after it was written")
            }
            return kept
        }
    }
}

private enum MasterKeyRows {
    static func find(_ db: Database) throws -> MasterKeyCheck? {
        try db.row("SELECT check_value FROM master_key WHERE id = 1", of: "master_key") { columns in
            MasterKeyCheck(bytes: try columns.bytes())
        }
    }
}
