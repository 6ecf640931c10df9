import GRDB
import Store

/// The file's format: which file is ours, and how an older one is brought forward.
enum Schema {
    /// "Benj", at offset 68 of the file: `file(1)` and a person with a hex editor can tell whose it is.
    static let applicationID: Int32 = 0x4265_6e6a

    /// A migration that has been released is never edited: the next change is the next version.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: version1)
        }
        migrator.registerMigration("v2") { db in
            // A redemption compares it, so that a process may remember apps.
            try db.execute(sql: "ALTER TABLE app ADD COLUMN revision INTEGER NOT NULL DEFAULT 1")
        }
        migrator.registerMigration("v3") { db in
            // Apps of vendors whose SDK gets no key, and whose servers know a form without a sign.
            for column in ["phones_without_key", "unsigned_requests"] {
                try db.execute(
                    sql: "ALTER TABLE app ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0 CHECK (\(column) IN (0, 1))")
            }
        }
        migrator.registerMigration("v4") { db in try db.execute(sql: openID) }
        migrator.registerMigration("v5") { db in
            for sql in [camara, face, openIDMedia] { try db.execute(sql: sql) }
        }
        migrator.registerMigration("v6") { db in for sql in version6 { try db.execute(sql: sql) } }
        migrator.registerMigration("v7") { db in try db.execute(sql: ledgerSums) }
        migrator.registerMigration("v8") { db in try db.execute(sql: rowCodes) }
        migrator.registerMigration("v9") { db in try db.execute(sql: evidenceMarks) }
        migrator.registerMigration("v10") { db in try db.execute(sql: logHeads) }
        return migrator
    }

    /// Version 6: one entry a subject. Later changes are versions of their own.
    private static let version6: [String] = [
        openIDFrames, limits, faceStanding, masterKey, appKeys, audit, traceLogins, consentContent, erasures, retention,
        admin,
        pageReviews,
        policies, tokenOrder, gatewayPairs, smsCodes,
        callbacks, workflow, contracts, smsUpstream, owners, loginCounts, console, openIDProfiles, attestedKeys,
        rememberedConsents, log, consolePhones, clientCertificates, backchannel,
    ]

    /// Refuses a file that is not a store, or one of a later version, before anything is written to it.
    static func refuseForeign(_ db: Database) throws {
        let found = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM sqlite_master
                WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'grdb_migrations'
                """)
        guard found == applicationID || (found == 0 && tables == 0) else {
            throw StoreError(.corrupt, "open: the file is a database, but not one of Benji's")
        }
        if try migrator.hasBeenSuperseded(db) {
            let newest = migrator.migrations.last ?? "none"
            throw StoreError(
                .corrupt, "open: the file was written by a newer Benji; this one knows the schema up to \(newest)")
        }
    }
}
