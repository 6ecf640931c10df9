import BenjiProtocol
import Sightings
package import Store
import StoreRows

extension PostgresStore {
    package func exchange(_ exchange: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome {
        let day = exchange.billing.map { BillingCounts.Day(app: exchange.appID, day: $0.day) }
        var locks: [StoreLock] = []
        if let next = exchange.next {
            locks.append(.credentials(next.family).shared)
            if let binding = next.subject?.binding { locks.append(.credentials(binding).shared) }
        }
        if exchange.consent != nil { locks.append(.consents.shared) }
        if let day, exchange.billing?.dailyQuota != nil {
            try await billedDays.prepare(day, self)
        } else if let day {
            locks.append(.bill(day.app).shared)
        }
        return try await write("exchange openid credential", locks: locks) { db in
            var bills = BillingCounts([day].compactMap { $0 })
            let hasRoom = try OpenIDRows.hasRoom(exchange, &bills, db)
            guard hasRoom, let spent = try OpenIDRows.spend(exchange, db) else {
                return try OpenIDRows.refusal(exchange, db)
            }
            if let next = exchange.next { try OpenIDRows.insert(next, db) }
            try ConsentRows.insert([exchange.consent].compactMap { $0 }, db)
            if let billing = exchange.billing, let day {
                bills.count(day)
                let id = try db.insert("SELECT nextval('ledger_id_seq')", of: "ledger")
                let line = LedgerRows.New(
                    id: id, app: spent.appID, trace: spent.trace, interface: billing.interface, result: billing.result,
                    assurance: spent.subject == nil ? nil : .net, at: exchange.now, day: billing.day)
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
        try db.run([
            Statement("SELECT 1 FROM openid_credential WHERE hash = $1 FOR UPDATE", exchange.hash.bytes),
            counts.locking,
        ]) { place, answer in
            if place == 1 { try counts.read(answer) }
        }
        bills = counts
        guard let billing = exchange.billing else { return true }
        return counts.hasRoom(BillingCounts.Day(app: exchange.appID, day: billing.day), quota: billing.dailyQuota)
    }
}
