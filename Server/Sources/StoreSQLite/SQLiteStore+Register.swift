import BenjiProtocol
import GRDB
package import Store

extension SQLiteStore {
    package func subscription(numberIndex: NumberIndex) async throws(StoreError) -> SubscriptionRecord? {
        try await read("read subscription") { db in
            try MasterKeyRows.check([numberIndex], db)
            return try SubscriptionRows.find(numberIndex, db)
        }
    }

    package func subscription(_ id: Int64) async throws(StoreError) -> SubscriptionRecord? {
        try await read("read subscription") { db in try SubscriptionRows.find(id, db) }
    }

    package func anySubscription() async throws(StoreError) -> SubscriptionRecord? {
        try await read("read subscription") { db in try SubscriptionRows.any(db) }
    }

    package func changeSubscriptions(
        _ numberIndices: [NumberIndex], audit: AuditEntry?,
        _ change: @escaping @Sendable (_ position: Int, _ present: SubscriptionRecord?) -> SubscriptionRecord?
    ) async throws(StoreError) -> [SubscriptionRecord?] {
        try await write("change subscriptions") { db in
            try MasterKeyRows.check(numberIndices, db)
            var isOrdered = false
            let rows = try numberIndices.enumerated().map { position, numberIndex -> SubscriptionRecord? in
                let present = try SubscriptionRows.find(numberIndex, db)
                guard var wanted = change(position, present) else { return present }
                isOrdered = true
                guard let present else {
                    wanted.numberIndex = numberIndex.current
                    return try SubscriptionRows.insert(wanted, db)
                }
                wanted.id = present.id
                wanted.numberIndex = present.numberIndex
                if wanted != present { try SubscriptionRows.update(wanted, db) }
                return wanted
            }
            if isOrdered { try AuditRows.insert(audit, db) }
            return rows
        }
    }
}

enum SubscriptionRows {
    private static let columns = """
        id, number_index, sealed_number, carrier, epoch, epoch_key, sim_generation, sealed_sim, sim_changed_at, \
        epoch_started_at, last_seen_at
        """

    /// An SQL condition: the subscription of a row of `table` still has the SIM and the owner that the row names.
    static func holds(_ table: String) -> String {
        """
        EXISTS (SELECT 1 FROM subscription AS s WHERE s.id = \(table).subscription AND s.epoch = \(table).epoch
            AND s.sim_generation = \(table).sim_generation)
        """
    }

    static func find(_ id: Int64, _ db: Database) throws -> SubscriptionRecord? {
        try db.row("SELECT \(columns) FROM subscription WHERE id = ?", of: "subscription", id, read: decode)
    }

    static func any(_ db: Database) throws -> SubscriptionRecord? {
        try db.row("SELECT \(columns) FROM subscription LIMIT 1", of: "subscription", read: decode)
    }

    static func find(_ numberIndex: NumberIndex, _ db: Database) throws -> SubscriptionRecord? {
        for index in [numberIndex.current] + numberIndex.former {
            let found = try db.row(
                "SELECT \(columns) FROM subscription WHERE number_index = ?", of: "subscription", index.bytes,
                read: decode)
            if let found { return found }
        }
        return nil
    }

    static func find(
        notUnder key: MasterKeyID, after row: Int64, limit: Int, _ db: Database
    ) throws -> [SubscriptionRecord] {
        // A SIM of before ids is shorter than anything sealed.
        try db.rows(
            """
            SELECT \(columns) FROM subscription
            WHERE id > ?2 AND (substr(sealed_number, 1, ?4) <> ?1
                OR length(sealed_sim) <= 32 OR substr(sealed_sim, 1, ?4) <> ?1)
            ORDER BY id LIMIT ?3
            """, of: "subscription", [Sealed.version] + key.bytes, row, limit, 1 + MasterKeyID.length, read: decode)
    }

    /// Puts what is sealed, and the index, in the place of what was, if that is still there.
    static func reseal(_ old: SubscriptionRecord, _ new: SubscriptionRecord, _ db: Database) throws -> Int {
        try db.run(
            """
            UPDATE subscription SET number_index = ?, sealed_number = ?, sealed_sim = ?
            WHERE id = ? AND number_index = ? AND sealed_number = ? AND sealed_sim IS ?
            """, new.numberIndex.bytes, new.sealedNumber.bytes, new.sealedSIM?.bytes, old.id, old.numberIndex.bytes,
            old.sealedNumber.bytes, old.sealedSIM?.bytes)
    }

    /// Returns the record with the row number that it got.
    static func insert(_ record: SubscriptionRecord, _ db: Database) throws -> SubscriptionRecord {
        try write("INSERT INTO subscription (\(columns)) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)", nil, record, db)
        var record = record
        record.id = db.lastInsertedRowID
        return record
    }

    static func update(_ record: SubscriptionRecord, _ db: Database) throws {
        try write(
            "UPDATE subscription SET (\(columns)) = (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11) WHERE id = ?1", record.id,
            record, db)
    }

    private static func write(_ sql: String, _ id: Int64?, _ record: SubscriptionRecord, _ db: Database) throws {
        try db.run(
            sql, id, record.numberIndex.bytes, record.sealedNumber.bytes, record.carrier.rawValue, record.epoch,
            record.epochKey, record.simGeneration, record.sealedSIM?.bytes, record.simChangedAt.milliseconds,
            record.epochStartedAt.milliseconds, record.lastSeenAt.milliseconds)
    }

    private static func decode(_ columns: inout ColumnReader) throws -> SubscriptionRecord {
        SubscriptionRecord(
            id: try columns.integer(), numberIndex: BlindIndex(bytes: try columns.bytes()),
            sealedNumber: Sealed(bytes: try columns.bytes()), carrier: try columns.raw(),
            epoch: try columns.integer(), epochKey: try columns.bytes(), simGeneration: try columns.integer(),
            sealedSIM: try columns.optionalBytes().map { Sealed(bytes: $0) }, simChangedAt: try columns.timestamp(),
            epochStartedAt: try columns.timestamp(), lastSeenAt: try columns.timestamp())
    }
}
