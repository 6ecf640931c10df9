package import BenjiProtocol
package import Store

extension TableStore {
    package func traceEvents(_ trace: TraceID) async throws(StoreError) -> [TraceEvent] {
        // Events that another process holds back for its 200 milliseconds are not seen.
        try await flushTraces()
        return try await readOne("read trace") { db in
            try db.rows(
                "SELECT trace, at, party, step, situation, detail, app, subscription, epoch FROM trace_event WHERE trace = $1 ORDER BY at, id",
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
        try await flushTraces()
        let situations = filter.situations.map(\.rawValue)
        let asked = Conditions.all(
            (filter.app != nil, "found.app = $1"), (filter.subscription != nil, "found.subscription = $2"),
            (filter.epoch != nil, "found.epoch = $3"), (filter.since != nil, "found.at >= $4"),
            (filter.until != nil, "found.at < $5"),
            (
                !filter.situations.isEmpty,
                """
                EXISTS (SELECT 1 FROM trace_event AS step
                    WHERE step.trace = found.trace AND step.situation IN (SELECT value FROM \(Transaction.elements(of: "$6"))))
                """
            ))
        let sql = """
            SELECT found.trace, found.app, found.at, last.step, last.situation
            FROM trace_event AS found JOIN trace_event AS last ON last.id =
                (SELECT id FROM trace_event WHERE trace = found.trace ORDER BY at DESC, id DESC LIMIT 1)
            WHERE found.app IS NOT NULL AND \(asked) AND NOT EXISTS (
                SELECT 1 FROM trace_event AS earlier
                WHERE earlier.trace = found.trace AND earlier.app IS NOT NULL AND earlier.id < found.id)
            ORDER BY found.at DESC, found.id DESC LIMIT $7
            """
        return try await readOne("find traces") { db in
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
}

package enum TraceRows {
    static func login(_ columns: inout some Columns) throws -> TraceEvent.Login? {
        let app = try columns.optionalText().flatMap(AppID.init(rawValue:))
        let subscription = try columns.optionalInteger(Int64.self)
        let epoch = try columns.optionalInteger(Int32.self)
        guard let app, let subscription, let epoch else { return nil }
        return TraceEvent.Login(app: app, subscription: subscription, epoch: epoch)
    }
}
