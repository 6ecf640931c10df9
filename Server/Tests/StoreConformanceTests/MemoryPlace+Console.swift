import BenjiProtocol
import Store

/// How admins sign in to the console.
struct MemoryConsole {
    struct Account {
        var account: ConsoleAccount
        var failures = 0
        var blockedUntil = Timestamp(milliseconds: 0)
    }

    var accounts: [String: Account] = [:]
    var sessions: [CredentialHash: (session: ConsoleSession, usedAt: Timestamp)] = [:]
    var phones: [String: ConsolePhone] = [:]
    var pending: [CredentialHash: PendingSignIn] = [:]

    mutating func end(_ admin: String) {
        accounts[admin] = nil
        phones[admin] = nil
        pending = pending.filter { $0.value.admin != admin }
        sessions = sessions.filter { $0.value.session.admin != admin }
    }
}

extension MemoryPlace {
    private func mayEnter(_ admin: String, _ moment: Timestamp) -> AdminRecord? {
        adminRecords.first { $0.name == admin && $0.revokedAt == nil && $0.expiresAt > moment }
    }

    func accept(
        _ invitation: CredentialHash, _ spent: CredentialHash, _ account: ConsoleAccount, _ session: ConsoleSession,
        _ audit: AuditEntry
    ) async throws(StoreError) -> Bool {
        guard let admin = mayEnter(account.admin, session.beganAt), admin.kind == .invitation,
            admin.credential == invitation
        else { return false }
        await gap(.acceptsInvitationsInTwoSteps)
        for index in adminRecords.indices where adminRecords[index].name == admin.name {
            adminRecords[index].credential = spent
        }
        console.end(admin.name)
        console.accounts[admin.name] = MemoryConsole.Account(account: account)
        console.sessions[session.hash] = (session, session.beganAt)
        try append(audit)
        return true
    }

    func beginSignIn(
        _ admin: String, _ moment: Timestamp, _ limit: Int, _ pause: Duration, _ audit: AuditEntry?
    ) async throws(StoreError) -> SignInAttempt {
        guard mayEnter(admin, moment) != nil, var found = console.accounts[admin] else { return .nobody }
        guard found.blockedUntil <= moment else { return .blocked(until: found.blockedUntil) }
        await gap(.countsSignInsInTwoSteps)
        found.failures = found.failures >= limit ? 1 : found.failures + 1
        found.blockedUntil = found.failures == limit ? moment + pause : Timestamp(milliseconds: 0)
        console.accounts[admin] = found
        if found.blockedUntil > moment, let audit, flaw != .tellsNothingOfPauses { try append(audit) }
        return .open(found.account)
    }

    func signIn(
        _ session: ConsoleSession, _ account: ConsoleAccount, _ factor: SecondFactor, _ pending: CredentialHash?,
        _ audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        guard var found = console.accounts[session.admin], found.account.password == account.password else {
            return false
        }
        if let pending {
            guard let begun = pendingSignIn(pending, session.beganAt), begun.admin == session.admin,
                begun.session == nil
            else { return false }
        }
        switch factor {
        case .code(let step):
            guard found.account.lastStep < step || flaw == .takesCodesTwice else { return false }
            await gap(.takesCodesInTwoSteps)
            found.account.lastStep = step
        case .phone(let phone):
            guard found.account.phone == phone || flaw == .takesAnyPhone else { return false }
            await gap(.spendsPendingInTwoSteps)
            console.phones[session.admin]?.usedAt = session.beganAt
        }
        if let pending, flaw != .keepsPending { console.pending[pending] = nil }
        console.accounts[session.admin] = MemoryConsole.Account(account: found.account)
        console.sessions[session.hash] = (session, session.beganAt)
        if let audit { try append(audit) }
        return true
    }

    func beginPending(_ pending: PendingSignIn, _ account: ConsoleAccount) -> Bool {
        guard console.accounts[pending.admin]?.account.password == account.password else { return false }
        console.pending[pending.hash] = pending
        return true
    }

    func pendingSignIn(_ hash: CredentialHash, _ moment: Timestamp) -> PendingSignIn? {
        console.pending[hash].flatMap { $0.endsAt > moment ? $0 : nil }
    }

    func bindPhone(
        _ phone: CredentialHash, _ pending: PendingSignIn, _ moment: Timestamp, _ audit: AuditEntry?
    ) throws(StoreError) -> Bool {
        guard var found = console.accounts[pending.admin], pendingSignIn(pending.hash, moment) == pending,
            let session = pending.session,
            flaw == .bindsWithoutSession || console.sessions[session].map({ $0.session.endsAt > moment }) == true
        else { return false }
        console.pending[pending.hash] = nil
        found.account.phone = phone
        console.accounts[pending.admin] = MemoryConsole.Account(account: found.account)
        console.phones[pending.admin] = ConsolePhone(admin: pending.admin, boundAt: moment)
        if let audit { try append(audit) }
        return true
    }

    func removePhone(_ admin: String, _ audit: AuditEntry?) throws(StoreError) -> Bool {
        guard console.phones[admin] != nil else { return false }
        console.phones[admin] = nil
        console.accounts[admin]?.account.phone = nil
        console.pending = console.pending.filter { $0.value.admin != admin || $0.value.session == nil }
        if let audit { try append(audit) }
        return true
    }

    func consolePhones() -> [ConsolePhone] { console.phones.values.sorted { $0.admin < $1.admin } }

    func consoleSession(_ hash: CredentialHash, _ moment: Timestamp, _ used: Timestamp) -> AdminRecord? {
        guard let found = console.sessions[hash], found.session.endsAt > moment, found.usedAt >= used else {
            return nil
        }
        return flaw == .keepsSessionsOfTheRevoked
            ? adminRecords.first { $0.name == found.session.admin } : mayEnter(found.session.admin, moment)
    }

    func noteConsoleUse(_ hash: CredentialHash, _ moment: Timestamp) {
        guard let found = console.sessions[hash], found.usedAt < moment else { return }
        console.sessions[hash] = (found.session, moment)
    }

    func endConsoleSession(_ hash: CredentialHash) { console.sessions[hash] = nil }

    func deleteConsoleSessions(_ moment: Timestamp, _ limit: Int) -> Int {
        let old = console.sessions.values.map(\.session).filter { $0.endsAt < moment }.prefix(limit)
        for session in old { console.sessions[session.hash] = nil }
        console.pending = console.pending.filter { $0.value.endsAt >= moment }
        return old.count
    }
}

extension MemoryStore {
    func acceptInvitation(
        _ invitation: CredentialHash, spent: CredentialHash, account: ConsoleAccount, session: ConsoleSession,
        audit: AuditEntry
    ) async throws(StoreError) -> Bool {
        try await opened().accept(invitation, spent, account, session, audit)
    }
    func beginSignIn(
        _ admin: String, at moment: Timestamp, limit: Int, pause: Duration, audit: AuditEntry?
    ) async throws(StoreError) -> SignInAttempt {
        try await opened().beginSignIn(admin, moment, limit, pause, audit)
    }
    func signIn(
        _ session: ConsoleSession, account: ConsoleAccount, by factor: SecondFactor, pending: CredentialHash?,
        audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await opened().signIn(session, account, factor, pending, audit)
    }
    func beginPending(_ pending: PendingSignIn, account: ConsoleAccount) async throws(StoreError) -> Bool {
        try await opened().beginPending(pending, account)
    }
    func pendingSignIn(_ hash: CredentialHash, at moment: Timestamp) async throws(StoreError) -> PendingSignIn? {
        try await opened().pendingSignIn(hash, moment)
    }
    func bindPhone(
        _ phone: CredentialHash, pending: PendingSignIn, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await opened().bindPhone(phone, pending, moment, audit)
    }
    func removePhone(of admin: String, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await opened().removePhone(admin, audit)
    }
    func consolePhones() async throws(StoreError) -> [ConsolePhone] { try await opened().consolePhones() }
    func consoleSession(
        _ hash: CredentialHash, at moment: Timestamp, usedSince used: Timestamp
    ) async throws(StoreError) -> AdminRecord? {
        try await opened().consoleSession(hash, moment, used)
    }
    func noteConsoleUse(_ hash: CredentialHash, at moment: Timestamp) async throws(StoreError) {
        try await opened().noteConsoleUse(hash, moment)
    }
    func endConsoleSession(_ hash: CredentialHash) async throws(StoreError) {
        try await opened().endConsoleSession(hash)
    }
    func deleteConsoleSessions(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteConsoleSessions(moment, limit)
    }
}
