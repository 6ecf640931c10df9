package import BenjiProtocol
package import Store

extension TableStore {
    package func ledgerEntries(
        app: AppID, _ range: LedgerRange, before: Int64?, limit: Int
    ) async throws(StoreError) -> [LedgerEntry] {
        try await read("read ledger") { db in
            try db.rows(
                """
                SELECT \(LedgerRows.columns) FROM ledger
                WHERE app = $1 AND ($2 IS NULL OR at >= $2) AND ($3 IS NULL OR at < $3) AND ($4 IS NULL OR id < $4)
                ORDER BY id DESC LIMIT $5
                """, of: "ledger", app.rawValue, range.since?.milliseconds, range.until?.milliseconds, before,
                max(limit, 0), read: LedgerRows.decode)
        }
    }
}

package enum LedgerRows {
    package static let columns = "id, app, trace, interface, result, assurance, at"

    package static func decode(_ columns: inout some Columns) throws -> LedgerEntry {
        LedgerEntry(
            id: try columns.integer(), appID: try columns.raw(), trace: try columns.raw(),
            interface: try columns.text(), result: try columns.text(),
            assurance: try columns.optionalText().flatMap(Assurance.init(rawValue:)), at: try columns.timestamp())
    }
}
