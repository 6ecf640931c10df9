package import BenjiProtocol
import GRDB
package import Store
import StoreRows

extension SQLiteStore {
    package func deleteConsents(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        guard try await read("read consents", { db in try ConsentRows.isDue(before: moment, limit: limit, db) }) else {
            return 0
        }
        let codes = rowCodes
        return try await write("delete consents") { db in
            try ConsentRows.delete(before: moment, limit: max(limit, 0), codes, db)
        }
    }

    package func shortenLedger(to day: Int32, limit: Int) async throws(StoreError) -> Int {
        let isDue = try await read("read ledger") { db in
            try db.hasRow(
                """
                SELECT 1 WHERE (SELECT day FROM ledger_begin) < ?1
                    OR (SELECT day FROM ledger ORDER BY id LIMIT 1) < ?1
                """, day)
        }
        guard isDue else { return 0 }
        let codes = rowCodes
        return try await write("shorten ledger") { db in
            if try db.run("UPDATE ledger_begin SET day = ?1 WHERE day < ?1", day) > 0 {
                try db.run("DELETE FROM billing_day WHERE day < ?", day)
                try db.run("DELETE FROM ledger_sum WHERE day < ?", day)
            }
            let gone = try db.rows(
                """
                DELETE FROM ledger WHERE id IN
                    (SELECT id FROM (SELECT id, day FROM ledger ORDER BY id LIMIT ?2)
                     WHERE day < (SELECT min(?1, day) FROM ledger_begin)) RETURNING id
                """, of: "ledger", day, max(limit, 0)
            ) { try $0.integer(Int64.self) }
            try LogRows.forget(.release, gone, db)
            try EvidenceMark.takeOff(.release, gone, codes, db)
            return gone.count
        }
    }

    package func ledgerBegin() async throws(StoreError) -> Int32 {
        try await read("read ledger") { db in
            try db.row("SELECT day FROM ledger_begin", of: "ledger_begin") { try $0.integer() } ?? 0
        }
    }
}
