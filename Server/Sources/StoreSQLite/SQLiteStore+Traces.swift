package import BenjiProtocol
import GRDB
package import Store
import StoreRows

extension SQLiteStore {
    /// Does not wait for the disk: events go along with a commit 200 milliseconds later, or as soon as there are many.
    package func appendTraceEvents(_ events: [TraceEvent]) async throws(StoreError) { try writer.piggyback(events) }

    package func flushTraces() async throws(StoreError) { try await writer.flush() }

    package func deleteTraceEvents(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writer.flush()
        return try await write("delete trace events") { db in
            try db.run(
                "DELETE FROM trace_event WHERE id IN (SELECT id FROM trace_event WHERE at < ? LIMIT ?)",
                moment.milliseconds, max(limit, 0))
        }
    }
}

extension TraceRows {
    static func insert(_ events: [TraceEvent], _ db: Database) throws {
        for event in events {
            try db.run(
                """
                INSERT INTO trace_event (trace, at, party, step, situation, detail, app, subscription, epoch)
                VALUES (?,?,?,?,?,?,?,?,?)
                """, event.trace.rawValue, event.at.milliseconds, event.party.rawValue, event.step,
                event.situation.rawValue, event.detail, event.login?.app.rawValue, event.login?.subscription,
                event.login?.epoch)
        }
    }
}
