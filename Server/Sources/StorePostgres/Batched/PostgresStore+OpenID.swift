package import BenjiProtocol
import Sightings
package import Store
import StoreRows

/// Requests that have proved nothing yet ask for these, so many share statements.
extension OpenIDRows {
    static func lookups(_ hashes: [CredentialHash], _ db: Session) throws -> [Result<OpenIDLookup, StoreError>] {
        let found = try db.rows(
            "\(lookingUp) WHERE hash = ANY($1)", of: "openid_credential", Values(Set(hashes.map(\.bytes))),
            read: lookup)
        let byHash = Dictionary(found.compactMap { found in found.credential.map { ($0.hash, found) } }) { first, _ in
            first
        }
        return hashes.map { .success(byHash[$0] ?? .unknown) }
    }

    static func clients(
        _ apps: [AppID], _ codes: RowCodes, _ db: Session
    ) throws -> [Result<OpenIDClientRecord?, StoreError>] {
        let found = try clients("WHERE app \(AppRows.areAny)", AppRows.list(apps), codes, db)
        return apps.map { app in .success(found.first { $0.appID == app }) }
    }
}

extension PostgresStore {
    package func openIDCredential(_ hash: CredentialHash) async throws(StoreError) -> OpenIDLookup {
        try await openIDCredentials(hash)
    }

    package func openIDClient(_ app: AppID) async throws(StoreError) -> OpenIDClientRecord? {
        try await openIDClients(app)
    }

    package func exchange(_ exchange: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome {
        let day = exchange.billing.map { BillingCounts.Day(app: exchange.appID, day: $0.day) }
        var locks: [StoreLock] = []
        for new in [exchange.next, exchange.remembered].compactMap({ $0 }) {
            locks.append(.credentials(new.family).shared)
            if let binding = new.subject?.binding { locks.append(.credentials(binding).shared) }
        }
        if exchange.consent != nil { locks.append(.consents.shared) }
        let quota = exchange.billing?.quota ?? AnswerQuota()
        if let day, quota != AnswerQuota() {
            try await billedDays.prepare(day, for: quota, self)
        } else if let day {
            locks.append(.bill(day.app).shared)
        }
        return try await write("exchange openid credential", locks: locks) { db in
            var bills = BillingCounts(day.map { [$0] + $0.asked(by: quota) } ?? [])
            let hasRoom = try OpenIDRows.hasRoom(exchange, &bills, db)
            guard hasRoom, let spent = try OpenIDRows.spend(exchange, db) else {
                return try OpenIDRows.refusal(exchange, db)
            }
            if let forgotten = exchange.forgotten { try OpenIDRows.forget(forgotten, with: spent, db) }
            for new in [exchange.next, exchange.remembered] {
                if let new { try OpenIDRows.insert(new, db) }
            }
            try ConsentRows.insert([exchange.consent].compactMap { $0 }, of: exchange.bought, db)
            if let billing = exchange.billing, let day {
                bills.count(day)
                let id = try db.insert("SELECT nextval('ledger_id_seq')", of: "ledger")
                let line = LedgerRows.New(
                    id: id, app: spent.appID, trace: spent.trace, interface: billing.interface, result: billing.result,
                    assurance: billing.assurance, at: exchange.now, day: billing.day)
                try db.run(
                    [LedgerRows.inserting([line])] + bills.writing
                        + OutboxRows.inserting([billing.event].compactMap { $0 }))
            }
            return .spent(spent)
        }
    }
}

extension OpenIDRows {
    /// Locks the credential, and then what its answer is counted by: whether there is room for it.
    static func hasRoom(_ exchange: OpenIDExchange, _ bills: inout BillingCounts, _ db: Session) throws -> Bool {
        var counts = bills
        // The pushed request comes last, since several pages may have it open. A login without a page locks the
        // remembered consent, and then its pushed request.
        let locked = [exchange.hash, exchange.forgotten, exchange.pushed].map { hash in
            hash.map { Statement("SELECT 1 FROM openid_credential WHERE hash = $1 FOR UPDATE", $0.bytes) }
        }
        try db.run([locked[0], counts.locking, locked[1], locked[2]].compactMap(\.self)) { place, answer in
            if place == 1 { try counts.read(answer) }
        }
        bills = counts
        guard let billing = exchange.billing else { return true }
        return counts.hasRoom(BillingCounts.Day(app: exchange.appID, day: billing.day), quota: billing.quota)
    }
}
