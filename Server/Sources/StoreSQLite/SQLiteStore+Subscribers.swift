package import BenjiProtocol
import GRDB
import Logging
import Sightings
package import Store
import StoreRows

extension SQLiteStore {
    package var cleansFiles: Bool { true }

    package func eraseSubscriber(_ erasure: SubscriberErasure) async throws(StoreError) -> SubscriberErased {
        let wanted = erasure.subscription
        try await flushTraces()
        let counts = try await write("erase subscriber") { db in
            guard let row = try SubscriptionRows.find(wanted.id, db), row.epoch == wanted.epoch else {
                throw StoreError(.outdated, "erase subscriber: the row is gone, or its holder is another")
            }
            let counts = try SubscriberRows.counts(row.id, db)
            try SubscriberRows.erase(row.id, openIDs: erasure.openIDs, db)
            try ErasureRows.insert(row.id, mark: erasure.mark, at: erasure.at, db)
            try AuditRows.insert(erasure.audit(counts), self.rowCodes, db)
            return counts
        }
        return SubscriberErased(counts: counts, isForgotten: await forgetErased([wanted.id], at: erasure.at))
    }

    package func erasedSubscriptions(since moment: Timestamp) async throws(StoreError) -> [Int64] {
        try await read("read erased subscriptions") { db in
            try db.rows(
                "SELECT subscription FROM erasure WHERE at >= ? ORDER BY at, rowid", of: "erasure", moment.milliseconds
            ) { try $0.integer() }
        }
    }

    /// Removes the erased bytes from the files. Deleted rows leave bytes in the log and in free parts of pages, so the
    /// log is emptied and every page is written again.
    ///
    /// - Returns: whether it is done. If not, it is tried again.
    package func forgetErased(_ subscriptions: [Int64], at moment: Timestamp) async -> Bool {
        do {
            guard await forgetErasedPages() else { return false }
            let retired = try await read("read former keys") { db in try MasterKeyRows.unforgotten(db) }
                .filter(\.isRetired).map(\.check)
            try await pool.vacuum()
            try await emptyLog()
            if !retired.isEmpty {
                try await write("forget former keys") { db in try MasterKeyRows.forget(retired, at: moment, db) }
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
