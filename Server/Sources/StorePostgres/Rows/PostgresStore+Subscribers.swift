package import BenjiProtocol
import Logging
import Sightings
package import Store
import StoreRows

extension PostgresStore {
    package var cleansFiles: Bool { false }

    package func eraseSubscriber(_ erasure: SubscriberErasure) async throws(StoreError) -> SubscriberErased {
        let wanted = erasure.subscription
        try await flushTraces()
        let counts = try await write("erase subscriber", locks: [.faces]) { db in
            _ = try db.hasRow("SELECT 1 FROM subscription WHERE id = $1 FOR UPDATE", wanted.id)
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
                "SELECT subscription FROM erasure WHERE at >= $1 ORDER BY at, id", of: "erasure", moment.milliseconds
            ) { try $0.integer() }
        }
    }

    /// Removes the old versions of erased rows from the tables.
    package func forgetErased(_ subscriptions: [Int64], at _: Timestamp) async -> Bool {
        do throws(StoreError) {
            let outcome = try await vacuum()
            guard outcome == .done else {
                // It stays so until the owner's command, and readiness counts the erasures meanwhile.
                if outcome == .refused, !isFirstRefusal() { return false }
                let advice =
                    outcome == .held
                    ? "end whatever reads the database for long, such as pg_dump, or wait for it"
                    : "run benji store vacuum once an hour as the owner of the tables"
                logger.warning(
                    "an erased subscriber's old rows may still be in the database; it is tried again",
                    metadata: ["advice": "\(advice)"])
                return false
            }
            try await write("finish erasures") { db in try ErasureRows.put(subscriptions, .forgotten, db) }
            return true
        } catch {
            logger.warning(
                "an erased subscriber's old rows may still be in the database; it is tried again",
                metadata: ["reason": "\(error.detail)"])
            return false
        }
    }
}
