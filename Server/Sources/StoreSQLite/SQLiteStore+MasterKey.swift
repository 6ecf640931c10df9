package import BenjiProtocol
import GRDB
package import Store

extension SQLiteStore {
    package func masterKeyRing() async throws(StoreError) -> MasterKeyRing {
        try await read("read master keys") { db in try MasterKeyRows.ring(db) }
    }

    package func tie(
        to key: MasterKeyRecord, dataSecrets: Sealed, receiptKey: ReceiptKeyRecord
    ) async throws(StoreError) -> MasterKeyRing {
        try await write("tie to a master key") { db in
            if try !db.hasRow("SELECT 1 FROM master_key") {
                try MasterKeyRows.insert(key, db)
                try db.run("INSERT INTO data_secrets (id, sealed) VALUES (1, ?)", dataSecrets.bytes)
                try MasterKeyRows.insert(receiptKey, db)
            }
            return try MasterKeyRows.ring(db)
        }
    }

    package func beginRotation(
        from current: MasterKeyCheck, to check: MasterKeyCheck, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) {
        try await write("begin key rotation") { db in
            guard try !db.hasRow("SELECT 1 FROM master_key WHERE state = 'outgoing'"),
                try db.run(
                    "UPDATE master_key SET state = 'outgoing' WHERE check_value = ? AND state = 'current'",
                    current.bytes) == 1
            else { throw StoreError(.outdated, "begin key rotation: one is under way, or the key is another one") }
            try MasterKeyRows.insert(MasterKeyRecord(check: check, state: .current, since: moment), db)
            try AuditRows.insert(audit, db)
        }
    }

    package func endRotation(at moment: Timestamp, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await write("end key rotation") { db in
            let ring = try MasterKeyRows.ring(db)
            guard ring.outgoing != nil, let key = ring.current?.check.id else {
                throw StoreError(.outdated, "end key rotation: none is under way")
            }
            guard try SealedRows.others(notUnder: key, limit: 1, db).isEmpty else { return false }
            try db.run(
                "UPDATE master_key SET state = 'retired', retired_at = ? WHERE state = 'outgoing'",
                moment.milliseconds)
            try AuditRows.insert(audit, db)
            return true
        }
    }

    package func subscriptions(
        notUnder key: MasterKeyID, after row: Int64, limit: Int
    ) async throws(StoreError) -> [SubscriptionRecord] {
        try await read("read subscriptions") { db in
            try SubscriptionRows.find(notUnder: key, after: row, limit: limit, db)
        }
    }

    package func sealedValues(
        notUnder key: MasterKeyID, limit: Int
    ) async throws(StoreError) -> [SealedValue] {
        try await read("read sealed values") { db in try SealedRows.others(notUnder: key, limit: limit, db) }
    }

    package func reseal(
        _ changes: [(old: SubscriptionRecord, new: SubscriptionRecord)]
    ) async throws(StoreError) -> Int {
        try await write("seal subscriptions anew") { db in
            try changes.reduce(0) { count, change in
                try MasterKeyRows.check(change.new.sealedNumber, db)
                return try count + SubscriptionRows.reseal(change.old, change.new, db)
            }
        }
    }

    package func reseal(_ changes: [(old: SealedValue, new: Sealed)]) async throws(StoreError) -> Int {
        try await write("seal values anew") { db in
            try changes.reduce(0) { count, change in
                try MasterKeyRows.check(change.new, db)
                return try count + SealedRows.replace(change.old, change.new, db)
            }
        }
    }

    package func sealedCounts() async throws(StoreError) -> [SealedCount] {
        try await read("count sealed values") { db in try SealedRows.counts(db) }
    }

    package func forgetReplaced() async {
        // A reader in the way only delays it; whoever closes the file last does it too.
        for _ in 0..<20 {
            do {
                try await pool.writeWithoutTransaction { db in try WriteAheadLog.emptyAtOnce(db) }
                return
            } catch { try? await Task.sleep(for: .milliseconds(25)) }
        }
    }

    package func addReceiptKey(
        _ key: ReceiptKeyRecord, othersUntil until: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) {
        try await write("add receipt key") { db in
            if let sealed = key.sealedKey { try MasterKeyRows.check(sealed, db) }
            try db.run(
                "UPDATE receipt_key SET ends_at = ?, sealed_key = NULL WHERE ends_at IS NULL", until.milliseconds)
            try MasterKeyRows.insert(key, db)
            try AuditRows.insert(audit, db)
        }
    }
}

enum MasterKeyRows {
    static func insert(_ key: MasterKeyRecord, _ db: Database) throws {
        try db.run(
            "INSERT INTO master_key (check_value, state, since, retired_at) VALUES (?,?,?,?)", key.check.bytes,
            key.state.rawValue, key.since.milliseconds, key.retiredAt?.milliseconds)
    }

    static func insert(_ key: ReceiptKeyRecord, _ db: Database) throws {
        try db.run(
            "INSERT INTO receipt_key (id, public_key, sealed_key, starts_at, ends_at) VALUES (?,?,?,?,?)", key.id,
            key.publicKey, key.sealedKey?.bytes, key.from?.milliseconds, key.until?.milliseconds)
    }

    static func ring(_ db: Database) throws -> MasterKeyRing {
        MasterKeyRing(
            keys: try db.rows(
                "SELECT check_value, state, since, retired_at FROM master_key ORDER BY since, state DESC",
                of: "master_key"
            ) { columns in
                MasterKeyRecord(
                    check: MasterKeyCheck(bytes: try columns.bytes()), state: try columns.raw(),
                    since: try columns.timestamp(), retiredAt: try columns.optionalTimestamp())
            },
            dataSecrets: try db.row("SELECT sealed FROM data_secrets", of: "data_secrets") { columns in
                Sealed(bytes: try columns.bytes())
            },
            receiptKeys: try db.rows(
                """
                SELECT id, public_key, sealed_key, starts_at, ends_at FROM receipt_key
                ORDER BY ends_at IS NULL DESC, ends_at DESC, id
                """, of: "receipt_key"
            ) { columns in
                ReceiptKeyRecord(
                    id: try columns.text(), publicKey: try columns.text(),
                    sealedKey: try columns.optionalBytes().map { Sealed(bytes: $0) },
                    from: try columns.optionalTimestamp(), until: try columns.optionalTimestamp())
            })
    }

    /// Keys that are on their way out or retired, and of which free pages may still hold what they sealed and found.
    static func unforgotten(_ db: Database) throws -> [(check: [UInt8], isRetired: Bool)] {
        try db.rows(
            "SELECT check_value, state FROM master_key WHERE state <> 'current' AND forgotten_at IS NULL",
            of: "master_key"
        ) { columns in
            let check = try columns.bytes()
            let state: MasterKeyRecord.State = try columns.raw()
            return (check, state == .retired)
        }
    }

    /// Every page was written anew since they were retired.
    static func forget(_ retired: [[UInt8]], at moment: Timestamp, _ db: Database) throws {
        for check in retired {
            try db.run(
                "UPDATE master_key SET forgotten_at = ? WHERE check_value = ?", moment.milliseconds, check)
        }
    }

    private static func keys(_ states: String, _ db: Database) throws -> [MasterKeyID] {
        try db.rows("SELECT check_value FROM master_key WHERE state \(states)", of: "master_key") { columns in
            MasterKeyCheck(bytes: try columns.bytes()).id
        }.compactMap { $0 }
    }

    private static let changed = StoreError(.keyChanged, "the master key is another one since")

    /// Refuses a value under a key that is not in use. A store that belongs to no key takes any.
    static func check(_ sealed: Sealed, _ db: Database) throws {
        guard let key = sealed.masterKey else { return }
        let known = try keys("<> 'retired'", db)
        guard known.isEmpty || known.contains(key) else { throw changed }
    }

    /// Refuses indices that are not under the current key.
    static func check(_ indices: [NumberIndex], _ db: Database) throws {
        guard indices.contains(where: { $0.key != nil }), let current = try keys("= 'current'", db).first else {
            return
        }
        guard indices.allSatisfy({ $0.key == nil || $0.key == current }) else { throw changed }
    }
}

/// Sealed values wherever they are, but numbers.
private enum SealedRows {
    /// An SQL condition: the column holds a sealed value, and not the zeros of an erased one, under another key than ?1.
    private static func isOther(_ column: String) -> String {
        "substr(\(column), 1, 1) IN (x'01', x'02') AND (substr(\(column), 1, 1) = x'01' OR substr(\(column), 2, 8) <> ?1)"
    }

    static func others(notUnder key: MasterKeyID, limit: Int, _ db: Database) throws -> [SealedValue] {
        var values: [SealedValue] = []
        var room: Int { max(limit - values.count, 0) }
        values += try db.rows(
            "SELECT sealed FROM data_secrets WHERE \(isOther("sealed")) LIMIT ?2", of: "data_secrets", key.bytes, room
        ) { columns in SealedValue(place: .dataSecrets, sealed: Sealed(bytes: try columns.bytes())) }
        values += try db.rows(
            "SELECT id, sealed_key FROM receipt_key WHERE \(isOther("sealed_key")) LIMIT ?2", of: "receipt_key",
            key.bytes, room
        ) { columns in
            SealedValue(place: .receiptKey(id: try columns.text()), sealed: Sealed(bytes: try columns.bytes()))
        }
        values += try db.rows(
            "SELECT id, sealed_key FROM openid_key WHERE \(isOther("sealed_key")) LIMIT ?2", of: "openid_key",
            key.bytes, room
        ) { columns in
            SealedValue(place: .openIDKey(id: try columns.text()), sealed: Sealed(bytes: try columns.bytes()))
        }
        values += try db.rows(
            "SELECT app, use, version, sealed_key FROM app_key WHERE \(isOther("sealed_key")) LIMIT ?2", of: "app_key",
            key.bytes, room
        ) { columns in
            SealedValue(
                place: .appKey(app: try columns.text(), use: try columns.text(), version: try columns.integer()),
                sealed: Sealed(bytes: try columns.bytes()))
        }
        values += try db.rows(
            """
            SELECT k.account, a.subscription, a.epoch, k.sealed_key FROM face_key AS k
            JOIN face_account AS a ON a.id = k.account WHERE \(isOther("k.sealed_key")) LIMIT ?2
            """, of: "face_key", key.bytes, room
        ) { columns in
            SealedValue(
                place: .faceKey(
                    account: try columns.integer(), subscription: try columns.integer(), epoch: try columns.integer()),
                sealed: Sealed(bytes: try columns.bytes()))
        }
        return values
    }

    static func replace(_ old: SealedValue, _ new: Sealed, _ db: Database) throws -> Int {
        switch old.place {
        case .dataSecrets:
            return try db.run(
                "UPDATE data_secrets SET sealed = ? WHERE id = 1 AND sealed = ?", new.bytes, old.sealed.bytes)
        case .receiptKey(let id):
            return try db.run(
                "UPDATE receipt_key SET sealed_key = ? WHERE id = ? AND sealed_key = ?", new.bytes, id,
                old.sealed.bytes)
        case .openIDKey(let id):
            return try db.run(
                "UPDATE openid_key SET sealed_key = ? WHERE id = ? AND sealed_key = ?", new.bytes, id,
                old.sealed.bytes)
        case .appKey(let app, let use, let version):
            let count = try db.run(
                "UPDATE app_key SET sealed_key = ? WHERE app = ? AND use = ? AND version = ? AND sealed_key = ?",
                new.bytes, app, use, version, old.sealed.bytes)
            // Whoever is changing the app has read the old value, and must not write it back.
            if count > 0 { try db.run("UPDATE app SET revision = revision + 1 WHERE id = ?", app) }
            return count
        case .faceKey(let account, _, _):
            // In place: both have the same length.
            return try db.run(
                "UPDATE face_key SET sealed_key = ? WHERE account = ? AND sealed_key = ?", new.bytes, account,
                old.sealed.bytes)
        }
    }

    static func counts(_ db: Database) throws -> [SealedCount] {
        let columns: [(SealedCount.Kind, table: String, column: String)] = [
            (.numbers, "subscription", "sealed_number"), (.sims, "subscription", "sealed_sim"),
            (.appKeys, "app_key", "sealed_key"), (.openIDKeys, "openid_key", "sealed_key"),
            (.faceKeys, "face_key", "sealed_key"), (.receiptKeys, "receipt_key", "sealed_key"),
            (.dataSecrets, "data_secrets", "sealed"),
        ]
        return try columns.flatMap { kind, table, column in
            // A SIM of before ids is no sealed value but a hash of 32 bytes, and under the first key like one.
            let isThere = kind == .sims ? "\(column) IS NOT NULL" : "substr(\(column), 1, 1) IN (x'01', x'02')"
            let hasKey =
                kind == .sims
                ? "length(\(column)) > 32 AND substr(\(column), 1, 1) = x'02'" : "substr(\(column), 1, 1) = x'02'"
            return try db.rows(
                """
                SELECT CASE WHEN \(hasKey) THEN substr(\(column), 2, 8) END AS sealed_under, count(*) FROM \(table)
                WHERE \(isThere) GROUP BY sealed_under ORDER BY sealed_under
                """, of: table
            ) { columns in
                SealedCount(
                    kind: kind, key: try columns.optionalBytes().flatMap { MasterKeyID(bytes: $0) },
                    count: try columns.integer())
            }
        }
    }
}
