import BenjiProtocol
package import Store
import StoreRows

extension PostgresStore {
    package func changeSubscriptions(
        _ numberIndices: [NumberIndex], audit: AuditEntry?,
        _ change: @escaping @Sendable (_ position: Int, _ present: SubscriptionRecord?) -> SubscriptionRecord?
    ) async throws(StoreError) -> [SubscriptionRecord?] {
        try await changes(SubscriptionChange(numberIndices: numberIndices, audit: audit, change: change))
    }

    /// Each step of a login asks for one.
    package func subscription(_ id: Int64) async throws(StoreError) -> SubscriptionRecord? {
        try await subscriptions(id)
    }
}

extension SubscriptionRows {
    static func find(_ ids: [Int64], _ db: Session) throws -> [Result<SubscriptionRecord?, StoreError>] {
        let found = try db.rows(
            "SELECT \(columns) FROM subscription WHERE id = ANY($1)", of: "subscription", Values(Set(ids).sorted())
        ) { try decode(&$0) }
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.map { .success(byID[$0]) }
    }

    /// Inserts rows but those whose number is there by now; answers each one's index and number.
    static func inserting(_ records: [SubscriptionRecord]) -> Statement {
        let new = columns.dropFirst("id, ".count)
        return Statement(
            """
            INSERT INTO subscription (\(new))
                SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS n (\(new)) ORDER BY n.number_index
            ON CONFLICT (number_index) DO NOTHING RETURNING number_index, id
            """, Values(records.map(\.numberIndex.bytes)), Values(records.map(\.sealedNumber.bytes)),
            Values(records.map(\.carrier.rawValue)), Values(records.map(\.epoch)), Values(records.map(\.epochKey)),
            Values(records.map(\.simGeneration)), Values(records.map(\.sealedSIM?.bytes)),
            Values(records.map(\.simChangedAt.milliseconds)), Values(records.map(\.epochStartedAt.milliseconds)),
            Values(records.map(\.lastSeenAt.milliseconds)))
    }

    static func updating(_ records: [SubscriptionRecord]) -> Statement {
        Statement(
            """
            UPDATE subscription AS s SET sealed_number = n.sealed_number, carrier = n.carrier, epoch = n.epoch,
                epoch_key = n.epoch_key, sim_generation = n.sim_generation, sealed_sim = n.sealed_sim,
                sim_changed_at = n.sim_changed_at, epoch_started_at = n.epoch_started_at, last_seen_at = n.last_seen_at
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS n (id, sealed_number, carrier, epoch, epoch_key,
                sim_generation, sealed_sim, sim_changed_at, epoch_started_at, last_seen_at)
            WHERE s.id = n.id
            """, Values(records.map(\.id)), Values(records.map(\.sealedNumber.bytes)),
            Values(records.map(\.carrier.rawValue)), Values(records.map(\.epoch)), Values(records.map(\.epochKey)),
            Values(records.map(\.simGeneration)), Values(records.map(\.sealedSIM?.bytes)),
            Values(records.map(\.simChangedAt.milliseconds)), Values(records.map(\.epochStartedAt.milliseconds)),
            Values(records.map(\.lastSeenAt.milliseconds)))
    }

    /// Reads the columns of an outer join; `nil` if there is no row.
    static func decodeIfThere(_ columns: inout ColumnReader) throws -> SubscriptionRecord? {
        guard try columns.nextIsThere else {
            columns.skip(names.count)
            return nil
        }
        return try decode(&columns)
    }
}
