/// A property that a database and its sessions must have. Every new session is checked.
///
/// The database's locale is not among them: no index and no order of the schema depends on it.
struct DatabaseRequirement: Sendable {
    enum Kind: Sendable {
        /// Without it the store fails later, or breaks a promise.
        case required
        /// Without it PostgreSQL may lose a commit that it has confirmed.
        case durability
        /// Worth a warning: the store works without it.
        case advice
    }

    var kind: Kind = .required
    /// The first version whose SQL has the expression, as in `server_version_num`.
    var since: Int32 = 0
    /// The subject of the message: "\(name) is \(value); \(remedy)".
    var name: String
    /// An SQL expression of type text; NULL if the requirement is met.
    var value: String
    var remedy: String

    static let all: [DatabaseRequirement] = [
        setting(
            "server_encoding", is: "'UTF8'",
            "it must be UTF8, and a database keeps its encoding: make another one with createdb -T template0 -E UTF8"),
        setting(
            "client_encoding", is: "'UTF8'",
            "it must be UTF8, as the session asked for; a proxy between Benji and PostgreSQL must not change it"),
        setting(
            "session_replication_role", is: "'origin'",
            "other values switch off the triggers that protect evidence; take the setting out of the role and the "
                + "database"
        ),
        // A serving role owns nothing, and may look which version the tables are of.
        DatabaseRequirement(
            name: "the owner of the schema \(Schema.name)",
            value: """
                (SELECT pg_get_userbyid(n.nspowner)::text FROM pg_namespace AS n
                 WHERE n.nspname = '\(Schema.name)' AND NOT pg_has_role(n.nspowner, 'USAGE')
                     AND NOT (has_schema_privilege(n.oid, 'USAGE') AND EXISTS (SELECT FROM pg_class AS c
                         WHERE c.relnamespace = n.oid AND c.relname = 'schema_version'
                             AND has_table_privilege(c.oid, 'SELECT'))))
                """,
            remedy:
                "it must be the user of store.postgres, or have given that user the rights of a serving role: run "
                + "benji migrate as "
                + "the owner with store.serving-role, or ALTER SCHEMA \(Schema.name) OWNER TO that user, or name "
                + "another database "
                + "if the schema is not Benji's"),
        // The owner of a schema has no rights on the tables of others in it. Who owns a function can drop the triggers
        // that call it.
        DatabaseRequirement(
            name: "a table, index, sequence or function of another user in the schema \(Schema.name)",
            value: """
                (SELECT o.name || ', which ' || pg_get_userbyid(o.owner)::text || ' owns' FROM pg_namespace AS n
                 CROSS JOIN LATERAL (
                     SELECT c.relname::text AS name, c.relowner AS owner,
                         CASE c.relkind WHEN 'r' THEN 1 ELSE 2 END AS place
                         FROM pg_class AS c WHERE c.relnamespace = n.oid
                     UNION ALL
                     SELECT p.proname::text || '()', p.proowner, 3 FROM pg_proc AS p WHERE p.pronamespace = n.oid) AS o
                 WHERE n.nspname = '\(Schema.name)'
                     AND NOT pg_has_role(o.owner, 'USAGE') AND NOT pg_has_role(n.nspowner, o.owner, 'USAGE')
                 ORDER BY o.place, o.name COLLATE "C" LIMIT 1)
                """,
            remedy:
                "all must belong to the owner of the schema: run REASSIGN OWNED BY that user TO the owner of the "
                + "schema, "
                + "or ALTER TABLE … OWNER TO the owner for each table, and ALTER FUNCTION … OWNER TO the owner for "
                + "each "
                + "function"),
        DatabaseRequirement(
            name: "the user, who may not make the schema \(Schema.name),",
            value: """
                CASE WHEN to_regnamespace('\(Schema.name)') IS NULL
                    AND NOT has_database_privilege(current_database(), 'CREATE') THEN current_user::text END
                """,
            remedy:
                "run GRANT CREATE ON DATABASE for this user, or make the user the database's owner; for a serving role "
                + "run "
                + "benji init as the owner of the tables, with store.serving-role"),
        durable("fsync", except: "'off'"), durable("full_page_writes", except: "'off'"),
        durable("synchronous_commit", except: "'off', 'local'"),
        DatabaseRequirement(
            kind: .advice, since: 150_000, name: "the collation version of the database",
            value: """
                (SELECT datcollversion || ', and the system has ' || pg_database_collation_actual_version(oid)
                 FROM pg_database WHERE datname = current_database()
                     AND datcollversion <> pg_database_collation_actual_version(oid))
                """,
            remedy:
                "Benji's indexes do not depend on it: rebuild those of other programs in this database (REINDEX "
                + "DATABASE), then run "
                + "ALTER DATABASE … REFRESH COLLATION VERSION"),
    ]

    private static func setting(_ name: String, is wanted: String, _ remedy: String) -> DatabaseRequirement {
        DatabaseRequirement(
            name: "PostgreSQL's setting \(name)", value: "nullif(current_setting('\(name)'), \(wanted))", remedy: remedy
        )
    }

    private static func durable(_ name: String, except values: String) -> DatabaseRequirement {
        DatabaseRequirement(
            kind: .durability, name: "PostgreSQL's setting \(name)",
            value: "CASE WHEN current_setting('\(name)') IN (\(values)) THEN current_setting('\(name)') END",
            remedy: "an answer may be lost; turn it on")
    }

    /// The requirements of these kinds that are not met, as messages.
    ///
    /// - Throws: ``ServerFailure``, or ``DamagedRow`` for an answer of another type.
    static func unmet(_ kinds: Set<Kind>, by session: Session) throws -> [String] {
        let asked = all.filter { kinds.contains($0.kind) && $0.since <= session.serverVersion }
        let sql = "SELECT \(asked.map(\.value).joined(separator: ",\n"))"
        let found: [String?]? = try session.row(sql, of: "pg_settings") { row in
            try asked.map { _ in try row.optionalText() }
        }
        guard let values = found else { throw ServerFailure.lost("PostgreSQL does not say how it is set") }
        return zip(asked, values).compactMap { requirement, value in
            value.map { "\(requirement.name) is \($0); \(requirement.remedy)" }
        }
    }

    /// The oldest version of PostgreSQL and of libpq that works. Used are libpq's pipeline mode and
    /// `idle_session_timeout`.
    private static let oldestVersion: Int32 = 140_000

    /// Why a version does not do; `nil` if it does.
    ///
    /// - Parameters:
    ///   - version: as in `server_version_num`: 150018 is 15.18.
    ///   - program: the name of what has the version.
    static func problem(version: Int32, of program: String) -> String? {
        guard version < oldestVersion else { return nil }
        return
            "\(program) has version \(version / 10_000), and \(oldestVersion / 10_000) or newer is needed; upgrade it"
    }
}
