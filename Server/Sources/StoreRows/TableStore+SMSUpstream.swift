package import BenjiProtocol
import Sightings
package import Store

extension TableStore {
    package func issueSMSUpstream(
        _ record: SMSUpstreamRecord, budgets: [SMSBudget]
    ) async throws(StoreError) -> SMSBudget.Kind? {
        try await write("issue SMS upstream", locks: []) { db in
            if let usedUp = try SMSBudgetRows.count(budgets, db) { return usedUp }
            try db.run(
                """
                INSERT INTO sms_upstream (id, app, text, device, trace, issued_at, expires_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """, record.id.rawValue, record.appID.rawValue, record.text.bytes, record.device.bytes,
                record.trace.rawValue, record.issuedAt.milliseconds, record.expiresAt.milliseconds)
            return nil
        }
    }

    package func noteSMSUpstream(
        _ arrival: SMSUpstreamArrival
    ) async throws(StoreError) -> SMSUpstreamArrivalOutcome {
        try await write("note SMS upstream", locks: []) { db in
            // A concurrent arrival waits for the row and then reads it again.
            let first = try db.row(
                """
                UPDATE sms_upstream SET number = $2, subscription = $3, epoch = $4, sim_generation = $5, arrived_at = $6
                WHERE text = $1 AND number IS NULL AND \(SMSUpstreamRows.isAlive("$6"))
                RETURNING \(SMSUpstreamRows.columns)
                """, of: "sms_upstream", arrival.text.bytes, arrival.number.bytes, arrival.subscription?.subscription,
                arrival.subscription?.epoch, arrival.subscription?.simGeneration, arrival.now.milliseconds,
                read: SMSUpstreamRows.decode)
            if let first { return .arrived(first) }
            let contested = try db.row(
                """
                UPDATE sms_upstream SET ended = 'contested'
                WHERE text = $1 AND number <> $2 AND \(SMSUpstreamRows.isAlive("$3"))
                RETURNING \(SMSUpstreamRows.columns)
                """, of: "sms_upstream", arrival.text.bytes, arrival.number.bytes, arrival.now.milliseconds,
                read: SMSUpstreamRows.decode)
            if let contested { return .contested(contested) }
            let known = try db.row(
                "SELECT \(SMSUpstreamRows.columns), \(SMSUpstreamRows.isAlive("$2")) FROM sms_upstream WHERE text = $1",
                of: "sms_upstream", arrival.text.bytes, arrival.now.milliseconds
            ) { columns in (record: try SMSUpstreamRows.decode(&columns), isAlive: try columns.bool()) }
            return known.map { $0.isAlive ? .repeated($0.record) : .late($0.record) } ?? .unknown
        }
    }

    package func standing(of question: SMSUpstreamQuestion) async throws(StoreError) -> SMSUpstreamStanding {
        try await look("look at SMS upstream") { db in try SMSUpstreamRows.standing(of: question, db) }
    }

    package func spendSMSUpstream(_ question: SMSUpstreamQuestion) async throws(StoreError) -> SMSUpstreamStanding {
        try await write("spend SMS upstream", locks: []) { db in
            let spent = try db.row(
                """
                UPDATE sms_upstream SET spent_at = $4
                WHERE id = $1 AND app = $2 AND device = $3 AND number IS NOT NULL AND \(SMSUpstreamRows.isAlive("$4"))
                RETURNING \(SMSUpstreamRows.columns)
                """, of: "sms_upstream", question.id.rawValue, question.appID.rawValue, question.device.bytes,
                question.now.milliseconds, read: SMSUpstreamRows.decode)
            return try spent.map { .arrived($0) } ?? SMSUpstreamRows.standing(of: question, db)
        }
    }

    package func deleteSMSUpstream(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete SMS upstream", locks: []) { db in
            try db.run(
                """
                DELETE FROM sms_upstream WHERE id IN
                    (SELECT id FROM sms_upstream WHERE issued_at < $1 LIMIT $2 \(Transaction.lockingFreeRows))
                """, moment.milliseconds, max(limit, 0))
        }
    }
}

private enum SMSUpstreamRows {
    static let columns = """
        id, app, text, device, trace, issued_at, expires_at, number, subscription, epoch, sim_generation
        """

    /// Whether it may still be sent, or be logged in by, at the moment of this parameter.
    static func isAlive(_ moment: String) -> String {
        "spent_at IS NULL AND ended IS NULL AND expires_at > \(moment)"
    }

    static func standing(of question: SMSUpstreamQuestion, _ db: some StatementRunner) throws -> SMSUpstreamStanding {
        let found = try db.row(
            """
            SELECT \(columns), spent_at IS NOT NULL, ended IS NOT NULL FROM sms_upstream
            WHERE id = $1 AND app = $2 AND device = $3
            """, of: "sms_upstream", question.id.rawValue, question.appID.rawValue, question.device.bytes
        ) { columns in (record: try decode(&columns), isSpent: try columns.bool(), hasEnded: try columns.bool()) }
        guard let found else { return .unknown }
        if found.isSpent { return .alreadySpent(found.record) }
        if found.hasEnded { return .ended(found.record) }
        if question.now >= found.record.expiresAt { return .expired(found.record) }
        return found.record.number == nil ? .awaited(found.record) : .arrived(found.record)
    }

    static func decode(_ columns: inout some Columns) throws -> SMSUpstreamRecord {
        guard let id = SMSTransactionID(rawValue: try columns.text()) else { throw columns.damaged }
        var record = SMSUpstreamRecord(
            id: id, appID: try columns.raw(), text: BlindIndex(bytes: try columns.bytes()),
            device: BlindIndex(bytes: try columns.bytes()), trace: try columns.raw(),
            issuedAt: try columns.timestamp(), expiresAt: try columns.timestamp(),
            number: try columns.optionalBytes().map(BlindIndex.init(bytes:)))
        let subscription: Int64? = try columns.optionalInteger()
        let epoch: Int32? = try columns.optionalInteger()
        let generation: Int32? = try columns.optionalInteger()
        if let subscription, let epoch, let generation {
            record.subscription = SubscriptionReference(
                subscription: subscription, epoch: epoch, simGeneration: generation)
        }
        return record
    }
}
