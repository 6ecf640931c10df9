package import BenjiProtocol
package import Store

extension TableStore {
    package func traceEvents(_ trace: TraceID) async throws(StoreError) -> [TraceEvent] {
        // Events that another process holds back for its 200 milliseconds are not seen.
        try await flushTraces()
        return try await readOne("read trace") { db in
            try db.rows(
                """
                SELECT trace, at, party, step, situation, detail, app, subscription, epoch FROM trace_event \
                WHERE trace = $1 ORDER BY at, id
                """,
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
                filter.after != nil,
                "(found.at, found.id) < (SELECT at, id FROM trace_event WHERE trace = $7 AND app IS NOT NULL ORDER BY "
                    + "id LIMIT 1)"
            ),
            (
                !filter.situations.isEmpty,
                """
                EXISTS (SELECT 1 FROM trace_event AS step
                    WHERE step.trace = found.trace AND step.situation IN (SELECT value FROM \
                \(Transaction.elements(of: "$6"))))
                """
            ))
        // The statement's text contains the limit, one of a few values. With a parameter, PostgreSQL would make one
        // plan for all values, and expect a tenth of all logins.
        let most = [20, 50, 100, 500].first { $0 >= limit } ?? limit
        let sql = """
            SELECT found.trace, found.app, found.at, decisive.step, decisive.situation, last.step, last.situation
            FROM trace_event AS found JOIN trace_event AS last ON last.id =
                (SELECT id FROM trace_event WHERE trace = found.trace ORDER BY at DESC, id DESC LIMIT 1)
            JOIN trace_event AS decisive ON decisive.id = coalesce(
                (SELECT id FROM trace_event WHERE trace = found.trace AND \(TraceRows.answers)
                    ORDER BY at DESC, id DESC LIMIT 1), last.id)
            WHERE found.app IS NOT NULL AND \(asked) AND NOT EXISTS (
                SELECT 1 FROM trace_event AS earlier
                WHERE earlier.trace = found.trace AND earlier.app IS NOT NULL AND earlier.id < found.id)
            ORDER BY found.at DESC, found.id DESC LIMIT \(most)
            """
        return try await readOne("find traces") { db in
            try db.rows(
                sql, of: "trace_event", filter.app?.rawValue, filter.subscription, filter.epoch,
                filter.since?.milliseconds, filter.until?.milliseconds, try situations.json,
                filter.after?.rawValue
            ) { columns in
                TraceSummary(
                    trace: try columns.raw(), app: try columns.raw(), at: try columns.timestamp(),
                    outcome: LoginOutcome(
                        decisive: .init(try columns.text(), try columns.raw()),
                        last: .init(try columns.text(), try columns.raw())))
            }.prefix(max(limit, 0)).map { $0 }
        }
    }
}

package enum TraceRows {
    /// As ``TraceEvent/answers``.
    fileprivate static let answers = """
        party = '\(TraceEvent.Party.appServer.rawValue)' AND situation IN \
        (\(literals(TraceEvent.answeringSituations.map(\.rawValue)))) \
        AND step NOT IN (\(literals(TraceEvent.stepsWithoutAnswer)))
        """

    private static func literals(_ words: [String]) -> String { words.map { "'\($0)'" }.joined(separator: ", ") }

    static func login(_ columns: inout some Columns) throws -> TraceEvent.Login? {
        let app = try columns.optionalText().flatMap(AppID.init(rawValue:))
        let subscription = try columns.optionalInteger(Int64.self)
        let epoch = try columns.optionalInteger(Int32.self)
        guard let app, let subscription, let epoch else { return nil }
        return TraceEvent.Login(app: app, subscription: subscription, epoch: epoch)
    }
}
