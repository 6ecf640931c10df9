import GRDB
import Store

/// The file's format, and the migration of older files.
enum Schema {
    /// "Benj", at offset 68 of the file, where `file(1)` and a hex editor show it.
    static let applicationID: Int32 = 0x4265_6e6a

    /// The steps of the schema, oldest first. A step that has been released is never edited: a change is another step.
    static let steps: [(step: SchemaStep, script: [UInt8])] = [
        (SchemaStep(version: "v1", summary: "creates the tables"), PackageResources.tables_sql),
        (
            SchemaStep(version: "v2", summary: "protects evidence from changes and deletion"),
            PackageResources.evidence_sql
        ),
    ]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (step, script) in steps {
            migrator.registerMigration(step.version) { db in
                try db.execute(sql: "PRAGMA application_id = \(applicationID)")
                try db.execute(sql: String(decoding: script, as: UTF8.self))
            }
        }
        return migrator
    }

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
