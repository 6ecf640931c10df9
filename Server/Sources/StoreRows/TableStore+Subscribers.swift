package import BenjiProtocol
package import Store

extension TableStore {
    package func subscriberCounts(_ subscription: Int64) async throws(StoreError) -> [SubscriberPart: Int] {
        try await flushTraces()
        return try await read("count subscriber") { db in try SubscriberRows.counts(subscription, db) }
    }

    package func subscriberRecords(
        _ subscription: Int64, epoch: Int32
    ) async throws(StoreError) -> SubscriberRecords {
        let filter = TraceFilter(subscription: subscription, epoch: epoch)
        let traces = try await traces(filter, limit: .max)
        var records = try await read("read subscriber") { db in
            try SubscriberRows.records(subscription, epoch, db)
        }
        records.traces = traces
        let known = Set(traces.map(\.trace) + records.consents.map(\.trace)).map(\.rawValue)
        records.ledger = try await read("read subscriber's ledger") { db in try SubscriberRows.ledger(known, db) }
        return records
    }

    package func withdrawConsents(_ withdrawal: ConsentWithdrawal) async throws(StoreError) -> [SubscriberPart: Int] {
        let wanted = withdrawal.subscription
        return try await write("withdraw consents", locks: .faceWrites) { db in
            guard
                try db.hasRow(
                    "SELECT 1 FROM subscription WHERE id = $1 AND epoch = $2 \(type(of: db).lockingRows)", wanted.id,
                    wanted.epoch)
            else { throw StoreError(.outdated, "withdraw consents: the row is gone, or its holder is another") }
            let counts = try SubscriberRows.withdraw(wanted, from: withdrawal.appID, at: withdrawal.at, db)
            guard !counts.isEmpty else { return [:] }
            if let event = withdrawal.event { try OutboxRows.insert(event, db) }
            try AuditRows.insert(withdrawal.audit(counts), self.rowCodes, db)
            return counts
        }
    }

    package func finishErasures(at now: Timestamp, patience: Duration) async throws(StoreError) -> Int {
        let open = try await read("find erasures") { db in
            try ErasureRows.find(.committed, until: now - patience, db)
        }
        let isDone = open.isEmpty ? true : await forgetErased(open, at: now)
        let late = try await read("find erasures") { db in
            try ErasureRows.find(.forgotten, until: now - ErasureRows.longestRequest, db)
        }
        if !late.isEmpty {
            try await write("finish erasures", locks: [.faces]) { db in
                for subscription in late { try SubscriberRows.erase(subscription, openIDs: [], db) }
                try ErasureRows.put(late, .swept, db)
            }
        }
        let old = try await read("find erasures") { db in
            try ErasureRows.find(.swept, until: now - SubscriberErasure.memory, db)
        }
        if !old.isEmpty { try await write("forget erasures", locks: []) { db in try ErasureRows.delete(old, db) } }
        return isDone ? 0 : open.count
    }

    package func unfinishedErasures() async throws(StoreError) -> Int {
        try await read("count erasures") { db in
            try ErasureRows.find(.committed, until: Timestamp(milliseconds: .max), db).count
        }
    }

    package func unfinishedErasure(_ mark: [UInt8]) async throws(StoreError) -> Int64? {
        try await read("find erasures") { db in
            try db.row(
                "SELECT subscription FROM erasure WHERE state = $1 AND mark = $2", of: "erasure",
                ErasureRows.State.committed.rawValue, mark
            ) { try $0.integer() }
        }
    }
}

/// Which rows of the register were erased, and how far that is done.
package enum ErasureRows {
    package enum State: Int {
        /// The rows are gone; their bytes may still be in the files.
        case committed
        /// The bytes are gone. Requests that were under way may have written of the person since.
        case forgotten
        case swept
    }

    /// Longer than any request that read the row before it was erased.
    package static let longestRequest: Duration = .seconds(3600)

    package static func insert(_ subscription: Int64, mark: [UInt8], at moment: Timestamp, _ db: some StatementRunner)
        throws
    {
        try db.run(
            "INSERT INTO erasure (subscription, at, state, mark) VALUES ($1,$2,$3,$4)", subscription,
            moment.milliseconds,
            State.committed.rawValue, mark)
    }

    package static func find(_ state: State, until moment: Timestamp, _ db: some StatementRunner) throws -> [Int64] {
        try db.rows(
            "SELECT subscription FROM erasure WHERE state = $1 AND at <= $2", of: "erasure", state.rawValue,
            moment.milliseconds
        ) { try $0.integer() }
    }

    /// - Parameter state: one in which the mark has gone.
    package static func put(_ subscriptions: [Int64], _ state: State, _ db: some StatementRunner) throws {
        for subscription in subscriptions {
            try db.run(
                "UPDATE erasure SET state = $2, mark = $3 WHERE subscription = $1", subscription, state.rawValue,
                [UInt8](repeating: 0, count: 32))
        }
    }

    package static func delete(_ subscriptions: [Int64], _ db: some StatementRunner) throws {
        for subscription in subscriptions { try db.run("DELETE FROM erasure WHERE subscription = $1", subscription) }
    }
}
