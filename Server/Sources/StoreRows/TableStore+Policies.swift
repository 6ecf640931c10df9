import BenjiProtocol
package import Store

extension TableStore {
    package func addPolicy(_ policy: PolicyRecord, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await write("add policy", locks: [.orders]) { db in
            let added = try db.run(
                """
                INSERT INTO policy (digest, version, text, since, recorded_by, origin) SELECT $1, $2, $3, $4, $5, $6
                WHERE NOT EXISTS (SELECT 1 FROM policy WHERE id = (SELECT max(id) FROM policy) AND digest = $1)
                """, policy.digest, policy.version, policy.text, policy.since.milliseconds, policy.recordedBy,
                policy.origin)
            guard added == 1 else { return false }
            try AuditRows.insert(audit, self.rowCodes, db)
            return true
        }
    }

    package func policies(before: Int64?, limit: Int) async throws(StoreError) -> [PolicyRecord] {
        try await read("read policies") { db in
            try db.rows(
                """
                SELECT id, digest, version, text, since, recorded_by, origin FROM policy
                WHERE $1 IS NULL OR id < $1 ORDER BY id DESC LIMIT $2
                """, of: "policy", before, max(limit, 0)
            ) { columns in
                PolicyRecord(
                    id: try columns.integer(), digest: try columns.text(), version: try columns.text(),
                    text: try columns.text(), since: try columns.timestamp(), recordedBy: try columns.text(),
                    origin: try columns.text())
            }
        }
    }
}
