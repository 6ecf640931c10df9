package import BenjiProtocol
import GRDB
package import Store

extension SQLiteStore {
    /// Does not wait for the disk: events go along with the next commit, or after 200 milliseconds without one.
    package func appendTraceEvents(_ events: [TraceEvent]) async throws(StoreError) { try writer.ride(events) }

    package func traceEvents(_ trace: TraceID) async throws(StoreError) -> [TraceEvent] {
        // An empty operation takes along what waits and returns after its commit. Events that another process holds
        // back for its 200 milliseconds are not seen.
        try await write("flush trace events") { _ in }
        return try await read("read trace") { db in
            try db.rows(
                "SELECT trace, at, party, step, situation, detail FROM trace_event WHERE trace = ? ORDER BY at, id",
                of: "trace_event", trace.rawValue
            ) { columns in
                TraceEvent(
                    trace: try columns.raw(), at: try columns.timestamp(), party: try columns.raw(),
                    step: try columns.text(), situation: try columns.raw(), detail: try columns.text())
            }
        }
    }

    package func deleteTraceEvents(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete trace events") { db in
            try db.run(
                "DELETE FROM trace_event WHERE id IN (SELECT id FROM trace_event WHERE at < ? LIMIT ?)",
                moment.milliseconds, max(limit, 0))
        }
    }
}

enum TraceRows {
    static func insert(_ events: [TraceEvent], _ db: Database) throws {
        for event in events {
            try db.run(
                "INSERT INTO trace_event (trace, at, party, step, situation, detail) VALUES (?,?,?,?,?,?)",
                event.trace.rawValue, event.at.milliseconds, event.party.rawValue, event.step,
                event.situation.rawValue, event.detail)
        }
    }
}
