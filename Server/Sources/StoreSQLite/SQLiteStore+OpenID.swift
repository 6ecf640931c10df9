import BenjiProtocol
import GRDB
package import Store
import StoreRows

extension SQLiteStore {
    package func exchange(_ exchange: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome {
        try await write("exchange openid credential") { db in
            let hasRoom = Billing.hasRoom(app: "$3", day: "$6", daily: "$7", monthly: "$8")
            guard let spent = try OpenIDRows.spend(exchange, if: hasRoom, db) else {
                return try OpenIDRows.refusal(exchange, db)
            }
            if let forgotten = exchange.forgotten { try OpenIDRows.forget(forgotten, with: spent, db) }
            for new in [exchange.next, exchange.remembered] {
                if let new { try OpenIDRows.insert(new, db) }
            }
            if let consent = exchange.consent { try ConsentRows.insert(consent, of: exchange.bought, db) }
            if let billing = exchange.billing {
                try Billing.write(
                    app: spent.appID, trace: spent.trace, interface: billing.interface, result: billing.result,
                    assurance: billing.assurance, at: exchange.now, day: billing.day, db)
                if let event = billing.event { try OutboxRows.insert(event, db) }
            }
            return .spent(spent)
        }
    }
}
