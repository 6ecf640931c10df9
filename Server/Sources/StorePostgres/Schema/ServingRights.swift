import Store

/// The rights of a serving role: a role that servers connect as, and that owns nothing (decision 66).
///
/// The GRANT statements are made from this table, and the catalogue is compared with it.
enum ServingRights {
    /// The rights on each table, beside SELECT on all of them.
    ///
    /// A table that only grows has no more than its statements need. A lock of a row takes UPDATE on one column.
    static let tables: [String: [Right]] = [
        "admin": [.insert, .update],
        "app": [.insert, .update],
        "app_contract": [.insert],
        "app_key": [.insert, .update, .delete],
        "app_key_usage": [.insert, .update],
        "app_source": [.insert, .delete],
        "attested_key": [.insert, .update, .delete],
        "audit": [.insert],
        "audit_mark": [.insert, .update],
        "billing_day": [.insert, .update, .delete],
        "consent": [.insert, .delete, .updateOf(["subscription", "epoch", "sim_generation", "token"])],
        "consent_content": [.insert, .delete, .updateOf(["received_at"])],
        "console_account": [.insert, .update, .delete],
        "console_pending": [.insert, .update, .delete],
        "console_session": [.insert, .update, .delete],
        "data_secrets": [.insert, .update],
        "database_history": [],
        "erasure": [.insert, .update, .delete],
        "evidence_mark": [.insert, .update],
        "face_account": [.insert, .update, .delete],
        "face_binding": [.insert, .update, .delete],
        "face_credential": [.insert, .update, .delete],
        "face_group": [.insert, .update, .delete],
        "face_group_member": [.insert, .delete],
        "face_key": [.insert, .update, .delete],
        "familiar_key": [.insert, .update, .delete],
        "gateway_entry": [.insert, .update, .delete],
        "gateway_pair": [.insert, .update],
        "heartbeat": [],
        "ledger": [.insert, .delete],
        "ledger_begin": [.updateOf(["day"])],
        "ledger_mark": [.insert, .updateOf(["line"])],
        "ledger_sum": [.insert, .delete, .updateOf(["answers"])],
        "log_head": [.insert, .updateOf(["size", "root", "at", "text"])],
        "log_leaf": [.insert, .updateOf(["subscription", "epoch", "input"])],
        "log_mark": [.insert, .updateOf(["source"])],
        "log_node": [.insert],
        "login_count": [.insert, .update, .delete],
        "master_key": [.insert, .update],
        "message": [.insert, .update, .delete],
        "node_heartbeat": [.insert, .update, .delete],
        "number_day": [.insert, .update, .delete],
        "openid_client": [.insert, .update, .delete],
        "openid_client_secret": [.insert, .delete],
        "openid_credential": [.insert, .update, .delete],
        "openid_key": [.insert, .update, .delete],
        "openid_media": [.insert, .delete],
        "outbox": [.insert, .update, .delete],
        "page_submission": [.insert, .update, .delete],
        "policy": [.insert],
        "receipt_key": [.insert, .update],
        "revoked_binding": [.insert, .update, .delete],
        "schema_version": [],
        "scrip": [.insert, .update, .delete],
        "sms_budget": [.insert, .update, .delete],
        "sms_code": [.insert, .update, .delete],
        "sms_upstream": [.insert, .update, .delete],
        "subscription": [.insert, .update, .delete],
        "token": [.insert, .update, .delete],
        "trace_event": [.insert, .delete, .updateOf(["at"])],
        "wrong_guess": [.insert, .update, .delete],
    ]

    /// A kind of statement that changes rows.
    enum Right {
        case insert, update, delete
        /// Of these columns alone.
        case updateOf([String])

        /// As GRANT writes it, column by column.
        var names: [String] {
            switch self {
            case .insert: ["INSERT"]
            case .update: ["UPDATE"]
            case .delete: ["DELETE"]
            case .updateOf(let columns): columns.map { "UPDATE (\($0))" }
            }
        }
    }

    /// A right on an object, as GRANT writes it.
    struct Grant: Hashable, Comparable, CustomStringConvertible {
        var right: String
        var object: String

        /// The same right on all columns, if it is of one.
        var ofAllColumns: Grant { Grant(right: String(right.prefix { $0 != " " }), object: object) }

        var description: String { "\(right) ON \(object)" }
        static func < (one: Grant, other: Grant) -> Bool { (one.object, one.right) < (other.object, other.right) }
    }

    /// The difference between a role's rights and those of the table.
    struct Difference {
        /// Rights that the role lacks, unless it takes another role (SET ROLE).
        var missing: [Grant]
        /// Further rights that the role has, by itself or as another role that it is a member of.
        var excess: [Grant]
        var isEmpty: Bool { missing.isEmpty && excess.isEmpty }
    }

    /// The rights of a serving role on a server of that version.
    static func wanted(_ version: Int32) -> Set<Grant> {
        var grants: Set<Grant> = [
            Grant(right: "USAGE", object: "SCHEMA \(Schema.name)"),
            // Numbers of lines are taken before the lines are written.
            Grant(right: "USAGE", object: "SEQUENCE \(Schema.name).ledger_id_seq"),
        ]
        // The sequence reveals a row with a number that was never given out (``Session/lastNumber(of:)``).
        for table in ["audit", "consent", "ledger"] {
            grants.insert(Grant(right: "SELECT", object: "SEQUENCE \(Schema.name).\(table)_id_seq"))
        }
        for (table, rights) in tables {
            for right in ["SELECT"] + rights.flatMap(\.names) {
                grants.insert(Grant(right: right, object: "TABLE \(Schema.name).\(table)"))
            }
        }
        guard version >= maintain else { return grants }
        for table in PostgresStore.Vacuumed.all.tables {
            grants.insert(Grant(right: "MAINTAIN", object: "TABLE \(Schema.name).\(table)"))
        }
        return grants
    }

    /// From this version on a role that does not own a table can have the right to vacuum it.
    static let maintain: Int32 = 170_000

    /// From this version on there are rights on parameters.
    private static let parameters: Int32 = 150_000

    /// The rights on parameters of the roles in `m`, and of PUBLIC as those of the role itself.
    private static let onParameters = """
        pg_parameter_acl AS p CROSS JOIN LATERAL aclexplode(p.paracl) AS a
        JOIN m ON a.grantee = m.oid OR (a.grantee = 0 AND m.is_own)
        """

    /// The rights that a role has by itself, by another role or by PUBLIC, and those that it can have as another role.
    /// An attribute that lets it take more rights counts as one, and so does the option to hand a right on.
    ///
    /// - Parameter role: as in `pg_roles`; it must exist.
    private static func found(_ role: String, _ session: Session) throws -> (own: Set<Grant>, all: Set<Grant>) {
        let onTables =
            ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]
            + (session.serverVersion >= maintain ? ["MAINTAIN"] : [])
        func names(_ rights: [String]) -> String {
            "unnest(ARRAY[\(rights.map { "'\($0)'" }.joined(separator: ", "))]) AS p (name)"
        }
        let inSchema = "c.relnamespace = to_regnamespace('\(Schema.name)')"
        let isTable = "\(inSchema) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')"
        // m: the role, and each other one that it is a member of, whether it inherits or not.
        var sql = """
            WITH m AS (SELECT oid, rolname, rolname = $1::name AS is_own, rolcreaterole, rolcreatedb, rolreplication, \
            rolbypassrls
                FROM pg_roles WHERE pg_has_role($1::name, oid, 'MEMBER')),
            g AS (SELECT unnest(ARRAY['', ' WITH GRANT OPTION']) AS option)
            SELECT p.name || g.option, 'TABLE \(Schema.name).' || c.relname::text, m.is_own
            FROM pg_class AS c CROSS JOIN m CROSS JOIN g CROSS JOIN \(names(onTables))
            WHERE \(isTable) AND has_table_privilege(m.oid, c.oid, p.name || g.option)
            UNION ALL
            SELECT p.name || ' (' || a.attname::text || ')' || g.option, 'TABLE \(Schema.name).' || c.relname::text, \
            m.is_own
            FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            CROSS JOIN m CROSS JOIN g CROSS JOIN \(names(["INSERT", "UPDATE", "REFERENCES"]))
            WHERE \(isTable) AND NOT has_table_privilege(m.oid, c.oid, p.name || g.option)
                AND has_column_privilege(m.oid, c.oid, a.attnum, p.name || g.option)
            UNION ALL
            SELECT p.name || g.option, 'SEQUENCE \(Schema.name).' || c.relname::text, m.is_own
            FROM pg_class AS c CROSS JOIN m CROSS JOIN g CROSS JOIN \(names(["USAGE", "SELECT", "UPDATE"]))
            WHERE \(inSchema)
                AND CASE c.relkind WHEN 'S' THEN has_sequence_privilege(m.oid, c.oid, p.name || g.option) ELSE false END
            UNION ALL
            SELECT p.name || g.option, 'SCHEMA \(Schema.name)', m.is_own
            FROM pg_namespace AS n CROSS JOIN m CROSS JOIN g CROSS JOIN \(names(["USAGE", "CREATE"]))
            WHERE n.nspname = '\(Schema.name)' AND has_schema_privilege(m.oid, n.oid, p.name || g.option)
            UNION ALL
            SELECT 'CREATE', 'DATABASE ' || d.datname::text, m.is_own FROM pg_database AS d CROSS JOIN m
            WHERE d.datname = current_database() AND has_database_privilege(m.oid, d.oid, 'CREATE')
            UNION ALL
            SELECT p.name, 'ROLE ' || m.rolname::text, m.is_own FROM m
            CROSS JOIN LATERAL (VALUES ('CREATEROLE', m.rolcreaterole), ('CREATEDB', m.rolcreatedb),
                ('REPLICATION', m.rolreplication), ('BYPASSRLS', m.rolbypassrls)) AS p (name, is_set)
            WHERE p.is_set
            """
        if session.serverVersion >= parameters {
            sql += """

                UNION ALL
                SELECT a.privilege_type || CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END,
                    'PARAMETER ' || p.parname, m.is_own
                FROM \(onParameters)
                """
        }
        let rows = try session.rows(sql, of: "pg_class", role) {
            (grant: Grant(right: try $0.text(), object: try $0.text()), isOwn: try $0.bool())
        }
        return (own: Set(rows.filter { $0.isOwn }.map { $0.grant }), all: Set(rows.map { $0.grant }))
    }

    /// Compares a role's rights with the table. The tables must be of this version.
    ///
    /// - Parameter login: the role that a session began as which works as `role` now. What it can do counts too,
    ///   because SET ROLE NONE leads back to it.
    /// - Throws: as ``refusePowers(of:login:_:)``.
    static func difference(of role: String, login: String? = nil, _ session: Session) throws -> Difference {
        try refusePowers(of: role, login: login, session)
        var held = try found(role, session)
        if let login, login != role { held.all.formUnion(try found(login, session).all) }
        let needed = wanted(session.serverVersion)
        let missing = needed.filter { !held.own.contains($0) && !held.own.contains($0.ofAllColumns) }
        return Difference(missing: missing.sorted(), excess: held.all.subtracting(needed).sorted())
    }

    /// Gives a role the rights of the table, and takes other rights that the owner gave it. In a transaction.
    ///
    /// - Throws: as ``refusePowers(of:login:_:)``.
    static func give(to role: String, _ session: Session) throws {
        let quoted = try name(of: role, session)
        for kind in ["ALL TABLES IN SCHEMA", "ALL SEQUENCES IN SCHEMA", "SCHEMA"] {
            // CASCADE also takes the rights that the role has handed on.
            try session.run("REVOKE ALL ON \(kind) \(Schema.name) FROM \(quoted) CASCADE")
        }
        try add(wanted(session.serverVersion), to: role, session)
    }

    /// Gives a role these rights, and takes none away. In a transaction.
    ///
    /// - Throws: as ``refusePowers(of:login:_:)``.
    static func add(_ grants: some Sequence<Grant>, to role: String, _ session: Session) throws {
        let quoted = try name(of: role, session)
        for (object, given) in Dictionary(grouping: grants, by: \.object) {
            try session.run("GRANT \(given.map(\.right).joined(separator: ", ")) ON \(object) TO \(quoted)")
        }
    }

    /// Refuses a serving role with a power that no list of rights limits (``powers(_:)``).
    ///
    /// - Parameter login: the role that a session began as which works as `role` now; `nil` if it does not matter.
    /// - Throws: ``StoreError/Code/unavailable`` with the remedy, also if there is no such role.
    static func refusePowers(of role: String, login: String? = nil, _ session: Session) throws {
        _ = try name(of: role, session)
        if let login, login != role { _ = try name(of: login, worksAs: role, session) }
    }

    /// The name of a role as SQL writes it.
    ///
    /// - Parameter user: the role that a session of this one works as, if it is another one.
    private static func name(of role: String, worksAs user: String? = nil, _ session: Session) throws -> String {
        let name = try session.row(
            "SELECT quote_ident(rolname::text) FROM pg_roles WHERE rolname = $1::name", of: "pg_roles", role
        ) { try $0.text() }
        guard let name else {
            throw StoreError(
                .unavailable,
                "PostgreSQL has no role \(role), which store.serving-role names; make it with: createuser \(role)")
        }
        let power = try session.row(powers(session.serverVersion), of: "pg_roles", role) {
            (what: try $0.text(), remedy: try $0.text())
        }
        if let power {
            let subject = user.map { "the role \(role), which logs in to work as \($0)," } ?? "the role \(role)"
            throw StoreError(
                .unavailable,
                "\(subject) \(power.what), so it is unfit for serving (docs/operations/postgresql.md, Two roles); "
                    + power.remedy)
        }
        return name
    }

    /// An SQL query: the gravest power of a role that no list of rights limits, and the remedy. Such a power is that of
    /// a superuser, of the owner or of PostgreSQL's system user, or that over triggers. Memberships that are not
    /// inherited count too, because SET ROLE suffices.
    private static func powers(_ version: Int32) -> String {
        var more = ""
        if version < 160_000 {
            // It joins any role but a superuser.
            more += """
                UNION ALL
                SELECT 5, format('can join the owner of the tables, by CREATEROLE of %s', m.rolname),
                    format('run ALTER ROLE %I NOCREATEROLE', m.rolname) FROM m WHERE m.rolcreaterole

                """
        }
        if version >= parameters {
            more += """
                UNION ALL
                SELECT 6, format('has %s ON PARAMETER %s%s, which %s', a.privilege_type, p.parname,
                        CASE WHEN a.grantee = 0 THEN ' by PUBLIC' WHEN m.is_own THEN ''
                            ELSE format(' by %s', m.rolname) END,
                        CASE a.privilege_type WHEN 'SET' THEN 'switches off triggers'
                            ELSE 'changes the configuration of PostgreSQL' END),
                    format('run REVOKE %s ON PARAMETER %s FROM %s', a.privilege_type, p.parname,
                        CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(m.rolname::text) END)
                    FROM \(onParameters)
                    WHERE a.privilege_type = 'ALTER SYSTEM'
                        OR (a.privilege_type = 'SET' AND p.parname = 'session_replication_role')

                """
        }
        return """
            WITH r AS (SELECT oid, rolname FROM pg_roles WHERE rolname = $1::name),
            n AS (SELECT oid, nspowner, pg_get_userbyid(nspowner) AS owner
                FROM pg_namespace WHERE nspname = '\(Schema.name)'),
            m AS (SELECT p.oid, p.rolname, p.rolsuper, p.rolcreaterole, p.oid = r.oid AS is_own,
                CASE WHEN p.oid = r.oid THEN 'owns' ELSE format('is a member of %s, which owns', p.rolname) END AS owns,
                format('run REVOKE %I FROM %I, or from the role that lies between', p.rolname, r.rolname) AS leaving
                FROM pg_roles AS p CROSS JOIN r WHERE pg_has_role(r.oid, p.oid, 'MEMBER')),
            f AS (
                SELECT 1 AS place, 'is a superuser' AS what,
                    format('name another one in store.serving-role, or run ALTER ROLE %I NOSUPERUSER', m.rolname)
                        AS remedy
                    FROM m WHERE m.is_own AND m.rolsuper
                UNION ALL
                SELECT 2, format('is a member of %s, a superuser', m.rolname), m.leaving FROM m WHERE m.rolsuper
                UNION ALL
                SELECT 3, m.owns || ' the schema \(Schema.name)',
                    CASE WHEN m.is_own THEN 'name another one in store.serving-role' ELSE m.leaving END
                    FROM m JOIN n ON n.nspowner = m.oid
                UNION ALL
                SELECT 4, format('is a member of %s, which %s', m.rolname,
                        CASE m.rolname WHEN 'pg_create_subscription' THEN 'writes rows without their triggers'
                            ELSE 'reads or writes files or runs programs' END), m.leaving FROM m
                    WHERE m.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files',
                        'pg_create_subscription')
                \(more)
                UNION ALL
                SELECT 7, format('%s the database %s', m.owns, d.datname),
                    format('run ALTER DATABASE %I OWNER TO %I', d.datname, n.owner)
                    FROM pg_database AS d JOIN m ON m.oid = d.datdba CROSS JOIN n WHERE d.datname = current_database()
                UNION ALL
                SELECT 8, format('%s \(Schema.name).%s', m.owns, c.relname),
                    CASE WHEN m.is_own THEN format('\(reassigning)', m.rolname, n.owner)
                        ELSE format('run ALTER TABLE \(Schema.name).%I OWNER TO %I', c.relname, n.owner) END
                    FROM pg_class AS c JOIN n ON n.oid = c.relnamespace JOIN m ON m.oid = c.relowner
                    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
                UNION ALL
                SELECT 9, format('%s the function \(Schema.name).%s', m.owns, c.proname),
                    CASE WHEN m.is_own THEN format('\(reassigning)', m.rolname, n.owner)
                        ELSE format('run ALTER FUNCTION \(Schema.name).%I(%s) OWNER TO %I', c.proname,
                            pg_get_function_identity_arguments(c.oid), n.owner) END
                    FROM pg_proc AS c JOIN n ON n.oid = c.pronamespace JOIN m ON m.oid = c.proowner
            )
            SELECT f.what, f.remedy FROM f ORDER BY f.place, f.what COLLATE "C" LIMIT 1
            """
    }

    /// The remedy if the role itself owns something, for format: the role and the owner of the schema.
    private static let reassigning =
        "run REASSIGN OWNED BY %I TO %I in this database, which also gives away every database that it owns"
}

extension ServingRights {
    /// Whether the session's user owns the schema, is a member of its owner, or would make the schema.
    static func isOwner(_ session: Session) throws -> Bool {
        try !session.hasRow(
            "SELECT 1 FROM pg_namespace WHERE nspname = '\(Schema.name)' AND NOT pg_has_role(nspowner, 'USAGE')")
    }

    /// The roles of a session.
    struct Parties {
        /// The owner of the schema; the user if there is no schema.
        var owner: String
        /// The role whose rights the session has.
        var user: String
        /// The role that logged in. It differs from the user if `ALTER ROLE … SET role` or the connection string names
        /// the user.
        var login: String
    }

    static func parties(_ session: Session) throws -> Parties {
        let found = try session.row(
            """
            SELECT coalesce((SELECT pg_get_userbyid(nspowner)::text FROM pg_namespace
                    WHERE nspname = '\(Schema.name)'), current_user::text), current_user::text, session_user::text
            """, of: "pg_namespace"
        ) { Parties(owner: try $0.text(), user: try $0.text(), login: try $0.text()) }
        guard let found else { throw ServerFailure.lost("PostgreSQL does not name its users") }
        return found
    }

    /// Refuses a user who does not own the tables.
    ///
    /// - Parameters:
    ///   - problem: why the owner is needed.
    ///   - command: the one to run as the owner.
    static func requireOwner(
        _ problem: String, _ command: String, as code: StoreError.Code = .unavailable, _ session: Session
    ) throws {
        guard try !isOwner(session) else { return }
        throw try ownerNeeded(problem, command, as: code, session)
    }

    /// The error that names the owner's command; parameters as of ``requireOwner(_:_:as:_:)``.
    static func ownerNeeded(
        _ problem: String, _ command: String, as code: StoreError.Code = .unavailable, _ session: Session
    ) throws -> StoreError {
        let who = try parties(session)
        return StoreError(
            code,
            "\(problem), and \(who.user), the user of store.postgres, does not own the tables; run \(command) with "
                + "a store.postgres that names their owner, \(who.owner), and with store.serving-role: \(who.user)")
    }

    /// Why a server should not connect as the session's user; `nil` if nothing is known. Tables need not be there.
    ///
    /// - Parameter servingRole: the setting `store.serving-role`.
    static func mismatch(_ servingRole: String?, _ session: Session) throws -> String? {
        let user = try parties(session).user
        guard let servingRole, servingRole != user else { return nil }
        guard try isOwner(session) else {
            return "this server connects as \(user), and store.serving-role names \(servingRole), so a start does not "
                + "refuse it if \(user) gets the owner's power; name the user of store.postgres there"
        }
        return "this server connects as \(user), which has the power of the tables' owner, and not as \(servingRole), "
            + "which store.serving-role names: it can switch off the triggers that protect evidence; name "
            + "\(servingRole) in store.postgres (docs/operations/postgresql.md, Two roles)"
    }

    /// Examines the rights of the session's user, or of the serving role if the user is the owner. The tables must be
    /// of this version.
    ///
    /// - Parameters:
    ///   - servingRole: the setting `store.serving-role`. If it names the user, the user is no owner.
    ///   - known: receives the findings.
    /// - Throws: ``StoreError/Code/unavailable``, with the remedy, if the session's user lacks a right that serving
    ///   needs. The same if there is no serving role of that name, or if it has a power that no list of rights limits.
    static func examine(_ servingRole: String?, _ session: Session, into known: inout StoreExamination) throws {
        let who = try parties(session)
        let isServer = try servingRole == who.user || !isOwner(session)
        guard let role = isServer ? who.user : servingRole else {
            known.advice =
                "\(who.user), the user of store.postgres, owns the tables, so it can switch off the triggers that "
                + "protect evidence; let servers use a role that owns nothing (docs/operations/postgresql.md, Two "
                + "roles)"
            return
        }
        let difference = try Self.difference(of: role, login: isServer ? who.login : nil, session)
        let remedy = "run benji migrate as \(who.owner), with store.serving-role: \(role)"
        let needed = difference.missing.filter { $0.right != "MAINTAIN" }
        if !needed.isEmpty {
            let problem = "the serving role \(role) lacks rights on the database: \(text(needed)); \(remedy)"
            guard !isServer else { throw StoreError(.unavailable, problem) }
            known.ofRights.append(problem)
        }
        let vacuuming = difference.missing.filter { $0.right == "MAINTAIN" }
        if !vacuuming.isEmpty {
            // So it is after an upgrade of PostgreSQL from before 17.
            known.ofRights.append(
                "the serving role \(role) may not vacuum after an erasure: it lacks \(text(vacuuming)); \(remedy)")
        }
        if !difference.excess.isEmpty {
            known.ofRights.append(
                "the serving role \(role) has rights that serving does not need: \(text(difference.excess)); "
                    + "\(remedy). "
                    + "If that does not help, take with REVOKE what \(role) itself, PUBLIC or a role that \(role) is "
                    + "a member of has, and attributes with ALTER ROLE")
        }
    }

    /// At most six of them.
    private static func text(_ grants: [Grant]) -> String {
        let more = grants.count > 6 ? " and \(grants.count - 6) more" : ""
        return grants.prefix(6).map(\.description).joined(separator: ", ") + more
    }
}
