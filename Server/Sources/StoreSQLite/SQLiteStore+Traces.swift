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
                "SELECT trace, at, party, step, situation, detail, app, subscription FROM trace_event WHERE trace = ? ORDER BY at, id",
                of: "trace_event", trace.rawValue
            ) { columns in
                TraceEvent(
                    trace: try columns.raw(), at: try columns.timestamp(), party: try columns.raw(),
                    step: try columns.text(), situation: try columns.raw(), detail: try columns.text(),
                    login: try TraceRows.login(&columns))
            }
        }
    }

    package func traces(_ filter: TraceFilter, limit: Int) async throws(StoreError) -> [TraceSummary] {
        try await write("flush trace events") { _ in }
        let situations = filter.situations.map(\.rawValue)
        return try await read("find traces") { db in
            try db.rows(
                """
                SELECT found.trace, found.app, found.at, last.step, last.situation
                FROM trace_event AS found JOIN trace_event AS last ON last.id =
                    (SELECT id FROM trace_event WHERE trace = found.trace ORDER BY at DESC, id DESC LIMIT 1)
                WHERE found.app IS NOT NULL AND (?1 IS NULL OR found.app = ?1)
                    AND (?2 IS NULL OR found.subscription = ?2)
                    AND (?3 IS NULL OR found.at >= ?3) AND (?4 IS NULL OR found.at < ?4)
                    AND (?5 = '[]' OR EXISTS (
                        SELECT 1 FROM trace_event AS step
                        WHERE step.trace = found.trace AND step.situation IN (SELECT value FROM json_each(?5))))
                ORDER BY found.at DESC, found.id DESC LIMIT ?6
                """, of: "trace_event", filter.app?.rawValue, filter.subscription, filter.since?.milliseconds,
                filter.until?.milliseconds, try situations.json, max(limit, 0)
            ) { columns in
                TraceSummary(
                    trace: try columns.raw(), app: try columns.raw(), at: try columns.timestamp(),
                    step: try columns.text(), situation: try columns.raw())
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
                """
                INSERT INTO trace_event (trace, at, party, step, situation, detail, app, subscription)
                VALUES (?,?,?,?,?,?,?,?)
                """, event.trace.rawValue, event.at.milliseconds, event.party.rawValue, event.step,
                event.situation.rawValue, event.detail, event.login?.app.rawValue, event.login?.subscription)
        }
    }

    static func login(_ columns: inout ColumnReader) throws -> TraceEvent.Login? {
        let app = try columns.optionalText().flatMap(AppID.init(rawValue:))
        let subscription = try columns.optionalInteger(Int64.self)
        guard let app, let subscription else { return nil }
        return TraceEvent.Login(app: app, subscription: subscription)
    }
}
