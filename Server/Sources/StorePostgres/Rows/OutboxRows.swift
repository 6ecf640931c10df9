import BenjiProtocol
import Store
import StoreRows

extension OutboxRows {
    /// Nothing if there are none.
    static func inserting(_ events: [OutboxEvent]) -> [Statement] {
        guard !events.isEmpty else { return [] }
        return [
            Statement(
                """
                INSERT INTO outbox
                    (event, app, type, trace, subscription, epoch, payload, at, state, due_at, queued_at, attempts)
                    SELECT n.event, n.app, n.type, n.trace, n.subscription, n.epoch, n.payload, n.at, 'waiting', n.at,
                        n.at, 0
                    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
                        AS n (event, app, type, trace, subscription, epoch, payload, at)
                """, Values(events.map(\.id)), Values(events.map(\.appID.rawValue)),
                Values(events.map(\.type.rawValue)), Values(events.map(\.trace?.rawValue)),
                Values(events.map(\.holder?.subscription)), Values(events.map(\.holder?.epoch)),
                Values(events.map(\.payload)),
                Values(events.map(\.at.milliseconds)))
        ]
    }
}
