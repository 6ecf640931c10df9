import BenjiProtocol
import Store

extension MemoryPlace {
    func create(_ record: AdminRecord, audit: AuditEntry?) throws(StoreError) {
        let isTaken = adminRecords.contains { other in
            (other.name == record.name && flaw != .givesAdminNamesTwice) || other.credential == record.credential
        }
        guard !isTaken else { throw StoreError(.alreadyExists, "admin") }
        try beside(audit) { adminRecords.append(record) }
    }

    func update(_ record: AdminRecord, audit: AuditEntry?) throws(StoreError) -> Bool {
        guard let index = adminRecords.firstIndex(where: { $0.name == record.name }) else { return false }
        try beside(audit) {
            var changed = record
            let isSame = adminRecords[index].credential == record.credential && record.revokedAt == nil
            let keeps =
                flaw == .keepsAccountsOfFormerCredentials
                || (flaw == .keepsSessionsOfTheRevoked && record.revokedAt != nil)
            if !isSame, !keeps { console.end(record.name) }
            if flaw != .forgetsAppsOfAChange { changed.apps = adminRecords[index].apps }
            changed.lastUsedDay = adminRecords[index].lastUsedDay
            if flaw == .keepsFormerCredentials { changed.credential = adminRecords[index].credential }
            adminRecords[index] = changed
        }
        return true
    }

    func create(_ app: AppRecord, of admin: String, atMost limit: Int, _ audit: AuditEntry?) async throws(StoreError)
        -> Bool
    {
        guard let index = adminRecords.firstIndex(where: { $0.name == admin && $0.revokedAt == nil }) else {
            return false
        }
        var changed = adminRecords[index]
        let kept = changed.apps.filter { id in
            flaw == .countsAppsThatAreGone
                || apps[id].map { $0.deletedAfter ?? .init(milliseconds: .max) > app.createdAt } == true
        }
        guard kept.count < limit else { return false }
        await gap(.givesAppsInTwoSteps)
        changed.apps.insert(app.id)
        try create(app, audit)
        adminRecords[index] = changed
        return true
    }

    func team(of app: AppID) -> [TeamMember] {
        adminRecords.filter { $0.apps.contains(app) }.sorted { $0.name < $1.name }
            .map { TeamMember($0, hasAccount: console.accounts[$0.name] != nil) }
    }

    func change(_ change: TeamChange, _ audit: AuditEntry) async throws(StoreError) -> TeamOutcome {
        let invited = auditLines.count { line in
            line.app == change.app && line.order == change.invitations.order && line.outcome == .success
                && line.at >= change.invitations.since
        }
        let outcome = change.outcome(
            team: team(of: change.app), caller: adminRecords.first { $0.name == change.developer },
            named: adminRecords.first { $0.name == change.person },
            invited: flaw == .forgetsInvitations ? 0 : invited)
        guard outcome == .done else { return outcome }
        await gap(.changesTeamsInTwoSteps)
        switch change.kind {
        case .invite(let record): try create(record, audit: audit)
        case .add(let name), .remove(let name):
            try beside(audit) {
                for index in adminRecords.indices where adminRecords[index].name == name {
                    if case .add = change.kind {
                        adminRecords[index].apps.insert(change.app)
                    } else {
                        adminRecords[index].apps.remove(change.app)
                        if flaw == .takesAllAppsFromWhoLeaves { adminRecords[index].apps = [] }
                    }
                }
            }
        }
        return outcome
    }

    func noteAdminUse(_ name: String, day: Int32) {
        for index in adminRecords.indices where adminRecords[index].name == name {
            adminRecords[index].lastUsedDay = max(adminRecords[index].lastUsedDay ?? 0, day)
        }
    }
}
