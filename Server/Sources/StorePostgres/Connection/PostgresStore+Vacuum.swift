import Store

extension PostgresStore {
    /// Which tables.
    struct Vacuumed {
        fileprivate var tables: [String]
        static let faces = Vacuumed(tables: [
            "face_key", "face_account", "face_binding", "face_credential", "face_group_member",
        ])
        static let all = Vacuumed(
            tables: faces.tables + [
                "subscription", "scrip", "token", "openid_credential", "familiar_key", "wrong_guess", "number_day",
                "trace_event", "consent", "app_key", "openid_key", "receipt_key", "data_secrets", "erasure",
            ])
    }

    package func forgetErasedFaces(_ count: Int) async {
        if count > 0 { _ = try? await vacuum(.faces) }
    }

    package func forgetReplaced() async {
        // Replaced values are old versions of rows, which a vacuum removes.
        _ = try? await vacuum()
    }

    /// How long an earlier transaction may be in the way.
    private static let longestWait: Duration = .seconds(2)

    /// Has PostgreSQL remove old versions of rows: deleting leaves them in the tables' files for whoever still reads an earlier state.
    ///
    /// What may be left afterwards is the bytes of free places in pages, and of the write-ahead log, until they are written over.
    ///
    /// - Returns: `false` if somebody still reads an earlier state.
    func vacuum(_ what: Vacuumed = .all) async throws(StoreError) -> Bool {
        let began = try await readOne("look for readers") { db in
            try db.row(
                "SELECT pg_snapshot_xmax(pg_current_snapshot())::text", of: "transaction", read: { try $0.text() })
                ?? "0"
        }
        let deadline = ContinuousClock.now + Self.longestWait
        while try await isHeld(before: began) {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(20))
        }
        let usual = "\(pool.deadlines.statement.components.seconds)s"
        try await pool.perform("vacuum") { connection in
            try connection.withoutTransaction { db in
                try db.run("SET statement_timeout = 0")
                defer { _ = try? db.run("SET statement_timeout = '\(usual)'") }
                for table in what.tables { try db.with(patience: .seconds(3600)) { _ = try db.run("VACUUM \(table)") } }
            }
        }
        return true
    }

    /// Whether anything keeps PostgreSQL from removing what was deleted before this transaction: a reader or a writer of this database, a
    /// prepared transaction, a standby's reader (`hot_standby_feedback`, or by its slot).
    private func isHeld(before transaction: String) async throws(StoreError) -> Bool {
        try await readOne("look for readers") { db in
            try db.hasRow(
                """
                SELECT 1 FROM (
                    SELECT greatest(age(backend_xmin), age(backend_xid)) AS age FROM pg_stat_activity
                        WHERE pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL)
                    UNION ALL SELECT age(transaction) FROM pg_prepared_xacts WHERE database = current_database()
                    UNION ALL SELECT age(xmin) FROM pg_replication_slots
                ) AS holders WHERE holders.age > age($1::xid8::xid)
                """, transaction)
        }
    }
}
