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
                "SELECT trace, at, party, step, situation, detail, app, subscription, epoch FROM trace_event WHERE trace = ? ORDER BY at, id",
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
        // What is not asked for stands in no condition, so that the index of what is can be used.
        let asked = [
            filter.app == nil ? "?1 IS NULL" : "found.app = ?1",
            filter.subscription == nil ? "?2 IS NULL" : "found.subscription = ?2",
            filter.epoch == nil ? "?3 IS NULL" : "found.epoch = ?3",
            filter.since == nil ? "?4 IS NULL" : "found.at >= ?4", filter.until == nil ? "?5 IS NULL" : "found.at < ?5",
            filter.situations.isEmpty
                ? "?6 IS NOT NULL"
                : """
                EXISTS (SELECT 1 FROM trace_event AS step
                    WHERE step.trace = found.trace AND step.situation IN (SELECT value FROM json_each(?6)))
                """,
        ]
        let sql = """
            SELECT found.trace, found.app, found.at, last.step, last.situation
            FROM trace_event AS found JOIN trace_event AS last ON last.id =
                (SELECT id FROM trace_event WHERE trace = found.trace ORDER BY at DESC, id DESC LIMIT 1)
            WHERE found.app IS NOT NULL AND \(asked.joined(separator: " AND ")) AND NOT EXISTS (
                SELECT 1 FROM trace_event AS earlier
                WHERE earlier.trace = found.trace AND earlier.app IS NOT NULL AND earlier.id < found.id)
            ORDER BY found.at DESC, found.id DESC LIMIT ?7
            """
        return try await read("find traces") { db in
            try db.rows(
                sql, of: "trace_event", filter.app?.rawValue, filter.subscription, filter.epoch,
                filter.since?.milliseconds, filter.until?.milliseconds, try situations.json, max(limit, 0)
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
                INSERT INTO trace_event (trace, at, party, step, situation, detail, app, subscription, epoch)
                VALUES (?,?,?,?,?,?,?,?,?)
                """, event.trace.rawValue, event.at.milliseconds, event.party.rawValue, event.step,
                event.situation.rawValue, event.detail, event.login?.app.rawValue, event.login?.subscription,
                event.login?.epoch)
        }
    }

    static func login(_ columns: inout ColumnReader) throws -> TraceEvent.Login? {
        let app = try columns.optionalText().flatMap(AppID.init(rawValue:))
        let subscription = try columns.optionalInteger(Int64.self)
        let epoch = try columns.optionalInteger(Int32.self)
        guard let app, let subscription, let epoch else { return nil }
        return TraceEvent.Login(app: app, subscription: subscription, epoch: epoch)
    }
}
