import Store
import StoreRows

/// The arguments of ``RegisterStore/changeSubscriptions(_:audit:_:)``.
struct SubscriptionChange: Sendable {
    var numberIndices: [NumberIndex]
    var audit: AuditEntry?
    var change: @Sendable (_ position: Int, _ present: SubscriptionRecord?) -> SubscriptionRecord?
}

/// Changes of the register in one transaction: rows are locked, then read, then all is decided here, then written.
enum SubscriptionChanges {
    /// A number, whichever of the changes speaks of it.
    private final class Row {
        var before: SubscriptionRecord?
        var now: SubscriptionRecord?
        init(_ record: SubscriptionRecord?) {
            before = record
            now = record
        }
    }

    static func perform(
        _ changes: [SubscriptionChange], _ codes: RowCodes, _ db: Session
    ) throws -> [Result<[SubscriptionRecord?], StoreError>] {
        let indices = Set(changes.flatMap { $0.numberIndices.flatMap { [$0.current] + $0.former } })
        let found = try look(indices, db)
        var rows = found.mapValues { Row($0) }
        let current = try MasterKeyRows.current(db)
        var audits: [AuditEntry] = []
        // Each change's rows, and what it left of them.
        let done = changes.map { change -> Result<[(row: Row, record: SubscriptionRecord?)], StoreError> in
            guard change.numberIndices.allSatisfy({ $0.key == nil || current == nil || $0.key == current }) else {
                return .failure(MasterKeyRows.changed)
            }
            var isOrdered = false
            let results = change.numberIndices.enumerated().map { position, index in
                let row = ([index.current] + index.former).lazy.compactMap { rows[$0] }.first ?? Row(nil)
                let present = row.now
                guard var wanted = change.change(position, present) else { return (row: row, record: present) }
                isOrdered = true
                wanted.id = present?.id ?? 0
                wanted.numberIndex = present?.numberIndex ?? index.current
                row.now = wanted
                rows[wanted.numberIndex] = row
                return (row: row, record: wanted)
            }
            if isOrdered, let audit = change.audit { audits.append(audit) }
            return .success(results)
        }
        try write(Array(rows.values), db)
        for audit in audits { try AuditRows.insert(audit, codes, db) }
        try db.commit()
        return done.map { result in
            result.map { rows in
                rows.map { row, record in
                    guard var record else { return nil }
                    record.id = row.now?.id ?? record.id
                    return record
                }
            }
        }
    }

    private static func look(
        _ indices: Set<BlindIndex>, _ db: Session
    ) throws -> [BlindIndex: SubscriptionRecord] {
        let asked = Values(indices.map(\.bytes))
        // One statement, which reads what it has locked: a row may come between two.
        let records = try db.rows(
            """
            SELECT \(SubscriptionRows.columns("s")) FROM subscription AS s WHERE s.number_index = ANY($1)
            ORDER BY s.id FOR NO KEY UPDATE
            """, of: "subscription", asked, read: SubscriptionRows.decode)
        return Dictionary(records.map { ($0.numberIndex, $0) }) { first, _ in first }
    }

    private static func write(_ rows: [Row], _ db: Session) throws {
        let changed = rows.filter { $0.before != nil && $0.before != $0.now }.compactMap(\.now)
        if !changed.isEmpty { try db.run([SubscriptionRows.updating(changed)]) }
        let new = rows.filter { $0.before == nil && $0.now != nil }
        guard !new.isEmpty else { return }
        var numbers: [BlindIndex: Int64] = [:]
        try db.run([SubscriptionRows.inserting(new.compactMap(\.now))]) { _, answer in
            for (index, id) in try answer.rows(
                of: "subscription",
                read: { columns in
                    (BlindIndex(bytes: try columns.bytes()), try columns.integer(Int64.self))
                })
            { numbers[index] = id }
        }
        for row in new {
            guard let index = row.now?.numberIndex, let id = numbers[index] else {
                // Another gateway has seen the number first: look again.
                throw ServerFailure(state: ServerFailure.overtaken)
            }
            row.now?.id = id
        }
    }
}
