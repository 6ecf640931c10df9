import Store

/// A session that is fit to work with: what it says it has written is on the disk.
enum ReadySession {
    static func make(
        _ parameters: ConnectionParameters, insistsOnDurability: Bool,
        deadlines: PostgresDeadlines = PostgresDeadlines()
    ) throws(ServerFailure) -> Session {
        let session = try Session(parameters, patience: deadlines.slowAnswer)
        do {
            try session.run([
                Statement("SELECT set_config('search_path', $1, false)", Schema.name),
                Statement(
                    "SELECT set_config('statement_timeout', $1, false)", "\(deadlines.statement.components.seconds)s"),
                // A server that was stopped or cut off in the middle of a transaction holds up others no longer than they wait for a
                // lock, and they wait for a lock no longer than their callers do (``PostgresDeadlines/answer``).
                Statement("SELECT set_config('lock_timeout', '5s', false)"),
                Statement("SELECT set_config('idle_in_transaction_session_timeout', '4s', false)"),
                // And its connections end, on PostgreSQL's side too.
                Statement("SELECT set_config('tcp_keepalives_idle', '10', false)"),
                Statement("SELECT set_config('tcp_keepalives_interval', '5', false)"),
                Statement("SELECT set_config('tcp_user_timeout', '10s', false)"),
                // Whatever the configuration is changed to while the session lives.
                Statement("SELECT set_config('synchronous_commit', current_setting('synchronous_commit'), false)"),
                Statement("SELECT set_config('default_transaction_isolation', 'read committed', false)"),
                // All that is asked often has an index. A plan that was made while a table was empty would read it whole until statistics
                // are made anew, and parts of a plan would be compiled for being dear.
                Statement("SELECT set_config('plan_cache_mode', 'force_generic_plan', false)"),
                Statement("SELECT set_config('enable_seqscan', 'off', false)"),
                Statement("SELECT set_config('jit', 'off', false)"),
            ])
            if insistsOnDurability {
                for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
                    let value = try session.row("SELECT current_setting($1)", of: "pg_settings", setting) {
                        try $0.text()
                    }
                    guard value != "off", value != "local" else {
                        throw ServerFailure(
                            state: "55000",
                            words:
                                "PostgreSQL's setting \(setting) is \(value ?? ""), so that an answer may be forgotten; turn it on"
                        )
                    }
                }
            }
            return session
        } catch let error as ServerFailure {
            throw error
        } catch {
            throw .lost("\(type(of: error))")
        }
    }
}
