package import BenjiProtocol
package import Store

extension TableStore {
    package func addPageSubmission(
        _ submission: PageSubmission, audit: AuditEntry?
    ) async throws(StoreError) -> Int64 {
        try await write("submit page", locks: [.orders]) { db in
            let id = try db.insert(
                """
                INSERT INTO page_submission
                    (app, digest, page, note, findings, submitted_by, submitted_at, state, decided_by, decided_at, \
                reason)
                VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11) RETURNING id
                """, of: "page_submission", submission.app.rawValue, submission.digest, submission.page,
                submission.note, submission.findings,
                submission.submittedBy, submission.submittedAt.milliseconds, submission.state.rawValue,
                submission.decidedBy, submission.decidedAt?.milliseconds, submission.reason)
            try AuditRows.insert(audit, self.rowCodes, db)
            return id
        }
    }

    package func pageSubmission(_ id: Int64) async throws(StoreError) -> PageSubmission? {
        try await read("read page submission") { db in
            try db.row(
                "SELECT \(PageSubmissionRows.columns) FROM page_submission WHERE id = $1", of: "page_submission", id,
                read: PageSubmissionRows.decode)
        }
    }

    package func pageSubmissions(
        app: AppID?, state: PageSubmission.State?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [PageSubmission] {
        let asked = Conditions.all(
            (app != nil, "app = $1"), (state != nil, "state = $2"), (before != nil, "id < $3"))
        return try await read("list page submissions") { db in
            try db.rows(
                """
                SELECT \(PageSubmissionRows.columns) FROM page_submission WHERE \(asked)
                ORDER BY id DESC LIMIT $4
                """, of: "page_submission", app?.rawValue, state?.rawValue, before, max(limit, 0),
                read: PageSubmissionRows.decode)
        }
    }

    package func decidePageSubmission(
        _ submission: PageSubmission, from state: PageSubmission.State, app: AppRecord?, audit: AuditEntry?
    ) async throws(StoreError) {
        try await write("decide page submission", locks: [.orders, .masterKeys.shared]) { db in
            let decided = try db.run(
                """
                UPDATE page_submission SET state = $1, decided_by = $2, decided_at = $3, reason = $4
                WHERE id = $5 AND state = $6
                """, submission.state.rawValue, submission.decidedBy, submission.decidedAt?.milliseconds,
                submission.reason, submission.id, state.rawValue)
            guard decided == 1 else {
                guard try db.hasRow("SELECT 1 FROM page_submission WHERE id = $1", submission.id) else {
                    throw StoreError(.notFound, "decide page submission: there is no such submission")
                }
                throw StoreError(.outdated, "decide page submission: it was decided since it was read")
            }
            if let app { try AppRows.replace(app, self.rowCodes, db) }
            try AuditRows.insert(audit, self.rowCodes, db)
        }
    }
}

private enum PageSubmissionRows {
    static let columns =
        "id, app, digest, page, note, findings, submitted_by, submitted_at, state, decided_by, decided_at, reason"

    static func decode(_ columns: inout some Columns) throws -> PageSubmission {
        PageSubmission(
            id: try columns.integer(), app: try columns.raw(), digest: try columns.text(), page: try columns.text(),
            note: try columns.optionalText(), findings: try columns.text(), submittedBy: try columns.text(),
            submittedAt: try columns.timestamp(), state: try columns.raw(), decidedBy: try columns.optionalText(),
            decidedAt: try columns.optionalTimestamp(), reason: try columns.optionalText())
    }
}
