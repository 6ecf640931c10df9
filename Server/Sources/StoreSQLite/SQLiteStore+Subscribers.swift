package import BenjiProtocol
import GRDB
import Logging
import Sightings
package import Store
import StoreRows

extension SQLiteStore {
    package var searchesFiles: Bool { true }

    package func eraseSubscriber(_ erasure: SubscriberErasure) async throws(StoreError) -> SubscriberErased {
        let wanted = erasure.subscription
        try await flushTraces()
        let (counts, remnants) = try await write("erase subscriber") { db in
            guard let row = try SubscriptionRows.find(wanted.id, db), row.epoch == wanted.epoch else {
                throw StoreError(.outdated, "erase subscriber: the row is gone, or its holder is another")
            }
            let counts = try SubscriberRows.counts(row.id, db)
            let remnants = try SubscriberRows.remnants(of: row, erasure.openIDs, db)
            try SubscriberRows.erase(row.id, openIDs: erasure.openIDs, db)
            try ErasureRows.insert(row.id, mark: erasure.mark, at: erasure.at, db)
            try AuditRows.insert(erasure.audit(counts), self.rowCodes, db)
            return (counts, remnants)
        }
        return SubscriberErased(counts: counts, isForgotten: await forget([wanted.id], remnants, at: erasure.at))
    }

    package func erasedSubscriptions(since moment: Timestamp) async throws(StoreError) -> [Int64] {
        try await read("read erased subscriptions") { db in
            try db.rows(
                "SELECT subscription FROM erasure WHERE at >= ? ORDER BY at, rowid", of: "erasure", moment.milliseconds
            ) { try $0.integer() }
        }
    }

    package func forgetErased(_ subscriptions: [Int64], at moment: Timestamp) async -> Bool {
        // The bytes to look for went with the commit. So every page is written again instead.
        await forget(subscriptions, nil, at: moment)
    }

    /// Takes erased content out of the files: first out of the log, then out of pages that have a copy of it.
    ///
    /// - Parameter remnants: the bytes to look for; if they are not known, every page is written again.
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
                try ErasedPages.note(db)
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

extension SubscriberRows {
    /// The bytes by which somebody who has the master key could tell that a row was a person's, and which.
    static func remnants(of row: SubscriptionRecord, _ openIDs: [String], _ db: Database) throws -> Remnants {
        var values = [row.numberIndex.bytes, row.sealedNumber.ownBytes, row.epochKey, row.sealedSIM?.ownBytes ?? []]
        values += try db.rows(
            "SELECT open_id FROM face_binding WHERE account IN (\(accounts))", of: "face_binding", row.id
        ) { Array(try $0.text().utf8) }
        for table in ["sms_code", "sms_upstream"] {
            values += try db.rows("SELECT DISTINCT number FROM \(table) WHERE subscription = ?", of: table, row.id) {
                try $0.bytes()
            }
        }
        let asked =
            "SELECT value FROM json_each(?1) WHERE EXISTS (SELECT 1 FROM openid_credential WHERE instr(details, value) > 0)"
        values += try db.rows(asked, of: "openid_credential", try openIDs.json) { Array(try $0.text().utf8) }
        // Its payload has what the app knows the person as.
        values += try db.rows("SELECT event FROM outbox WHERE subscription = ?", of: "outbox", row.id) {
            Array(try $0.text().utf8)
        }
        return Remnants(of: values)
    }
}
