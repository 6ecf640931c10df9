import Store

/// A new session that meets the requirements of the store.
enum ReadySession {
    /// - Throws: ``ServerFailure`` with the name of the first ``DatabaseRequirement`` that is not met.
    static func make(
        _ parameters: ConnectionParameters, insistsOnDurability: Bool,
        deadlines: PostgresDeadlines = PostgresDeadlines()
    ) throws(ServerFailure) -> Session {
        let session = try Session(parameters, patience: deadlines.slowAnswer)
        if let problem = DatabaseRequirement.problem(version: session.serverVersion, of: "PostgreSQL") {
            throw unfit(problem)
        }
        do {
            try session.run(
                settings(deadlines).map { name, value in Statement("SELECT set_config($1, $2, false)", name, value) }
                    + [
                        // A later change of the configuration has no effect on the session.
                        Statement(
                            "SELECT set_config('synchronous_commit', current_setting('synchronous_commit'), false)"),
                        // PostgreSQL 17 and newer.
                        Statement(
                            "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'"),
                    ])
            let kinds: Set<DatabaseRequirement.Kind> =
                insistsOnDurability ? [.required, .durability] : [.required]
            if let problem = try DatabaseRequirement.unmet(kinds, by: session).first { throw unfit(problem) }
            return session
        } catch let error as ServerFailure {
            throw error
        } catch {
            throw .lost("\(type(of: error))")
        }
    }

    private static func unfit(_ problem: String) -> ServerFailure { ServerFailure(state: "55000", words: problem) }

    /// Settings that the session needs, whatever the server, the database or the role sets.
    private static func settings(_ deadlines: PostgresDeadlines) -> [(name: String, value: String)] {
        [
            ("statement_timeout", "\(deadlines.statement.components.seconds)s"),
            ("search_path", Schema.name),
            // A server may be stopped or cut off in the middle of a transaction. Then it delays others no longer than
            // they wait for a lock, and they wait no longer than their callers do (``PostgresDeadlines/answer``).
            ("lock_timeout", "5s"), ("idle_in_transaction_session_timeout", "4s"),
            // A connection of the pool may be idle for long.
            ("idle_session_timeout", "0"),
            // PostgreSQL ends the connections of such a server.
            ("tcp_keepalives_idle", "10"), ("tcp_keepalives_interval", "5"), ("tcp_user_timeout", "10s"),
            ("default_transaction_isolation", "read committed"),
            // A policy on a table makes statements fail, instead of hiding rows from them.
            ("row_security", "off"),
            ("standard_conforming_strings", "on"),
            // A commit that no longer waits for its standby ends with a warning (``Notices``).
            ("client_min_messages", "warning"),
            // Each frequent statement has an index. A plan that was made while a table was empty reads the whole table
            // until the next statistics. Parts of an expensive plan are compiled.
            ("plan_cache_mode", "force_generic_plan"), ("enable_seqscan", "off"), ("jit", "off"),
        ]
    }
}
