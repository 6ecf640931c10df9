import BenjiProtocol
package import Store

extension TableStore {
    package func appendAudit(_ entry: AuditEntry) async throws(StoreError) {
        try await write("append audit", locks: []) { db in try AuditRows.insert(entry, self.rowCodes, db) }
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

    package func auditLines(after line: Int64, limit: Int) async throws(StoreError) -> [AuditEntry] {
        let last = Transaction.lastNumber(of: "audit")
        return try await readOne("read audit") { db in
            try db.rows(
                "SELECT \(AuditRows.columns) FROM audit WHERE id > $1 AND id <= \(last) ORDER BY id LIMIT $2",
                of: "audit", line, max(limit, 0), read: AuditRows.decode)
        }
    }

    package func lastAuditLine() async throws(StoreError) -> Int64 {
        try await readOne("read audit") { db in try AuditRows.last(db) }
    }

    package func auditEntry(actor: String, requestKey: String) async throws(StoreError) -> AuditEntry? {
        try await read("read audit") { db in
            try db.row(
                "SELECT \(AuditRows.columns) FROM audit WHERE actor = $1 AND request_key = $2", of: "audit", actor,
                requestKey, read: AuditRows.decode)
        }
    }

    package func auditLogProblem() async throws(StoreError) -> String? {
        let codes = rowCodes
        return try await read("compare audit log") { db in try AuditMark.problem(codes, db) }
    }
}

package enum AuditRows {
    static let columns =
        "id, at, actor, role, origin, order_name, app, subject, before, after, reason, outcome, request_key, "
        + "request_digest"

    /// The number of the newest line; 0 if there is none. Without lines whose numbers were never given out.
    static func last<DB: StatementRunner>(_ db: DB) throws -> Int64 {
        let found = try db.row(
            "SELECT max(id) FROM audit WHERE id <= \(DB.lastNumber(of: "audit"))", of: "audit"
        ) { try $0.optionalInteger(Int64.self) }
        return (found ?? nil) ?? 0
    }

    /// Writes an order's line with what it changed, and moves the mark. Writes nothing without an order. Last in its
    /// transaction, because the next writer waits for the mark.
    package static func insert<DB: StatementRunner>(_ entry: AuditEntry?, _ codes: RowCodes, _ db: DB) throws {
        guard var entry else { return }
        let mark = try AuditMark.hold(codes, db)
        try db.run(
            """
            INSERT INTO audit
                (at, actor, role, origin, order_name, app, subject, before, after, reason, outcome, request_key,
                request_digest)
            VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13) RETURNING id
            """, of: "audit", arguments: values(of: entry)
        ) { entry.id = try $0.integer(Int64.self) }
        try mark?.move(to: entry, codes, db)
    }

    private static func values(of entry: AuditEntry) -> [any SQLArgument] {
        [
            entry.at.milliseconds, entry.actor, entry.role, entry.origin, entry.order, entry.app?.rawValue,
            entry.subject, entry.before, entry.after, entry.reason, entry.outcome.rawValue, entry.request?.key,
            entry.request?.digest,
        ]
    }

    /// The code of a line, which ``AuditMark`` keeps.
    static func code(of entry: AuditEntry, _ codes: RowCodes) -> [UInt8]? {
        codes.code(of: "audit", [entry.id] + values(of: entry))
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
