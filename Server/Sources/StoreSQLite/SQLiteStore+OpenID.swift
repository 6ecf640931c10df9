import BenjiProtocol
import GRDB
package import Store
import StoreRows

extension SQLiteStore {
    package func exchange(_ exchange: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome {
        try await write("exchange openid credential") { db in
            let hasRoom = Billing.hasRoom(app: "$3", day: "$6", quota: "$7")
            guard let spent = try OpenIDRows.spend(exchange, if: hasRoom, db) else {
                return try OpenIDRows.refusal(exchange, db)
            }
            if let next = exchange.next { try OpenIDRows.insert(next, db) }
            if let consent = exchange.consent { try ConsentRows.insert(consent, db) }
            if let billing = exchange.billing {
                try Billing.write(
                    app: spent.appID, trace: spent.trace, interface: billing.interface, result: billing.result,
                    assurance: spent.subject == nil ? nil : .net, at: exchange.now, day: billing.day, db)
                if let event = billing.event { try OutboxRows.insert(event, db) }
            }
            return .spent(spent)
        }
    }
}
