import BenjiProtocol
package import Store

package enum MasterKeyRows {
    package static func insert(_ key: MasterKeyRecord, _ db: some StatementRunner) throws {
        try db.run(
            "INSERT INTO master_key (check_value, state, since, retired_at) VALUES ($1,$2,$3,$4)", key.check.bytes,
            key.state.rawValue, key.since.milliseconds, key.retiredAt?.milliseconds)
    }

    package static func insert(_ key: ReceiptKeyRecord, _ db: some StatementRunner) throws {
        try db.run(
            "INSERT INTO receipt_key (id, public_key, sealed_key, starts_at, ends_at) VALUES ($1,$2,$3,$4,$5)", key.id,
            key.publicKey, key.sealedKey?.bytes, key.from?.milliseconds, key.until?.milliseconds)
    }

    package static func ring(_ db: some StatementRunner) throws -> MasterKeyRing {
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
            receiptKeys: try receiptKeys(db))
    }

    static func receiptKeys(_ db: some StatementRunner) throws -> [ReceiptKeyRecord] {
        try db.rows(
            """
            SELECT id, public_key, sealed_key, starts_at, ends_at FROM receipt_key
            ORDER BY ends_at IS NULL DESC, ends_at DESC, id
            """, of: "receipt_key"
        ) { columns in
            ReceiptKeyRecord(
                id: try columns.text(), publicKey: try columns.text(),
                sealedKey: try columns.optionalBytes().map { Sealed(bytes: $0) },
                from: try columns.optionalTimestamp(), until: try columns.optionalTimestamp())
        }
    }

    private static func keys(_ states: String, _ db: some StatementRunner) throws -> [MasterKeyID] {
        try db.rows("SELECT check_value FROM master_key WHERE state \(states)", of: "master_key") { columns in
            MasterKeyCheck(bytes: try columns.bytes()).id
        }.compactMap { $0 }
    }

    package static let changed = StoreError(.keyChanged, "the master key is another one since")

    /// Refuses a value under a key that is not in use. A store that belongs to no key takes any.
    package static func check(_ sealed: Sealed, _ db: some StatementRunner) throws {
        guard let key = sealed.masterKey else { return }
        let known = try keys("<> 'retired'", db)
        guard known.isEmpty || known.contains(key) else { throw changed }
    }

    package static func current(_ db: some StatementRunner) throws -> MasterKeyID? { try keys("= 'current'", db).first }

    /// Refuses indices that are not under the current key.
    package static func check(_ indices: [NumberIndex], _ db: some StatementRunner) throws {
        guard indices.contains(where: { $0.key != nil }), let current = try current(db) else { return }
        guard indices.allSatisfy({ $0.key == nil || $0.key == current }) else { throw changed }
    }
}
