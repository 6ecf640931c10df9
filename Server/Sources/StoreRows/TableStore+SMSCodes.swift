package import BenjiProtocol
import Sightings
package import Store

extension TableStore {
    package func issueSMSCode(_ issue: SMSCodeIssue) async throws(StoreError) -> SMSCodeIssueOutcome {
        try await write("issue SMS code", locks: [.sms(issue.code.number)]) { db in
            for limit in issue.numberLimits where try !SMSCodeRows.haveRoom(issue.code, limit, db) {
                return .tooManyForNumber
            }
            if let usedUp = try SMSBudgetRows.count(issue.budgets, db) { return .budgetUsedUp(usedUp) }
            try SMSCodeRows.replace(with: issue.code, db)
            return .issued
        }
    }

    package func noteSubmission(
        _ submission: SMSCodeSubmission, of id: SMSTransactionID
    ) async throws(StoreError) {
        try await write("note SMS submission", locks: []) { db in
            switch submission {
            case .accepted(let sender, let reference):
                try db.run(
                    "UPDATE sms_code SET sender = $2, reference = $3 WHERE id = $1", id.rawValue, sender, reference)
            case .notTaken:
                try db.run(
                    "UPDATE sms_code SET ended = $2 WHERE id = $1 AND spent_at IS NULL", id.rawValue,
                    SMSCodeRows.notTaken)
            }
        }
    }

    package func trySMSCode(_ attempt: SMSCodeAttempt) async throws(StoreError) -> SMSCodeAttemptOutcome {
        try await write("try SMS code", locks: []) { db in
            // A concurrent attempt waits for the row and then reads it again.
            let counted = try db.row(
                """
                UPDATE sms_code SET tries_left = tries_left - CASE WHEN code = $4 THEN 0 ELSE 1 END,
                    spent_at = CASE WHEN code = $4 THEN $5 ELSE spent_at END
                WHERE id = $1 AND app = $2 AND purpose = $3 AND spent_at IS NULL AND ended IS NULL AND expires_at > $5
                    AND tries_left > 0
                RETURNING \(SMSCodeRows.columns), code = $4
                """, of: "sms_code", attempt.id.rawValue, attempt.appID.rawValue, attempt.purpose.rawValue,
                attempt.code.bytes, attempt.now.milliseconds
            ) { columns -> SMSCodeAttemptOutcome in
                let record = try SMSCodeRows.decode(&columns)
                return try columns.bool() ? .spent(record) : .wrong(record)
            }
            return try counted ?? SMSCodeRows.refusal(attempt, db)
        }
    }

    package func noteDelivery(_ delivery: SMSCodeDelivery) async throws(StoreError) -> SMSCodeRecord? {
        guard let first = delivery.references.first else { return nil }
        // The statement takes two of each. The first reference replaces one that is missing.
        let (second, others) = (delivery.references.last ?? first, delivery.otherBases)
        return try await write("note SMS delivery", locks: []) { db in
            try db.row(
                """
                UPDATE sms_code SET delivery = $1, delivery_at = $2 WHERE id =
                    (SELECT id FROM sms_code
                     WHERE sender = $3 AND reference IN ($4, $5, $6, $7)
                        AND (number = $8 OR (NOT $9 AND (reference IN ($4, $5) OR $8 IS NULL)))
                     ORDER BY CASE WHEN number = $8 THEN 0 ELSE 1 END,
                        CASE WHEN reference IN ($4, $5) THEN 0 ELSE 1 END, issued_at DESC LIMIT 1)
                RETURNING \(SMSCodeRows.columns)
                """, of: "sms_code", delivery.state, delivery.at.milliseconds, delivery.sender, first,
                second, others.first ?? first, others.last ?? first, delivery.number?.bytes, delivery.isOfNumber,
                read: SMSCodeRows.decode)
        }
    }

    package func delivery(of id: SMSTransactionID) async throws(StoreError) -> String? {
        try await readOne("read SMS delivery") { db in
            try db.row("SELECT delivery FROM sms_code WHERE id = $1", of: "sms_code", id.rawValue) {
                try $0.optionalText()
            } ?? nil
        }
    }

    package func deleteSMSCodes(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete SMS codes", locks: []) { db in
            let codes = try db.run(
                """
                DELETE FROM sms_code WHERE id IN
                    (SELECT id FROM sms_code WHERE issued_at < $1 LIMIT $2 \(Transaction.lockingFreeRows))
                """, moment.milliseconds, max(limit, 0))
            let budgets = try db.run(
                """
                DELETE FROM sms_budget WHERE (kind, name, begins_at) IN
                    (SELECT kind, name, begins_at FROM sms_budget WHERE ends_at < $1
                     LIMIT $2 \(Transaction.lockingFreeRows))
                """, moment.milliseconds, max(limit, 0))
            return codes + budgets
        }
    }
}

enum SMSBudgetRows {
    /// One more in each, if there is room in all of them.
    ///
    /// - Returns: the first that has none; then nothing is counted.
    static func count(_ budgets: [SMSBudget], _ db: some StatementRunner) throws -> SMSBudget.Kind? {
        // In one order, so that no two wait for each other.
        let budgets = budgets.sorted { $0.kind.rawValue < $1.kind.rawValue }
        for (place, budget) in budgets.enumerated() where try !count(budget, db) {
            for counted in budgets.prefix(place) { try uncount(counted, db) }
            return budget.kind
        }
        return nil
    }

    /// One more, if there is room; false, and nothing changed, if not.
    private static func count(_ budget: SMSBudget, _ db: some StatementRunner) throws -> Bool {
        try db.run(
            """
            INSERT INTO sms_budget (kind, name, begins_at, ends_at, count) SELECT $1, $2, $3, $4, 1 WHERE $5 > 0
            ON CONFLICT (kind, name, begins_at) DO UPDATE SET count = sms_budget.count + 1 WHERE sms_budget.count < $5
            """, budget.kind.rawValue, budget.name.bytes, budget.begin.milliseconds, budget.end.milliseconds,
            budget.limit) == 1
    }

    private static func uncount(_ budget: SMSBudget, _ db: some StatementRunner) throws {
        try db.run(
            "UPDATE sms_budget SET count = count - 1 WHERE kind = $1 AND name = $2 AND begins_at = $3",
            budget.kind.rawValue, budget.name.bytes, budget.begin.milliseconds)
    }
}

private enum SMSCodeRows {
    static let columns = """
        id, app, purpose, number, code, subscription, epoch, sim_generation, trace, tries_left, issued_at, expires_at
        """
    static let notTaken = "not taken"

    static func haveRoom(_ code: SMSCodeRecord, _ limit: SMSNumberLimit, _ db: some StatementRunner) throws -> Bool {
        let sent = try db.row(
            """
            SELECT count(*) FROM sms_code WHERE number = $1 AND issued_at > $2 AND (ended IS NULL OR ended <> $3)
            """, of: "sms_code", code.number.bytes, (code.issuedAt - limit.window).milliseconds, notTaken
        ) { try $0.integer(Int.self) }
        return (sent ?? 0) < limit.count
    }

    static func replace(with code: SMSCodeRecord, _ db: some StatementRunner) throws {
        try db.run(
            """
            UPDATE sms_code SET ended = 'replaced'
            WHERE number = $1 AND app = $2 AND purpose = $3 AND spent_at IS NULL AND ended IS NULL
            """, code.number.bytes, code.appID.rawValue, code.purpose.rawValue)
        try db.run(
            "INSERT INTO sms_code (\(columns)) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)", code.id.rawValue,
            code.appID.rawValue, code.purpose.rawValue, code.number.bytes, code.code.bytes,
            code.subscription?.subscription, code.subscription?.epoch, code.subscription?.simGeneration,
            code.trace.rawValue, code.triesLeft, code.issuedAt.milliseconds, code.expiresAt.milliseconds)
    }

    /// Why nothing was counted: the first reason in the order that ``SMSCodeAttemptOutcome`` documents.
    static func refusal(_ attempt: SMSCodeAttempt, _ db: some StatementRunner) throws -> SMSCodeAttemptOutcome {
        let found = try db.row(
            """
            SELECT \(columns), spent_at IS NOT NULL, ended IS NOT NULL FROM sms_code
            WHERE id = $1 AND app = $2 AND purpose = $3
            """, of: "sms_code", attempt.id.rawValue, attempt.appID.rawValue, attempt.purpose.rawValue
        ) { columns in (record: try decode(&columns), isSpent: try columns.bool(), hasEnded: try columns.bool()) }
        guard let found else { return .unknown }
        if found.isSpent { return .alreadySpent(found.record) }
        if found.hasEnded { return .ended(found.record) }
        if attempt.now >= found.record.expiresAt { return .expired(found.record) }
        return .triesUsedUp(found.record)
    }

    static func decode(_ columns: inout some Columns) throws -> SMSCodeRecord {
        guard let id = SMSTransactionID(rawValue: try columns.text()) else { throw columns.damaged }
        let appID: AppID = try columns.raw()
        let purpose: TokenPurpose = try columns.raw()
        let (number, code) = (try columns.bytes(), try columns.bytes())
        let subscription: Int64? = try columns.optionalInteger()
        let epoch: Int32? = try columns.optionalInteger()
        let generation: Int32? = try columns.optionalInteger()
        var reference: SubscriptionReference?
        if let subscription, let epoch, let generation {
            reference = SubscriptionReference(subscription: subscription, epoch: epoch, simGeneration: generation)
        }
        return SMSCodeRecord(
            id: id, appID: appID, purpose: purpose, number: BlindIndex(bytes: number), code: BlindIndex(bytes: code),
            subscription: reference, trace: try columns.raw(), triesLeft: try columns.integer(),
            issuedAt: try columns.timestamp(), expiresAt: try columns.timestamp())
    }
}
