package import BenjiProtocol
import Logging
package import Store
import StoreRows
import Synchronization

extension PostgresStore {
    /// Whether old versions of rows were removed.
    enum VacuumOutcome {
        case done
        /// Another session still reads an earlier state.
        case held
        /// The session's user may not: it does not own the tables, and before PostgreSQL 17 no right lets it.
        case refused
    }

    /// Which tables.
    struct Vacuumed {
        var tables: [String]
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
        if count > 0 { await vacuumOrSay(.faces) }
    }

    package func forgetReplaced() async {
        // Replaced values are old versions of rows, which a vacuum removes.
        await vacuumOrSay(.all)
    }

    /// Vacuums. Logs a warning, once for each process, if only the owner of the tables may vacuum.
    private func vacuumOrSay(_ what: Vacuumed) async {
        guard (try? await vacuum(what)) == .refused, isFirstRefusal() else { return }
        logger.warning(
            "old versions of erased faces' rows and of replaced keys stay in the database until its owner vacuums",
            metadata: ["advice": "run benji store vacuum once an hour as the owner of the tables"])
    }

    /// Whether nothing in the log of this process says yet that the owner must vacuum. The caller says it.
    func isFirstRefusal() -> Bool {
        namesVacuum.withLock { isSaid in
            defer { isSaid = true }
            return !isSaid
        }
    }

    /// How long an earlier transaction may be in the way.
    private static let longestWait: Duration = .seconds(2)

    /// Has PostgreSQL remove old row versions. A deletion leaves them in the tables' files for readers of an earlier
    /// state.
    ///
    /// Bytes may remain in free space of pages, and in the write-ahead log, until they are overwritten.
    ///
    /// PostgreSQL skips a table that the user may not vacuum, with only a warning. So this checks the right first.
    func vacuum(_ what: Vacuumed = .all) async throws(StoreError) -> VacuumOutcome {
        guard try await mayVacuum(what) else { return .refused }
        let began = try await readOne("look for readers") { db in
            try db.row(
                "SELECT pg_snapshot_xmax(pg_current_snapshot())::text", of: "transaction", read: { try $0.text() })
                ?? "0"
        }
        let deadline = ContinuousClock.now + Self.longestWait
        while try await isHeld(before: began) {
            guard ContinuousClock.now < deadline else { return .held }
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
        return .done
    }

    /// Vacuums as the owner of the tables does for servers that may not, and ends erasures that waited for it.
    ///
    /// - Returns: how many erasures are unfinished.
    /// - Throws: ``StoreError/Code/unavailable`` if the user may not vacuum, or if somebody still reads an earlier
    ///   state.
    package func vacuumErased(at now: Timestamp) async throws(StoreError) -> Int {
        // Their rows are gone, so the vacuum removes the old versions of all of them.
        let waiting = try await read("find erasures") { db in
            try ErasureRows.find(.committed, until: Timestamp(milliseconds: .max), db)
        }
        switch try await vacuum() {
        case .done:
            if !waiting.isEmpty {
                try await write("finish erasures") { db in try ErasureRows.put(waiting, .forgotten, db) }
            }
            return try await finishErasures(at: now, patience: .zero)
        case .held:
            throw StoreError(
                .unavailable,
                "vacuum: somebody reads an earlier state of the database; end that, such as pg_dump, or wait for it, "
                    + "and run "
                    + "this again")
        case .refused:
            throw try await readOne("look for owner") { db in
                try ServingRights.ownerNeeded("vacuum: this user may not", "benji store vacuum", db)
            }
        }
    }

    private func mayVacuum(_ what: Vacuumed) async throws(StoreError) -> Bool {
        try await readOne("look for the right to vacuum") { db in
            let may =
                db.serverVersion >= ServingRights.maintain
                ? "has_table_privilege(oid, 'MAINTAIN')" : "pg_has_role(relowner, 'USAGE')"
            return try !db.hasRow(
                """
                SELECT 1 FROM pg_class
                WHERE relnamespace = to_regnamespace('\(Schema.name)') AND relname = ANY($1::text[]) AND NOT \(may)
                """, Values(what.tables))
        }
    }

    /// Whether a reader or writer of this database, a prepared transaction or a standby's reader
    /// (`hot_standby_feedback`, or its slot) still holds rows deleted before `transaction`.
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
