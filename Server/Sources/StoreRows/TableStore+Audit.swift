import BenjiProtocol
package import Store

extension TableStore {
    package func appendAudit(_ entry: AuditEntry) async throws(StoreError) {
        try await write("append audit", locks: []) { db in try AuditRows.insert(entry, db) }
    }

    package func auditEntries(
        _ filter: AuditFilter, before: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        let asked = Conditions.all(
            (filter.app != nil, "app = $1"), (filter.actor != nil, "actor = $2"),
            (filter.order != nil, "order_name = $3"), (filter.since != nil, "at >= $4"),
            (filter.until != nil, "at < $5"), (before != nil, "id < $6"))
        let sql = "SELECT \(AuditRows.columns) FROM audit WHERE \(asked) ORDER BY id DESC LIMIT $7"
        return try await read("read audit") { db in
            try db.rows(
                sql, of: "audit", filter.app?.rawValue, filter.actor, filter.order, filter.since?.milliseconds,
                filter.until?.milliseconds, before, max(limit, 0), read: AuditRows.decode)
        }
    }

    package func auditEntry(actor: String, requestKey: String) async throws(StoreError) -> AuditEntry? {
        try await read("read audit") { db in
            try db.row(
                "SELECT \(AuditRows.columns) FROM audit WHERE actor = $1 AND request_key = $2", of: "audit", actor,
                requestKey, read: AuditRows.decode)
        }
    }
}

package enum AuditRows {
    static let columns =
        "id, at, actor, role, origin, order_name, app, subject, before, after, reason, outcome, request_key, request_digest"

    /// Writes an order's line beside what it changed; nothing if nobody gave an order.
    package static func insert(_ entry: AuditEntry?, _ db: some StatementRunner) throws {
        guard let entry else { return }
        try db.run(
            """
            INSERT INTO audit
                (at, actor, role, origin, order_name, app, subject, before, after, reason, outcome, request_key,
                request_digest)
            VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)
            """, entry.at.milliseconds, entry.actor, entry.role, entry.origin, entry.order, entry.app?.rawValue,
            entry.subject, entry.before, entry.after, entry.reason, entry.outcome.rawValue, entry.request?.key,
            entry.request?.digest)
    }

    static func decode(_ columns: inout some Columns) throws -> AuditEntry {
        var entry = AuditEntry(
            id: try columns.integer(), at: try columns.timestamp(), actor: try columns.text(),
            role: try columns.text(), origin: try columns.text(), order: try columns.text(),
            app: try columns.optionalText().flatMap(AppID.init(rawValue:)), subject: try columns.optionalText(),
            before: try columns.optionalText(), after: try columns.optionalText(), reason: try columns.optionalText(),
            outcome: try columns.raw())
        if let key = try columns.optionalText() {
            entry.request = OrderRequest(key: key, digest: try columns.optionalBytes() ?? [])
        }
        return entry
    }
}
