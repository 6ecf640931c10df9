import BenjiProtocol
package import Store

extension TableStore {
    package func subscription(numberIndex: NumberIndex) async throws(StoreError) -> SubscriptionRecord? {
        try await read("read subscription") { db in
            try MasterKeyRows.check([numberIndex], db)
            return try SubscriptionRows.find(numberIndex, db)
        }
    }

    package func subscription(_ id: Int64) async throws(StoreError) -> SubscriptionRecord? {
        try await look("read subscription") { db in try SubscriptionRows.find(id, db) }
    }

    package func anySubscription() async throws(StoreError) -> SubscriptionRecord? {
        try await readOne("read subscription") { db in try SubscriptionRows.any(db) }
    }
}

package enum SubscriptionRows {
    package static let names = [
        "id", "number_index", "sealed_number", "carrier", "epoch", "epoch_key", "sim_generation", "sealed_sim",
        "sim_changed_at", "epoch_started_at", "last_seen_at",
    ]
    package static let columns = names.joined(separator: ", ")
    /// The columns with the table's name before each.
    package static func columns(_ table: String) -> String { names.map { "\(table).\($0)" }.joined(separator: ", ") }

    /// An SQL condition: the subscription of a row of `table` still has the SIM and the owner that the row names.
    package static func holds(_ table: String) -> String {
        """
        EXISTS (SELECT 1 FROM subscription AS s WHERE s.id = \(table).subscription AND s.epoch = \(table).epoch
            AND s.sim_generation = \(table).sim_generation)
        """
    }

    package static func find(_ id: Int64, _ db: some StatementRunner) throws -> SubscriptionRecord? {
        try db.row("SELECT \(columns) FROM subscription WHERE id = $1", of: "subscription", id, read: decode)
    }

    package static func any(_ db: some StatementRunner) throws -> SubscriptionRecord? {
        try db.row("SELECT \(columns) FROM subscription LIMIT 1", of: "subscription", read: decode)
    }

    package static func find(_ numberIndex: NumberIndex, _ db: some StatementRunner) throws -> SubscriptionRecord? {
        for index in [numberIndex.current] + numberIndex.former {
            let found = try db.row(
                "SELECT \(columns) FROM subscription WHERE number_index = $1", of: "subscription", index.bytes,
                read: decode)
            if let found { return found }
        }
        return nil
    }

    package static func find(
        notUnder key: MasterKeyID, after row: Int64, limit: Int, _ db: some StatementRunner
    ) throws -> [SubscriptionRecord] {
        // A SIM from before keys had ids is shorter than anything sealed.
        try db.rows(
            """
            SELECT \(columns) FROM subscription
            WHERE id > $2 AND (substr(sealed_number, 1, \(1 + MasterKeyID.length)) <> $1
                OR length(sealed_sim) <= 32 OR substr(sealed_sim, 1, \(1 + MasterKeyID.length)) <> $1)
            ORDER BY id LIMIT $3
            """, of: "subscription", [Sealed.version] + key.bytes, row, limit, read: decode)
    }

    /// Replaces the sealed values and the index, unless they have changed since.
    package static func reseal(_ old: SubscriptionRecord, _ new: SubscriptionRecord, _ db: some StatementRunner) throws
        -> Int
    {
        try db.run(
            """
            UPDATE subscription SET number_index = $1, sealed_number = $2, sealed_sim = $3
            WHERE id = $4 AND number_index = $5 AND sealed_number = $6
                AND (sealed_sim = $7 OR (sealed_sim IS NULL AND $7 IS NULL))
            """, new.numberIndex.bytes, new.sealedNumber.bytes, new.sealedSIM?.bytes, old.id, old.numberIndex.bytes,
            old.sealedNumber.bytes, old.sealedSIM?.bytes)
    }

    package static func decode(_ columns: inout some Columns) throws -> SubscriptionRecord {
        SubscriptionRecord(
            id: try columns.integer(), numberIndex: BlindIndex(bytes: try columns.bytes()),
            sealedNumber: Sealed(bytes: try columns.bytes()), carrier: try columns.raw(),
            epoch: try columns.integer(), epochKey: try columns.bytes(), simGeneration: try columns.integer(),
            sealedSIM: try columns.optionalBytes().map { Sealed(bytes: $0) }, simChangedAt: try columns.timestamp(),
            epochStartedAt: try columns.timestamp(), lastSeenAt: try columns.timestamp())
    }
}
