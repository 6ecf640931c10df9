import BenjiProtocol
import GRDB
package import Store

extension SQLiteStore {
    package func addPolicy(_ policy: PolicyRecord, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await write("add policy") { db in
            let added = try db.run(
                """
                INSERT INTO policy (digest, version, text, since, recorded_by, origin) SELECT ?1, ?2, ?3, ?4, ?5, ?6
                WHERE ?1 IS NOT (SELECT digest FROM policy ORDER BY id DESC LIMIT 1)
                """, policy.digest, policy.version, policy.text, policy.since.milliseconds, policy.recordedBy,
                policy.origin)
            guard added == 1 else { return false }
            try AuditRows.insert(audit, db)
            return true
        }
    }

    package func policies(before: Int64?, limit: Int) async throws(StoreError) -> [PolicyRecord] {
        try await read("read policies") { db in
            try db.rows(
                """
                SELECT id, digest, version, text, since, recorded_by, origin FROM policy
                WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2
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
