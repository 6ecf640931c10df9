package import BenjiProtocol
package import Store

extension TableStore {
    package func team(of app: AppID) async throws(StoreError) -> [TeamMember] {
        let codes = rowCodes
        return try await readOne("read an app's team") { db in try TeamRows.members(of: app, codes, db) }
    }

    package func changeTeam(_ change: TeamChange, audit: AuditEntry) async throws(StoreError) -> TeamOutcome {
        let codes = rowCodes
        return try await write("change an app's team", locks: [.orders]) { db in
            let named = try change.person.flatMap { try AdminRows.find($0, codes, db) }
            let outcome = change.outcome(
                team: try TeamRows.members(of: change.app, codes, db),
                caller: try change.developer.flatMap { try AdminRows.find($0, codes, db) },
                named: named,
                invited: try TeamRows.invitations(change, db))
            guard outcome == .done else { return outcome }
            switch change.kind {
            case .invite(let record): try AdminRows.insert(record, codes, db)
            case .add, .remove:
                guard var record = named else { return .nobody }
                if case .add = change.kind { record.apps.insert(change.app) } else { record.apps.remove(change.app) }
                try AdminRows.update(record, codes, db)
            }
            try AuditRows.insert(audit, codes, db)
            return outcome
        }
    }
}

private enum TeamRows {
    static func members<DB: StatementRunner>(of app: AppID, _ codes: RowCodes, _ db: DB) throws -> [TeamMember] {
        try db.rows(
            """
            SELECT \(AdminRows.columns), EXISTS (SELECT 1 FROM console_account WHERE console_account.admin = admin.name)
            FROM admin WHERE $1 IN (SELECT value FROM \(DB.elements(of: "admin.apps"))) ORDER BY name
            """, of: "admin", app.rawValue
        ) { columns -> TeamMember? in
            let admin = try AdminRows.decode(&columns, codes)
            let hasAccount = try columns.bool()
            return admin.map { TeamMember($0, hasAccount: hasAccount) }
        }.compactMap { $0 }
    }

    static func invitations(_ change: TeamChange, _ db: some StatementRunner) throws -> Int {
        guard case .invite = change.kind else { return 0 }
        return try db.row(
            """
            SELECT count(*) FROM audit WHERE app = $1 AND order_name = $2 AND outcome = $3 AND at >= $4
            """, of: "audit", change.app.rawValue, change.invitations.order, Situation.success.rawValue,
            change.invitations.since.milliseconds
        ) { try $0.integer(Int.self) } ?? 0
    }
}
