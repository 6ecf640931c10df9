package import GRDB
package import Store
package import StoreRows

/// A file as the source of a copy in another database.
extension SQLiteStore {
    /// Lets `body` read the file while writers are locked out: they wait, and fail after five seconds. Changes nothing.
    ///
    /// - Throws: ``StoreError/Code/outdated`` if the file has an earlier schema; otherwise as ``init(path:logger:)``.
    package static func withExclusiveAccess<Value>(
        path: String, _ body: (CopySource<Database>) throws -> Value
    ) throws(StoreError) -> Value {
        let pool = try DatabaseFile.open(path, bringingForward: false)
        do {
            defer { try? pool.close() }
            return try pool.writeWithoutTransaction { db in
                var value: Value?
                try db.inTransaction(.immediate) {
                    value = try body(source(db))
                    return .rollback
                }
                guard let value else { throw StoreError(.unavailable, "copy: SQLite ended the transaction") }
                return value
            }
        } catch { throw StoreError(error, during: "copy \(path)") }
    }

    /// Lets `body` read the state that is committed at this moment, while others may write.
    ///
    /// - Throws: as ``init(lookingAt:logger:)``.
    package static func look<Value>(
        path: String, _ body: (CopySource<Database>) throws -> Value
    ) throws(StoreError) -> Value {
        let look = try DatabaseFile.look(at: path)
        do {
            defer { try? look.close() }
            return try withoutActuallyEscaping(body) { body in
                try look.read { db in
                    try Schema.refuseForeign(db)
                    return try body(source(db))
                }
            }
        } catch { throw StoreError(error, during: "look at \(path)") }
    }

    private static func source(_ db: Database) throws -> CopySource<Database> {
        let columns = try db.rows(
            """
            SELECT t.name, c.name FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            """, of: "sqlite_master"
        ) { (table: try $0.text(), column: try $0.text()) }
        let numbers = try db.rows("SELECT name, seq FROM sqlite_sequence", of: "sqlite_sequence") {
            (try $0.text(), try $0.integer(Int64.self))
        }
        var tables = Dictionary(grouping: columns, by: \.table).mapValues { Set($0.map(\.column)) }
        for own in Schema.ownTables { tables[own] = nil }
        for (table, own) in Schema.ownColumns { tables[table]?.subtract(own) }
        return CopySource(
            runner: db, tables: tables, expressions: ["erasure.id": "rowid"],
            lastNumbers: Dictionary(uniqueKeysWithValues: numbers))
    }
}

extension Schema {
    /// Tables that are of use in this file alone.
    fileprivate static let ownTables = ["grdb_migrations", "heartbeat"]
    /// Columns that are of use in this file alone: for how rows lie in it and what its pages still hold.
    fileprivate static let ownColumns = ["token": ["room", "listed"], "master_key": ["forgotten_at"]]
}
