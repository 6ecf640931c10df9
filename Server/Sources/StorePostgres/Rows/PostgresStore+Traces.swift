package import BenjiProtocol
package import Store
import StoreRows

extension PostgresStore {
    /// Does not wait for the disk: events go along with a commit 200 milliseconds later, or as soon as there are many.
    package func appendTraceEvents(_ events: [TraceEvent]) async throws(StoreError) { try self.traces.append(events) }

    package func flushTraces() async throws(StoreError) { try await self.traces.flush() }

    package func deleteTraceEvents(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await flushTraces()
        return try await write("delete trace events") { db in
            try db.run(
                "DELETE FROM trace_event WHERE id = ANY (ARRAY(SELECT id FROM trace_event WHERE at < $1 LIMIT $2 FOR "
                    + "UPDATE SKIP LOCKED))",
                moment.milliseconds, max(limit, 0))
        }
    }
}

extension TraceRows {
    static func inserting(_ events: [TraceEvent]) -> Statement {
        Statement(
            """
            INSERT INTO trace_event (trace, at, party, step, situation, detail, app, subscription, epoch)
                SELECT trace, at, party, step, situation, detail, app, subscription, epoch
                FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9) WITH ORDINALITY
                    AS n (trace, at, party, step, situation, detail, app, subscription, epoch, place)
                ORDER BY place
            """, Values(events.map(\.trace.rawValue)), Values(events.map(\.at.milliseconds)),
            Values(events.map(\.party.rawValue)), Values(events.map(\.step)), Values(events.map(\.situation.rawValue)),
            Values(events.map(\.detail)), Values(events.map(\.login?.app.rawValue)),
            Values(events.map(\.login?.subscription)), Values(events.map(\.login?.epoch)))
    }
}
