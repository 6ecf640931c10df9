import Store
import StoreRows

/// The tables that a copy fills, as listed by the database itself, so that a new one cannot be forgotten.
enum CopiedTables {
    /// Useful in this database alone.
    private static let own: Set<String> = ["schema_version", "heartbeat", "database_history", "node_heartbeat"]
    /// Tables that the schema makes with a row in them.
    static let begun: Set<String> = ["ledger_begin"]

    /// All of them, each after those whose rows it names.
    static func all(_ session: Session) throws -> [CopiedTable] {
        let columns = try session.rows(
            """
            SELECT t.relname::text, c.attname::text, format_type(c.atttypid, NULL), c.attidentity <> '',
                array_position(k.indkey::smallint[], c.attnum)
            FROM pg_class AS t JOIN pg_attribute AS c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
            LEFT JOIN pg_index AS k ON k.indrelid = t.oid AND k.indisprimary
            WHERE t.relnamespace = to_regnamespace($1) AND t.relkind = 'r' ORDER BY t.relname, c.attnum
            """, of: "pg_attribute", Schema.name
        ) { row in
            (
                table: try row.text(), name: try row.text(), type: try row.text(), isNumbered: try row.bool(),
                key: try row.optionalInteger(Int.self)
            )
        }
        let references = try session.rows(
            """
            SELECT t.relname::text, named.relname::text FROM pg_constraint AS r JOIN pg_class AS t ON t.oid = r.conrelid
            JOIN pg_class AS named ON named.oid = r.confrelid
            WHERE r.contype = 'f' AND t.relnamespace = to_regnamespace($1)
            """, of: "pg_constraint", Schema.name
        ) { (table: try $0.text(), named: try $0.text()) }
        var left = try Dictionary(grouping: columns, by: \.table).filter { !own.contains($0.key) }.mapValues {
            columns in
            CopiedTable(
                name: columns[0].table,
                columns: try columns.map { column in
                    guard let kind = CopiedTable.Kind(rawValue: column.type) else {
                        throw StoreError(.corrupt, "copy: \(column.table).\(column.name) is of the type \(column.type)")
                    }
                    return CopiedTable.Column(name: column.name, kind: kind)
                },
                key: columns.indices.filter { columns[$0].key != nil }.sorted { columns[$0].key! < columns[$1].key! },
                series: columns.first(where: \.isNumbered)?.name)
        }
        var tables: [CopiedTable] = []
        while !left.isEmpty {
            let next = left.keys.filter { name in
                !references.contains { $0.table == name && $0.named != name && left[$0.named] != nil }
            }.sorted()
            guard !next.isEmpty else { throw StoreError(.corrupt, "copy: tables name each other in a circle") }
            tables += next.compactMap { left.removeValue(forKey: $0) }
        }
        return tables
    }

    /// Refuses a store with tables or columns that have no counterpart.
    static func refuseOthers(_ tables: [CopiedTable], than source: CopySource<some StatementRunner>) throws {
        let here = Dictionary(
            uniqueKeysWithValues: tables.map { table in
                let columns = table.columns.map(\.name).filter { source.expressions["\(table.name).\($0)"] == nil }
                return (table.name, Set(columns))
            })
        let names = Set(here.keys).union(source.tables.keys).filter { here[$0] != source.tables[$0] }
        guard let name = names.min() else { return }
        let columns = (here[name] ?? []).symmetricDifference(source.tables[name] ?? []).sorted()
        throw StoreError(
            .corrupt,
            "copy: only one of the two databases has the table or columns \(name) "
                + "(\(columns.joined(separator: ", "))). Nothing is copied, "
                + "because something could be lost")
    }
}
