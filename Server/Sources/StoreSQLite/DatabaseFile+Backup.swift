import BenjiProtocol
import Foundation
import GRDB
import Store
import StoreRows

/// Copies of a database file, and their contents.
extension DatabaseFile {
    /// Pages that are copied between two reports of progress: 4 MiB.
    private static let pagesPerStep: CInt = 1024
    /// How far a restored store counts on: more rows than there are telephone numbers.
    private static let skippedRowNumbers: Int64 = 1 << 32

    /// Copies the state that is committed now into the empty file `draft`. Other processes read and write meanwhile:
    /// one read transaction of the write-ahead log holds the state still. The copy is one file without companions; it
    /// is not synced.
    static func copy(_ path: String, to draft: String, progress: (Double) -> Void) throws(StoreError) {
        do {
            // A file that is not ours must not be changed by opening it.
            let look = try look(at: path)
            do {
                defer { try? look.close() }
                try look.read(Schema.refuseForeign)
            }
            try WriteAheadLog.makeSafe(ofDatabase: path)
            let source = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? source.close() }
            // The copy needs no journal: it is not used before it has been verified and synced.
            var fast = configuration
            fast.prepareDatabase { db in try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
            let target = try DatabaseQueue(path: draft, configuration: fast)
            defer { try? target.close() }
            try source.inDatabase { from in
                try from.inTransaction(.deferred) {
                    // The first read decides which state the transaction sees.
                    _ = try Row.fetchOne(from, sql: "SELECT 1 FROM sqlite_schema")
                    try withoutActuallyEscaping(progress) { progress in
                        try target.inDatabase { to in
                            try from.backup(to: to, pagesPerStep: pagesPerStep) { step in
                                progress(Double(step.completedPageCount) / Double(max(step.totalPageCount, 1)))
                            }
                        }
                    }
                    return .commit
                }
            }
            // The copied header asks for a write-ahead log, which a file at rest does not need.
            try target.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
        } catch { throw StoreError(error, during: "copy \(path)") }
    }

    /// The contents of a file. It must be a store of this version or an earlier one.
    static func contents(_ path: String) throws(StoreError) -> StoreContents {
        let look = try look(at: path)
        do {
            defer { try? look.close() }
            return try look.read { db in
                try Schema.refuseForeign(db)
                guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID,
                    let version = try Schema.migrator.completedMigrations(db).last
                else { throw StoreError(.corrupt, "look: the file is empty") }
                func count(_ table: String) throws -> Int {
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
                }
                return StoreContents(
                    schema: version, apps: try count("app"), subscriptions: try count("subscription"),
                    ledgerLines: try count("ledger"),
                    lastLedgerLine: try Int64.fetchOne(db, sql: "SELECT at FROM ledger ORDER BY id DESC LIMIT 1")
                        .map { .init(milliseconds: $0) },
                    lastSeen: try Int64.fetchOne(db, sql: "SELECT max(last_seen_at) FROM subscription")
                        .map { .init(milliseconds: $0) })
            }
        } catch { throw StoreError(error, during: "look at \(path)") }
    }

    /// Makes a copy fit to be served after a time that it knows nothing of.
    ///
    /// Tokens and codes that were unspent when it was made may have been spent or revoked since, so all of them end.
    /// Row numbers that were given out since may still be in a gateway's memory, so they are never given out again.
    static func prepareForReturn(_ path: String, audit: AuditEntry?) throws(StoreError) {
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            try queue.write { db in
                // Without the master key no row gets a code. A revoked admin needs none, and the line is after the
                // mark.
                try AuditRows.insert(audit, RowCodes(), db)
                try db.execute(sql: "UPDATE scrip SET revoked = 1 WHERE revoked = 0")
                for table in ["token", "openid_credential"] {
                    // Deleted, not revoked. The consent to a credential that ends unspent is deleted, and this
                    // credential may have been redeemed since. So the consent stays.
                    try db.execute(sql: "DELETE FROM \(table) WHERE spent_at IS NULL AND revoked = 0")
                }
                try db.execute(sql: "UPDATE face_credential SET revoked = 1 WHERE spent_at IS NULL AND revoked = 0")
                for table in ["sms_code", "sms_upstream"] {
                    try db.execute(
                        sql: "UPDATE \(table) SET ended = 'restored' WHERE spent_at IS NULL AND ended IS NULL")
                }
                // An admin who was revoked since the copy was made must not return with it, nor a key that was revoked
                // since or a counter that was shown since. Phones register another key.
                for table in ["admin", "attested_key"] {
                    try db.execute(
                        sql: "UPDATE \(table) SET revoked_at = coalesce(?, created_at) WHERE revoked_at IS NULL",
                        arguments: [audit?.at.milliseconds])
                }
                for table in ["subscription", "face_account"] {
                    try db.execute(
                        sql: """
                            INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0
                            WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
                            """, arguments: [table])
                    try db.execute(
                        sql: "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?",
                        arguments: [skippedRowNumbers, table])
                }
            }
        } catch { throw StoreError(error, during: "prepare \(path)") }
    }

    /// The steps that would bring a file to this version's schema.
    static func pendingSteps(_ path: String) throws(StoreError) -> [SchemaStep] {
        let look = try look(at: path)
        do {
            defer { try? look.close() }
            return try look.read { db in
                try Schema.refuseForeign(db)
                let applied = try Schema.migrator.appliedIdentifiers(db)
                return Schema.steps.map(\.step).filter { !applied.contains($0.version) }
            }
        } catch { throw StoreError(error, during: "look at \(path)") }
    }

    /// Brings a copy forward step by step.
    static func bringForward(_ path: String, after: (SchemaStep, Duration) -> Void) throws(StoreError) {
        let pending = try pendingSteps(path)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            for step in pending {
                let time = try ContinuousClock().measure { try Schema.migrator.migrate(queue, upTo: step.version) }
                after(step, time)
            }
        } catch { throw StoreError(error, during: "bring \(path) forward") }
    }
}
