import BenjiProtocol
import GRDB
package import Store
import StoreRows

extension SQLiteStore {
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
            if isOrdered { try AuditRows.insert(audit, self.rowCodes, db) }
            return rows
        }
    }
}

extension SubscriptionRows {
    // Made once.
    private static let finding = "SELECT \(columns) FROM subscription WHERE id = ?"

    /// As both drivers' one, but bound as the statements of a login are: every redemption asks for it.
    static func find(_ id: Int64, _ db: Database) throws -> SubscriptionRecord? {
        try db.row(finding, of: "subscription", id, read: decode)
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
}
