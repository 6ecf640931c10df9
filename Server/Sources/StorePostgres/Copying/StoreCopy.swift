package import Store
package import StoreRows

/// A copy of another store in a PostgreSQL database.
///
/// It is made and compared in one transaction: it is there as a whole, or not at all. While it is made no server can
/// begin there.
package struct StoreCopy {
    private let session: Session
    private let servingRole: String?

    /// - Parameters:
    ///   - servingRole: the role that servers connect as, which gets its rights with the copy; `nil` if they own it.
    ///   - insistsOnDurability: `false` for tests alone.
    /// - Throws: as ``PostgresStore/init(_:connections:bringingForward:insistsOnDurability:logger:)``.
    package init(
        _ parameters: ConnectionParameters, servingRole: String? = nil, insistsOnDurability: Bool = true
    ) throws(StoreError) {
        self.servingRole = servingRole
        do {
            session = try ReadySession.make(parameters, insistsOnDurability: insistsOnDurability)
            // The last statement of all may take long, and so may reading from the other store between two statements.
            try session.run("SET statement_timeout = 0")
            try session.run("SET idle_in_transaction_session_timeout = 0")
        } catch { throw StoreError(error, during: "open") }
    }

    /// Makes the tables and fills them. Blocks while it does.
    ///
    /// - Parameter progress: Receives the share that is done, from 0 to 1.
    /// - Returns: The comparison of each table afterwards; all are equal.
    /// - Throws: ``StoreError/Code/alreadyExists`` if there are rows already; ``StoreError/Code/corrupt`` if the two
    ///   cannot have the same rows. Nothing is there then. A failure at the very end, of the commit, leaves that
    ///   unknown.
    package func make(
        of source: CopySource<some StatementRunner>, progress: (Double) -> Void = { _ in }
    ) throws(StoreError) -> [TableComparison] {
        do {
            try ServingRights.requireOwner("a copy takes the owner", "benji store copy", session)
            return try session.with(patience: .seconds(3600)) {
                session.begin(first: StoreLock.statements([.schema]))
                do {
                    try Schema.takeOwnersRole(session)
                    try Schema.makeMissing(session)
                    if let servingRole { try ServingRights.give(to: servingRole, session) }
                    let tables = try CopiedTables.all(session)
                    try CopiedTables.refuseOthers(tables, than: source)
                    try refuseRows(tables)
                    let comparisons = try fill(tables, source, progress)
                    if let unequal = comparisons.first(where: { !$0.isEqual }) {
                        throw StoreError(.corrupt, "copy: \(unequal.table) is not the same after it was copied")
                    }
                    try session.run("ANALYZE \(tables.map(\.name).joined(separator: ", "))")
                    try session.commit()
                    return comparisons
                } catch {
                    let wasCommitting = session.commitIsUnderWay
                    session.rollBack()
                    guard wasCommitting, let failure = error as? ServerFailure, failure.isLost else { throw error }
                    throw StoreError(
                        .unavailable,
                        "copy: \(failure.words) while it committed; the copy is there as a whole, or nothing of it")
                }
            }
        } catch { throw StoreError(error, during: "copy") }
    }

    /// Compares every row with the store that it should be a copy of, as of one moment. Changes nothing.
    ///
    /// - Throws: ``StoreError/Code/notFound`` if there are no tables.
    package func compare(
        with source: CopySource<some StatementRunner>, progress: (Double) -> Void = { _ in }
    ) throws(StoreError) -> [TableComparison] {
        do {
            return try session.with(patience: .seconds(3600)) {
                guard try Schema.isThere(session) else { throw StoreError(.notFound, "compare: it has no tables") }
                try Schema.refuseOther(session)
                session.begin(Session.beginToRead)
                defer { session.rollBack() }
                let tables = try CopiedTables.all(session)
                try CopiedTables.refuseOthers(tables, than: source)
                let total = try tables.reduce(0) { try $0 + source.count($1) }
                var done = 0
                return try compare(tables, source) {
                    done += 1
                    progress(Double(done) / Double(total))
                }
            }
        } catch { throw StoreError(error, during: "compare") }
    }

    // MARK: the parts

    /// Keeps everybody else out of the tables, and refuses them if something is in one.
    private func refuseRows(_ tables: [CopiedTable]) throws {
        try session.run("LOCK TABLE \(tables.map(\.name).joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
        let filled = try tables.filter {
            try !CopiedTables.begun.contains($0.name) && session.hasRow("SELECT 1 FROM \($0.name) LIMIT 1")
        }
        guard filled.isEmpty else {
            throw StoreError(
                .alreadyExists, "copy: there are rows already (\(filled.map(\.name).joined(separator: ", ")))")
        }
    }

    private func fill(
        _ tables: [CopiedTable], _ source: CopySource<some StatementRunner>, _ progress: (Double) -> Void
    ) throws -> [TableComparison] {
        // Each row is written and then compared.
        let total = 2 * (try tables.reduce(0) { try $0 + source.count($1) })
        var done = 0
        for table in tables {
            do {
                var rows = source.rows(of: table)
                while case let page = try rows.nextPage(), !page.isEmpty {
                    try session.run([Self.inserting(page, table)])
                    done += page.count
                    progress(Double(done) / Double(total))
                }
                try countOn(table, source)
            } catch { throw StoreError(error, during: "copy \(table.name)") }
        }
        return try compare(tables, source) {
            done += 1
            progress(Double(done) / Double(total))
        }
    }

    /// Has the database number new rows from beyond every number that was given out.
    private func countOn(_ table: CopiedTable, _ source: CopySource<some StatementRunner>) throws {
        guard let series = table.series else { return }
        try session.run(
            """
            SELECT setval(pg_get_serial_sequence($1, $2), last) FROM
                (SELECT greatest($3, max(\(series))) AS last FROM \(table.name)) AS given WHERE last > 0
            """, "\(Schema.name).\(table.name)", series, source.lastNumbers[table.name])
    }

    private func compare(
        _ tables: [CopiedTable], _ source: CopySource<some StatementRunner>, compared: () -> Void
    ) throws -> [TableComparison] {
        try tables.map { table in
            var comparison = try TableComparison(
                of: table, from: source.rows(of: table), to: TableRows(of: table, in: session), compared: compared)
            if let series = table.series {
                comparison.repeatsNumbers = try !session.hasRow(
                    """
                    SELECT 1 FROM (SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass), \
                    0) AS last) AS s
                    WHERE last >= $3
                    """, "\(Schema.name).\(table.name)", series, source.lastNumbers[table.name] ?? 0)
            }
            return comparison
        }
    }

    private static func inserting(_ rows: [CopiedRow], _ table: CopiedTable) -> Statement {
        let columns = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let arguments = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        var sql = "INSERT INTO \(table.name) (\(columns)) SELECT * FROM unnest(\(arguments))"
        if CopiedTables.begun.contains(table.name) {
            // The schema made the row, which is never deleted.
            let key = table.key.map { "\"\(table.columns[$0].name)\"" }.joined(separator: ", ")
            let changes = table.columns.map { "\"\($0.name)\" = excluded.\"\($0.name)\"" }.joined(separator: ", ")
            sql += " ON CONFLICT (\(key)) DO UPDATE SET \(changes)"
        }
        var statement = Statement(sql)
        statement.arguments = table.columns.indices.map { place in
            argument(table.columns[place].kind, rows.map { $0.values[place] })
        }
        return statement
    }

    /// A column's values as one array.
    private static func argument(_ kind: CopiedTable.Kind, _ values: [SQLValue]) -> Statement.Argument {
        switch kind {
        case .int64: Statement.Argument(Values(values.map(\.int64)))
        case .int32: Statement.Argument(Values(values.map(\.int32)))
        case .bool: Statement.Argument(Values(values.map(\.bool)))
        case .text: Statement.Argument(Values(values.map(\.text)))
        case .bytes: Statement.Argument(Values(values.map(\.bytes)))
        }
    }
}

/// The value as its type; `nil` for NULL.
extension SQLValue {
    fileprivate var int64: Int64? { if case .int64(let value) = self { value } else { nil } }
    fileprivate var int32: Int32? { if case .int32(let value) = self { value } else { nil } }
    fileprivate var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    fileprivate var text: String? { if case .text(let value) = self { value } else { nil } }
    fileprivate var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}
