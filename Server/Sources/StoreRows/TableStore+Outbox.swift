package import BenjiProtocol
package import Store

extension TableStore {
    package func addEvent(_ event: OutboxEvent, audit: AuditEntry?) async throws(StoreError) {
        try await write("add event", locks: [.orders]) { db in
            try OutboxRows.insert(event, db)
            try AuditRows.insert(audit, self.rowCodes, db)
        }
    }

    package func appsWithDueEvents(at moment: Timestamp) async throws(StoreError) -> [AppID] {
        try await readOne("find due events") { db in
            try db.rows(
                """
                SELECT id FROM app WHERE \(OutboxRows.isTold) AND EXISTS
                    (SELECT 1 FROM outbox WHERE outbox.app = app.id AND state = 'waiting' AND due_at <= $1)
                ORDER BY id
                """, of: "app", moment.milliseconds
            ) { try $0.raw() }
        }
    }

    package func claimEvent(
        of app: AppID, at moment: Timestamp, until end: Timestamp, lease: String
    ) async throws(StoreError) -> OutboxEntry? {
        let due = "FROM outbox WHERE app = $1 AND state = 'waiting' AND due_at <= $2"
        // A write that finds nothing would be a commit all the same.
        let isDue = try await readOne("find a due event") { db in
            try db.hasRow("SELECT 1 \(due) LIMIT 1", app.rawValue, moment.milliseconds)
        }
        guard isDue else { return nil }
        return try await write("claim event", locks: []) { db in
            let found = try db.row(
                """
                SELECT \(OutboxRows.columns) \(due) ORDER BY due_at, id LIMIT 1 \(Transaction.lockingFreeRows)
                """, of: "outbox", app.rawValue, moment.milliseconds, read: OutboxRows.decode)
            guard var entry = found else { return nil }
            entry.attempts += 1
            entry.dueAt = end
            try db.run(
                "UPDATE outbox SET lease = $1, due_at = $2, attempts = $3 WHERE id = $4", lease, end.milliseconds,
                entry.attempts, entry.row)
            return entry
        }
    }

    package func settleEvent(
        _ row: Int64, lease: String, _ settlement: OutboxSettlement
    ) async throws(StoreError) -> Bool {
        try await write("settle event", locks: []) { db in
            try db.run(
                """
                UPDATE outbox SET lease = NULL, state = $1, due_at = $2, tried_at = $3,
                    outcome = CASE WHEN $6 THEN $4 ELSE outcome END,
                    attempts = CASE WHEN $6 THEN attempts ELSE attempts - 1 END
                WHERE id = $5 AND lease = $7
                """, settlement.state.rawValue, settlement.dueAt.milliseconds, settlement.at.milliseconds,
                settlement.outcome, row, settlement.outcome != nil, lease) == 1
        }
    }

    package func outboxEntries(
        app: AppID, state: OutboxState?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxEntry] {
        // In words, because an index of few rows is used only for conditions that are known beforehand.
        let inState = state.map {
            $0 == .delivered ? "state = 'delivered'" : "\(OutboxRows.isOpen) AND state = '\($0.rawValue)'"
        }
        let asked = Conditions.all(
            (true, "app = $1"), (state != nil, inState ?? ""), (before != nil, "id < $2"))
        return try await readOne("list events") { db in
            try db.rows(
                "SELECT \(OutboxRows.columns) FROM outbox WHERE \(asked) ORDER BY id DESC LIMIT $3", of: "outbox",
                app.rawValue, before, max(limit, 0), read: OutboxRows.decode)
        }
    }

    package func replayEvents(
        of app: AppID, _ selection: OutboxSelection, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Int {
        let (event, range): (String?, LedgerRange) =
            switch selection {
            case .event(let id): (id, LedgerRange())
            case .dead(let range): (nil, range)
            }
        // An event that fails again at once is not replayed twice.
        let asked = Conditions.all(
            (true, "app = $1"), (event != nil, "event = $3 AND state <> 'waiting'"),
            (event == nil, "\(OutboxRows.isOpen) AND state = 'dead' AND queued_at <> $2"),
            (range.since != nil, "at >= $4"), (range.until != nil, "at < $5"))
        let slice = 2000
        var replayed = 0
        // In slices, so that logins go on meanwhile.
        while true {
            let line = replayed == 0 ? audit : nil
            let count = try await write("replay events", locks: [.orders]) { db in
                let count = try db.run(
                    """
                    UPDATE outbox SET state = 'waiting', due_at = $2, queued_at = $2, attempts = 0, lease = NULL
                    WHERE id IN (SELECT id FROM outbox WHERE \(asked) LIMIT $6)
                    """, app.rawValue, moment.milliseconds, event, range.since?.milliseconds,
                    range.until?.milliseconds, slice)
                try AuditRows.insert(line, self.rowCodes, db)
                return count
            }
            replayed += count
            if count < slice { return replayed }
        }
    }

    package func outboxCounts() async throws(StoreError) -> OutboxCounts {
        let waiting = "state = 'waiting' AND app IN (SELECT id FROM app WHERE \(OutboxRows.isTold))"
        return try await readOne("count events") { db in
            try db.row(
                """
                SELECT (SELECT count(*) FROM outbox WHERE \(waiting)),
                    (SELECT count(*) FROM outbox WHERE state = 'dead'),
                    (SELECT min(queued_at) FROM outbox WHERE \(waiting))
                """, of: "outbox"
            ) { columns in
                OutboxCounts(
                    waiting: try columns.integer(), dead: try columns.integer(),
                    oldest: try columns.optionalTimestamp())
            } ?? OutboxCounts(waiting: 0, dead: 0, oldest: nil)
        }
    }

    package func giveUpEvents(queuedBefore moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        let old = "FROM outbox WHERE state = 'waiting' AND queued_at < $1"
        let isDue = try await readOne("find old events") { db in
            try db.hasRow("SELECT 1 \(old) LIMIT 1", moment.milliseconds)
        }
        guard isDue else { return 0 }
        return try await write("give up events", locks: []) { db in
            try db.run(
                """
                UPDATE outbox SET state = 'dead', lease = NULL
                WHERE id IN (SELECT id \(old) LIMIT $2 \(Transaction.lockingFreeRows))
                """, moment.milliseconds, max(limit, 0))
        }
    }

    package func deleteEvents(
        deliveredBefore delivered: Timestamp, deadBefore dead: Timestamp, limit: Int
    ) async throws(StoreError) -> Int {
        let old = """
            (state = 'delivered' AND queued_at < $1 AND tried_at < $1) OR (state = 'dead' AND queued_at < $2)
            """
        let isDue = try await readOne("find old events") { db in
            try db.hasRow(
                "SELECT 1 FROM outbox WHERE \(old) LIMIT 1", delivered.milliseconds, dead.milliseconds)
        }
        guard isDue else { return 0 }
        return try await write("delete events", locks: []) { db in
            try db.run(
                """
                DELETE FROM outbox
                WHERE id IN (SELECT id FROM outbox WHERE \(old) LIMIT $3 \(Transaction.lockingFreeRows))
                """, delivered.milliseconds, dead.milliseconds, max(limit, 0))
        }
    }
}

package enum OutboxRows {
    /// Of an app: it has a callback, and its receiver did not say that it is gone.
    static let isTold = "callback_url IS NOT NULL AND callback_stopped_at IS NULL"
    /// The condition of the index `outbox_open`: few rows among many that are delivered.
    static let isOpen = "state <> 'delivered'"
    static let columns =
        "id, event, app, type, trace, subscription, epoch, payload, at, state, due_at, queued_at, attempts, outcome, "
        + "tried_at"

    package static func insert(_ event: OutboxEvent, _ db: some StatementRunner) throws {
        try db.run(
            """
            INSERT INTO outbox
                (event, app, type, trace, subscription, epoch, payload, at, state, due_at, queued_at, attempts)
            VALUES ($1,$2,$3,$4,$5,$6,$7,$8,'waiting',$8,$8,0)
            """, event.id, event.appID.rawValue, event.type.rawValue, event.trace?.rawValue,
            event.holder?.subscription, event.holder?.epoch, event.payload, event.at.milliseconds)
    }

    static func decode(_ columns: inout some Columns) throws -> OutboxEntry {
        let row = try columns.integer(Int64.self)
        let (id, app, type): (String, AppID, CallbackEventType) = (
            try columns.text(), try columns.raw(), try columns.raw()
        )
        let trace = try columns.optionalText().flatMap(TraceID.init(rawValue:))
        let (subscription, epoch): (Int64?, Int32?) = (try columns.optionalInteger(), try columns.optionalInteger())
        let event = OutboxEvent(
            id: id, appID: app, type: type, trace: trace,
            holder: subscription.flatMap { row in epoch.map { .init(subscription: row, epoch: $0) } },
            payload: try columns.text(), at: try columns.timestamp())
        return OutboxEntry(
            row: row, event: event, state: try columns.raw(), dueAt: try columns.timestamp(),
            queuedAt: try columns.timestamp(), attempts: try columns.integer(), outcome: try columns.optionalText(),
            triedAt: try columns.optionalTimestamp())
    }
}
