package import BenjiProtocol
import GRDB
package import Store

extension SQLiteStore {
    package func addPageSubmission(
        _ submission: PageSubmission, audit: AuditEntry?
    ) async throws(StoreError) -> Int64 {
        try await write("submit page") { db in
            try db.run(
                """
                INSERT INTO page_submission
                    (app, digest, page, note, findings, submitted_by, submitted_at, state, decided_by, decided_at, reason)
                VALUES (?,?,?,?,?,?,?,?,?,?,?)
                """, submission.app.rawValue, submission.digest, submission.page, submission.note, submission.findings,
                submission.submittedBy, submission.submittedAt.milliseconds, submission.state.rawValue,
                submission.decidedBy, submission.decidedAt?.milliseconds, submission.reason)
            // The audit log has numbers of its own.
            let id = db.lastInsertedRowID
            try AuditRows.insert(audit, db)
            return id
        }
    }

    package func pageSubmission(_ id: Int64) async throws(StoreError) -> PageSubmission? {
        try await read("read page submission") { db in
            try db.row(
                "SELECT \(PageSubmissionRows.columns) FROM page_submission WHERE id = ?", of: "page_submission", id,
                read: PageSubmissionRows.decode)
        }
    }

    package func pageSubmissions(
        app: AppID?, state: PageSubmission.State?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [PageSubmission] {
        // What is not asked for stands in no condition, so that the index of the app can be used.
        let asked = [
            app == nil ? "?1 IS NULL" : "app = ?1", state == nil ? "?2 IS NULL" : "state = ?2",
            before == nil ? "?3 IS NULL" : "id < ?3",
        ]
        return try await read("list page submissions") { db in
            try db.rows(
                """
                SELECT \(PageSubmissionRows.columns) FROM page_submission WHERE \(asked.joined(separator: " AND "))
                ORDER BY id DESC LIMIT ?4
                """, of: "page_submission", app?.rawValue, state?.rawValue, before, max(limit, 0),
                read: PageSubmissionRows.decode)
        }
    }

    package func decidePageSubmission(
        _ submission: PageSubmission, from state: PageSubmission.State, app: AppRecord?, audit: AuditEntry?
    ) async throws(StoreError) {
        try await write("decide page submission") { db in
            let decided = try db.run(
                """
                UPDATE page_submission SET state = ?, decided_by = ?, decided_at = ?, reason = ?
                WHERE id = ? AND state = ?
                """, submission.state.rawValue, submission.decidedBy, submission.decidedAt?.milliseconds,
                submission.reason, submission.id, state.rawValue)
            guard decided == 1 else {
                guard try db.hasRow("SELECT 1 FROM page_submission WHERE id = ?", submission.id) else {
                    throw StoreError(.notFound, "decide page submission: there is no such submission")
                }
                throw StoreError(.outdated, "decide page submission: it was decided since it was read")
            }
            if let app { try AppRows.replace(app, db) }
            try AuditRows.insert(audit, db)
        }
    }
}

private enum PageSubmissionRows {
    static let columns =
        "id, app, digest, page, note, findings, submitted_by, submitted_at, state, decided_by, decided_at, reason"

    static func decode(_ columns: inout ColumnReader) throws -> PageSubmission {
        PageSubmission(
            id: try columns.integer(), app: try columns.raw(), digest: try columns.text(), page: try columns.text(),
            note: try columns.optionalText(), findings: try columns.text(), submittedBy: try columns.text(),
            submittedAt: try columns.timestamp(), state: try columns.raw(), decidedBy: try columns.optionalText(),
            decidedAt: try columns.optionalTimestamp(), reason: try columns.optionalText())
    }
}
