package import BenjiProtocol
import GRDB
import Logging
import Sightings
package import Store

extension SQLiteStore {
    package func subscriberCounts(_ subscription: Int64) async throws(StoreError) -> [SubscriberPart: Int] {
        try await writer.flush()
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

    package func eraseSubscriber(_ erasure: SubscriberErasure) async throws(StoreError) -> SubscriberErased {
        let wanted = erasure.subscription
        try await writer.flush()
        let (counts, remnants) = try await write("erase subscriber") { db in
            guard let row = try SubscriptionRows.find(wanted.id, db), row.epoch == wanted.epoch else {
                throw StoreError(.outdated, "erase subscriber: the row is gone, or its holder is another")
            }
            let counts = try SubscriberRows.counts(row.id, db)
            let remnants = try SubscriberRows.remnants(of: row, erasure.openIDs, db)
            try SubscriberRows.erase(row.id, openIDs: erasure.openIDs, db)
            try ErasureRows.insert(row.id, mark: erasure.mark, at: erasure.at, db)
            try AuditRows.insert(erasure.audit(counts), db)
            return (counts, remnants)
        }
        return SubscriberErased(counts: counts, isForgotten: await forget([wanted.id], remnants, at: erasure.at))
    }

    package func finishErasures(at now: Timestamp, patience: Duration) async throws(StoreError) -> Int {
        let open = try await read("find erasures") { db in
            try ErasureRows.find(.committed, until: now - patience, db)
        }
        // What to look for went with the commit. So nothing is looked for, and every page is written anew.
        let isDone = open.isEmpty ? true : await forget(open, nil, at: now)
        let late = try await read("find erasures") { db in
            try ErasureRows.find(.forgotten, until: now - ErasureRows.longestRequest, db)
        }
        if !late.isEmpty {
            try await write("finish erasures") { db in
                for subscription in late { try SubscriberRows.erase(subscription, openIDs: [], db) }
                try ErasureRows.put(late, .swept, db)
            }
        }
        let old = try await read("find erasures") { db in
            try ErasureRows.find(.swept, until: now - SubscriberErasure.memory, db)
        }
        if !old.isEmpty { try await write("forget erasures") { db in try ErasureRows.delete(old, db) } }
        return isDone ? 0 : open.count
    }

    package func unfinishedErasures() async throws(StoreError) -> Int {
        try await read("find erasures") { db in
            try ErasureRows.find(.committed, until: Timestamp(milliseconds: .max), db).count
        }
    }

    package func unfinishedErasure(_ mark: [UInt8]) async throws(StoreError) -> Int64? {
        try await read("find erasures") { db in
            try db.row(
                "SELECT subscription FROM erasure WHERE state = ? AND mark = ?", of: "erasure",
                ErasureRows.State.committed.rawValue, mark
            ) { try $0.integer() }
        }
    }

    package func erasedSubscriptions(since moment: Timestamp) async throws(StoreError) -> [Int64] {
        try await read("find erasures") { db in
            try db.rows(
                "SELECT subscription FROM erasure WHERE at >= ? ORDER BY at, rowid", of: "erasure", moment.milliseconds
            ) { try $0.integer() }
        }
    }

    /// Takes what was erased out of the files: first out of the log, then out of pages that have a copy of it.
    ///
    /// - Parameter remnants: what to look for; if that is not known, every page is written anew.
    /// - Returns: whether it is done. If not, it is tried again.
    private func forget(_ subscriptions: [Int64], _ remnants: Remnants?, at moment: Timestamp) async -> Bool {
        do {
            guard await forgetErasedPages() else { return false }
            try await emptyLog()
            // A rotation of the master key left the same person under other bytes than those that are looked for.
            let formerKeys = try await read("read former keys") { db in try MasterKeyRows.unforgotten(db) }
            let isLeft =
                if let remnants, formerKeys.isEmpty { try await remnants.isInFiles(of: pool) } else { true }
            if isLeft {
                try await pool.vacuum()
                try await emptyLog()
                let retired = formerKeys.filter(\.isRetired).map(\.check)
                if !retired.isEmpty {
                    try await write("forget former keys") { db in
                        try MasterKeyRows.forget(retired, at: moment, db)
                    }
                }
            }
            if let remnants, isLeft, try await remnants.isInFiles(of: pool) {
                logger.error("what was erased is still in the database, after every page was written anew")
                return false
            }
            try await write("finish erasures") { db in
                try ErasureRows.put(subscriptions, .forgotten, db)
                // The log has the marks still.
                try FaceErasing.noteErasure(db)
            }
            await forgetErasedPages()
            return true
        } catch {
            let reason = StoreError(error, during: "take an erased subscriber out of the files").detail
            let isReader = [.SQLITE_BUSY, .SQLITE_LOCKED].contains((error as? DatabaseError)?.resultCode)
            let advice = isReader ? await readerAdvice : StoreError.advice(error)
            logger.warning(
                "an erased subscriber's bytes may still be in the database's files; it is tried again",
                metadata: ["reason": "\(reason)", "advice": "\(advice)"])
            return false
        }
    }

    /// Waits a moment for readers of an older state.
    private func emptyLog() async throws {
        for attempt in 1... {
            do { return try await pool.writeWithoutTransaction { db in try WriteAheadLog.emptyAtOnce(db) } } catch {
                guard attempt < 40 else { throw error }
                try await Task.sleep(for: .milliseconds(25))
            }
        }
    }
}

/// Which rows of the register were erased, and how far that is done.
enum ErasureRows {
    enum State: Int {
        /// The rows are gone; their bytes may still be in the files.
        case committed
        /// The bytes are gone. Requests that were under way may have written of the person since.
        case forgotten
        case swept
    }

    /// Longer than any request that read the row before it was erased.
    static let longestRequest: Duration = .seconds(3600)

    static func insert(_ subscription: Int64, mark: [UInt8], at moment: Timestamp, _ db: Database) throws {
        try db.run(
            "INSERT INTO erasure (subscription, at, state, mark) VALUES (?,?,?,?)", subscription, moment.milliseconds,
            State.committed.rawValue, mark)
    }

    static func find(_ state: State, until moment: Timestamp, _ db: Database) throws -> [Int64] {
        try db.rows(
            "SELECT subscription FROM erasure WHERE state = ? AND at <= ?", of: "erasure", state.rawValue,
            moment.milliseconds
        ) { try $0.integer() }
    }

    /// - Parameter state: one in which the mark has gone.
    static func put(_ subscriptions: [Int64], _ state: State, _ db: Database) throws {
        for subscription in subscriptions {
            try db.run(
                "UPDATE erasure SET state = ?2, mark = zeroblob(length(mark)) WHERE subscription = ?1", subscription,
                state.rawValue)
        }
    }

    static func delete(_ subscriptions: [Int64], _ db: Database) throws {
        for subscription in subscriptions { try db.run("DELETE FROM erasure WHERE subscription = ?", subscription) }
    }
}

/// Everything that names a row of the register, table by table.
enum SubscriberRows {
    /// The traces of a row's holders.
    private static let traces = "SELECT DISTINCT trace FROM trace_event WHERE subscription = ?1"
    private static let accounts = "SELECT id FROM face_account WHERE subscription = ?1"

    static func counts(_ subscription: Int64, _ db: Database) throws -> [SubscriberPart: Int] {
        var counts: [SubscriberPart: Int] = [:]
        for part in SubscriberPart.allCases {
            let rows =
                switch part {
                case .scrips: "scrip WHERE subscription = ?1"
                case .tokens: "token WHERE subscription = ?1"
                case .openIDCredentials: "openid_credential WHERE subscription = ?1"
                case .familiarKeys: "familiar_key WHERE subscription = ?1"
                case .wrongGuesses: "wrong_guess WHERE subscription = ?1"
                case .traces: "(\(traces))"
                case .consents: "consent WHERE subscription = ?1 AND subscription <> 0"
                case .faceAccounts: "face_account WHERE subscription = ?1"
                case .faceAuthorizations: "face_binding WHERE account IN (\(accounts))"
                case .faceCredentials: "face_credential WHERE account IN (\(accounts))"
                }
            counts[part] =
                try db.row("SELECT count(*) FROM \(rows)", of: "subscription", subscription) {
                    try $0.integer(Int.self)
                }
        }
        return counts
    }

    /// The bytes by which somebody who has the master key could tell that a row was a person's, and which.
    static func remnants(of row: SubscriptionRecord, _ openIDs: [String], _ db: Database) throws -> Remnants {
        var values = [row.numberIndex.bytes, row.sealedNumber.ownBytes, row.epochKey, row.sealedSIM?.ownBytes ?? []]
        values += try db.rows(
            "SELECT open_id FROM face_binding WHERE account IN (\(accounts))", of: "face_binding", row.id
        ) { Array(try $0.text().utf8) }
        let asked =
            "SELECT value FROM json_each(?1) WHERE EXISTS (SELECT 1 FROM openid_credential WHERE instr(details, value) > 0)"
        values += try db.rows(asked, of: "openid_credential", try openIDs.json) { Array(try $0.text().utf8) }
        return Remnants(of: values)
    }

    /// Removes everything but what is evidence, and from that whom it is about. Changes nothing if there is nothing.
    static func erase(_ subscription: Int64, openIDs: [String], _ db: Database) throws {
        for account in try db.rows(accounts, of: "face_account", subscription, read: { try $0.integer(Int64.self) }) {
            // Nobody is to be told: the devices' credentials go too.
            _ = try FaceErasing.erase(account, telling: nil, db)
        }
        try db.run(
            """
            DELETE FROM openid_credential WHERE family IN (SELECT family FROM openid_credential WHERE subscription = ?1)
                OR EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(details, value) > 0)
            """, subscription, try openIDs.json)
        for table in ["scrip", "token", "familiar_key", "wrong_guess"] {
            try db.run("DELETE FROM \(table) WHERE subscription = ?", subscription)
        }
        try db.run("DELETE FROM trace_event WHERE trace IN (\(traces))", subscription)
        try db.run(
            """
            UPDATE consent SET subscription = 0, epoch = 0, sim_generation = 0, token = NULL
            WHERE subscription = ? AND subscription <> 0
            """, subscription)
        try db.run("DELETE FROM subscription WHERE id = ?", subscription)
    }

    static func records(_ subscription: Int64, _ epoch: Int32, _ db: Database) throws -> SubscriberRecords {
        var records = SubscriberRecords()
        let given = [
            "SELECT 'scrip', app, NULL, expires_at FROM scrip",
            "SELECT 'token ' || purpose, app, issued_at, expires_at FROM token",
            "SELECT 'openid ' || kind, app, issued_at, expires_at FROM openid_credential",
        ].map { "\($0) WHERE subscription = ?1 AND epoch = ?2" }
        let faces = """
            SELECT 'face ' || kind, app, issued_at, expires_at FROM face_credential
            WHERE account IN (SELECT id FROM face_account WHERE subscription = ?1 AND epoch = ?2)
            """
        records.credentials = try db.rows(
            (given + [faces]).joined(separator: " UNION ALL "), of: "token", subscription, epoch
        ) { columns in
            SubscriberRecords.Credential(
                kind: try columns.text(), appID: try columns.raw(), issuedAt: try columns.optionalTimestamp(),
                expiresAt: try columns.timestamp())
        }
        records.familiarKeys = try db.rows(
            "SELECT app, device_key, seen_at FROM familiar_key WHERE subscription = ? AND epoch = ? ORDER BY app, device_key",
            of: "familiar_key", subscription, epoch
        ) { columns in
            SubscriberRecords.FamiliarKey(
                appID: try columns.raw(), deviceKey: try columns.text(), seenAt: try columns.timestamp())
        }
        records.consents = try ConsentRows.of(subscription, epoch, db)
        records.faceAccount = try db.row(
            "\(FaceRows.accounts) WHERE a.subscription = ? AND a.epoch = ?", of: "face_account", subscription, epoch,
            read: FaceRows.account)
        if let account = records.faceAccount?.id {
            records.faceBindings = try db.rows(
                "\(FaceRows.bindings) WHERE account = ? ORDER BY app", of: "face_binding", account,
                read: FaceRows.binding)
        }
        return records
    }

    static func ledger(_ traces: [String], _ db: Database) throws -> [LedgerEntry] {
        try db.rows(
            """
            SELECT \(LedgerRows.columns) FROM ledger WHERE trace IN (SELECT value FROM json_each(?)) ORDER BY id
            """, of: "ledger", try traces.json, read: LedgerRows.decode)
    }
}
