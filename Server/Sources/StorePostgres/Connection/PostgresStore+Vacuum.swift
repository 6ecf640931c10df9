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
                "subscription", "scrip", "token", "openid_credential", "familiar_key", "wrong_guess", "trace_event",
                "consent", "app_key", "openid_key", "receipt_key", "data_secrets", "erasure",
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
            try db.row("SELECT clock_timestamp()::text", of: "clock", read: { try $0.text() }) ?? ""
        }
        let deadline = ContinuousClock.now + Self.longestWait
        while try await isRead(since: began) {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(20))
        }
        try await pool.perform("vacuum") { connection in
            try connection.withoutTransaction { db in
                try db.run("SET statement_timeout = 0")
                defer { _ = try? db.run("SET statement_timeout = '15s'") }
                for table in what.tables { try db.with(patience: .seconds(3600)) { _ = try db.run("VACUUM \(table)") } }
            }
        }
        return true
    }

    private func isRead(since moment: String) async throws(StoreError) -> Bool {
        try await readOne("look for readers") { db in
            try db.hasRow(
                """
                SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND backend_xmin IS NOT NULL AND xact_start < $1::timestamptz
                """, moment)
        }
    }
}
