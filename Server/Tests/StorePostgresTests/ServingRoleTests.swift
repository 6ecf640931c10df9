import BenjiProtocol
import Foundation
import Logging
import ServerTestKit
import Store
import StoreRows
import Testing

@testable import StorePostgres

@Suite("A serving role, which owns nothing")
struct ServingRoleTests {
    private static let role = TestServer.servingRole

    private func session(_ database: TemporaryDatabase, as user: String) throws -> Session {
        try ReadySession.make(database.parameters(user: user), insistsOnDurability: false)
    }

    private func open(
        _ database: TemporaryDatabase, as user: String, logger: Logger = Logger(label: "test")
    ) throws -> PostgresStore {
        try PostgresStore(
            database.parameters(user: user), insistsOnDurability: false, deadlines: .patient, logger: logger)
    }

    private func warnings(_ database: TemporaryDatabase, as user: String = Self.role) throws -> [String] {
        try PostgresStore.examine(database.parameters(user: user)).warnings
    }

    /// A role of its own for one test, with a serving role's rights.
    private func ownRole(_ database: TemporaryDatabase, _ owner: String) async throws -> String {
        let role = "serving_\(owner)"
        try await database.sql("CREATE ROLE \(role) LOGIN")
        try Schema.bringForward(session(database, as: owner), servingRole: role)
        return role
    }

    /// A database whose tables belong to a role that is no superuser.
    private func owned() async throws -> (database: TemporaryDatabase, owner: String) {
        let database = try await TemporaryDatabase(isEmpty: true)
        let owner = "owner_\(UUID().uuidString.prefix(8).lowercased())"
        try await database.sql("CREATE ROLE \(owner) LOGIN; CREATE SCHEMA benji AUTHORIZATION \(owner)")
        try Schema.bringForward(session(database, as: owner), servingRole: Self.role)
        return (database, owner)
    }

    @Test("It issues and redeems a token, and counts its heartbeat")
    func serves() async throws {
        let (database, _) = try await owned()
        #expect(try warnings(database).isEmpty)
        let store = try open(database, as: Self.role)
        try await store.check()
        let scene = try await Scene(store)
        try await scene.issue(1)
        #expect(try await Scene.redeem(1, on: store, message: "first"))
        #expect(try await !Scene.redeem(1, on: store, message: "second"))
        await store.close()
    }

    private static let ownersAlone = [
        ["ALTER TABLE benji.audit DISABLE TRIGGER audit_is_never_changed", "DELETE FROM benji.audit"],
        ["DROP TRIGGER audit_is_never_emptied ON benji.audit", "TRUNCATE benji.audit"],
        ["TRUNCATE benji.scrip"],
        ["ALTER TABLE benji.ledger ADD COLUMN naive bigint"],
        ["ALTER TABLE benji.token RENAME TO naive"],
        ["DROP TABLE benji.audit_mark"],
        ["DROP INDEX benji.audit_by_request"],
        ["CREATE TABLE benji.naive (id bigint)"],
        [
            "CREATE TRIGGER naive BEFORE INSERT ON benji.admin FOR EACH ROW EXECUTE FUNCTION benji.refuse()",
            "DROP SCHEMA benji CASCADE",
        ],
        [
            """
            CREATE OR REPLACE FUNCTION benji.refuse() RETURNS trigger LANGUAGE plpgsql AS $q$
            BEGIN RETURN old; END $q$
            """
        ],
        ["UPDATE benji.heartbeat SET beats = 0"],
        ["UPDATE benji.database_history SET number = 0"],
        ["UPDATE benji.schema_version SET version = 0"],
        ["SELECT setval('benji.ledger_id_seq', 1)"],
    ]

    @Test("It neither empties, alters nor drops a table and disarms no trigger; a user that owns the tables does each")
    func owner() async throws {
        let (database, owner) = try await owned()
        for statements in Self.ownersAlone {
            let naive = try session(database, as: owner)
            naive.begin()
            for statement in statements { try naive.run(statement) }
            naive.rollBack()
            let serving = try session(database, as: Self.role)
            for statement in statements { refused(statement, serving) }
        }
    }

    private func refused(_ statement: String, _ serving: Session) {
        let failure = #expect(throws: ServerFailure.self, "\(statement)") { _ = try serving.run(statement) }
        #expect(failure?.state == "42501", "\(statement)")
    }

    @Test("What only grows is not changed by it, whatever triggers there are")
    func grows() async throws {
        let database = try await TemporaryDatabase()
        let serving = try session(database, as: Self.role)
        for statement in [
            "UPDATE benji.audit SET actor = 'x'", "DELETE FROM benji.audit", "UPDATE benji.ledger SET result = 'x'",
            "UPDATE benji.consent SET record = 'x'", "UPDATE benji.consent_content SET text = 'x'",
            "UPDATE benji.log_leaf SET hash = ''", "DELETE FROM benji.log_leaf", "UPDATE benji.log_node SET hash = ''",
            "DELETE FROM benji.log_head", "UPDATE benji.app_contract SET daily_limit = 1",
            "DELETE FROM benji.app_contract", "DELETE FROM benji.audit_mark", "DELETE FROM benji.evidence_mark",
            "DELETE FROM benji.ledger_begin", "DELETE FROM benji.ledger_mark", "DELETE FROM benji.policy",
        ] {
            refused(statement, serving)
        }
    }

    @Test("No table and no operator of its own deceives the trigger of the ledger; the former function believed each")
    func shadows() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        try await database.sql(
            """
            CREATE SCHEMA shadow AUTHORIZATION \(Self.role);
            INSERT INTO benji.ledger (app, trace, interface, result, at, day) VALUES ('1', '2', 'test', 'released', 1, \
            1)
            """)
        let shadows = [
            ["CREATE TEMPORARY TABLE ledger_begin AS SELECT 1 AS id, 99999999 AS day"],
            [
                "CREATE TABLE shadow.ledger_begin AS SELECT 1 AS id, 99999999 AS day",
                "SET LOCAL search_path = shadow, benji",
            ],
            [
                "CREATE FUNCTION shadow.never(integer, integer) RETURNS boolean LANGUAGE sql AS 'SELECT false'",
                "CREATE OPERATOR shadow.>= (FUNCTION = shadow.never, LEFTARG = integer, RIGHTARG = integer)",
                "SET LOCAL search_path = shadow, pg_catalog, benji",
            ],
        ]
        /// The error's code if the line is not deleted.
        func deletion(_ shadow: [String]) throws -> String? {
            let party = try session(database, as: Self.role)
            party.begin()
            defer { party.rollBack() }
            for statement in shadow { try party.run(statement) }
            do {
                let count = try party.run("DELETE FROM benji.ledger")
                return count == 1 ? nil : "\(count) deleted"
            } catch let failure as ServerFailure { return failure.state }
        }
        #expect(try deletion([]) == "P0001")
        for shadow in shadows { #expect(try deletion(shadow) == "P0001", "\(shadow)") }
        try await database.sql(
            """
            CREATE OR REPLACE FUNCTION benji.refuse_shortening() RETURNS trigger LANGUAGE plpgsql AS $q$
            BEGIN
                IF old.day >= (SELECT day FROM ledger_begin WHERE id = 1) THEN
                    RAISE EXCEPTION 'the ledger is append-only';
                END IF;
                RETURN old;
            END $q$
            """)
        #expect(try deletion([]) == "P0001")
        for shadow in shadows { #expect(try deletion(shadow) == nil, "\(shadow)") }
        #expect(
            try await database.sql(
                """
                SELECT proname FROM pg_proc WHERE pronamespace = 'benji'::regnamespace
                    AND proname NOT IN ('refuse', 'refuse_shortening')
                """) == "", "a function of the schema that nobody looked at")
    }

    @Test("The table of rights names every table, and the rights that it gives are those that are found")
    func every() async throws {
        let database = try await TemporaryDatabase()
        let tables = try await database.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'benji'")
        #expect(Set(tables.split(separator: "\n").map(String.init)) == Set(ServingRights.tables.keys))
        let difference = try ServingRights.difference(of: Self.role, session(database, as: Self.role))
        #expect(difference.missing.isEmpty && difference.excess.isEmpty, "\(difference)")
    }

    /// FNV-1a of the rights on PostgreSQL 14, a line each.
    private static var digest: UInt64 {
        let rights = ServingRights.wanted(140_000).map(\.description).sorted().joined(separator: "\n")
        return rights.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    @Test("Rights change with a step of the schema alone, so that nodes of one version need the same")
    func pinned() {
        // A right is taken from the table one version after the last statement that needs it.
        #expect(Schema.newest == 2, "write the new number down here, and the new digest if there is one")
        #expect(Self.digest == 0x4fd3_a600_d0e0_3d9c, "other rights need a step of the schema; write down both here")
    }

    @Test("A missing right is refused and one too many a warning, both by name; benji migrate as the owner mends both")
    func differences() async throws {
        let (database, owner) = try await owned()
        let parameters = try database.parameters(user: Self.role)
        func start() throws { try Schema.bringForward(session(database, as: owner), servingRole: Self.role) }
        func mend() throws { try PostgresStore.mendRights(of: Self.role, database.parameters(user: owner)) }
        try await database.sql("REVOKE INSERT ON benji.ledger FROM \(Self.role)")
        let error = #expect(throws: StoreError.self) { try PostgresStore.examine(parameters) }
        #expect(error?.code == .unavailable)
        let detail = error?.detail ?? ""
        #expect(detail.contains("lacks rights on the database: INSERT ON TABLE benji.ledger; "), "\(detail)")
        #expect(detail.contains("run benji migrate as \(owner), with store.serving-role: \(Self.role)"), "\(detail)")
        let seen = try PostgresStore.examine(database.parameters(user: owner), servingRole: Self.role).warnings
        #expect(seen.count == 1 && seen[0].contains("INSERT ON TABLE benji.ledger"), "\(seen)")
        try start()
        #expect(try warnings(database).isEmpty)

        // A start gives missing rights, and takes none. `benji migrate` takes further rights, and those that were
        // handed on.
        let friend = "friend_\(owner)"
        try await database.sql(
            """
            GRANT TRUNCATE, TRIGGER ON benji.audit TO \(Self.role); GRANT UPDATE (actor) ON benji.audit TO \(Self.role);
            GRANT UPDATE ON SEQUENCE benji.ledger_id_seq TO \(Self.role); GRANT CREATE ON SCHEMA benji TO \(Self.role);
            CREATE ROLE \(friend); GRANT SELECT ON benji.token TO \(Self.role) WITH GRANT OPTION;
            SET ROLE \(Self.role); GRANT SELECT ON benji.token TO \(friend); RESET ROLE;
            REVOKE INSERT ON benji.ledger FROM \(Self.role)
            """)
        #expect(throws: StoreError.self) { try PostgresStore.examine(parameters) }
        try start()
        let kept = try PostgresStore.examine(parameters).warnings
        #expect(kept.count == 1, "\(kept)")
        for right in [
            "CREATE ON SCHEMA benji", "UPDATE ON SEQUENCE benji.ledger_id_seq", "TRIGGER ON TABLE benji.audit",
            "SELECT WITH GRANT OPTION ON TABLE benji.token",
        ] {
            #expect(kept.first?.contains(right) == true, "\(right): \(kept)")
        }
        #expect(try PostgresStore.mendRights(of: Self.role, database.parameters(user: owner)))
        #expect(try !PostgresStore.mendRights(of: Self.role, database.parameters(user: owner)))
        #expect(try warnings(database).isEmpty)
        #expect(try await database.sql("SELECT has_table_privilege('\(friend)', 'benji.token', 'SELECT')") == "f\n")

        try await database.sql("GRANT UPDATE (actor) ON benji.audit TO PUBLIC")
        try mend()
        let visible = try PostgresStore.examine(parameters).warnings
        #expect(visible.count == 1, "\(visible)")
        #expect(visible.first?.contains("does not need: UPDATE (actor) ON TABLE benji.audit; ") == true)
        #expect(visible.first?.contains("take with REVOKE what \(Self.role) itself, PUBLIC or") == true)

        // The right on a table holds for each column: this is one too many, and none is missing.
        try await database.sql(
            """
            REVOKE UPDATE (actor) ON benji.audit FROM PUBLIC; GRANT UPDATE ON benji.consent TO PUBLIC;
            REVOKE UPDATE (epoch) ON benji.consent FROM \(Self.role)
            """)
        let whole = try PostgresStore.examine(parameters).warnings
        #expect(whole.count == 1, "\(whole)")
        #expect(whole.first?.contains("does not need: UPDATE ON TABLE benji.consent; ") == true, "\(whole)")
        try await database.sql("REVOKE UPDATE ON benji.consent FROM PUBLIC")
        try mend()

        // As after one role without a database of its own: no right on the schema, so the command does not take it.
        try await database.sql("GRANT CREATE ON DATABASE \(database.name) TO \(Self.role)")
        try mend()
        let former = try PostgresStore.examine(parameters).warnings
        #expect(former.count == 1, "\(former)")
        #expect(former.first?.contains("does not need: CREATE ON DATABASE \(database.name); ") == true, "\(former)")
        #expect(former.first?.contains("take with REVOKE what \(Self.role) itself") == true, "\(former)")
        try await database.sql("REVOKE CREATE ON DATABASE \(database.name) FROM \(Self.role)")
        #expect(try warnings(database).isEmpty)

        if try session(database, as: Self.role).serverVersion >= ServingRights.maintain {
            // As it is after an upgrade of PostgreSQL from 16.
            try await database.sql("REVOKE MAINTAIN ON benji.token FROM \(Self.role)")
            let late = try PostgresStore.examine(parameters).warnings
            #expect(late.count == 1 && late[0].contains("it lacks MAINTAIN ON TABLE benji.token; "), "\(late)")
        }
        let refused = #expect(throws: StoreError.self) { try PostgresStore.mendRights(of: Self.role, parameters) }
        #expect(refused?.detail.contains("names their owner, \(owner)") == true)
    }

    @Test("Tables of an earlier version are not brought forward by it, and the owner's command is named")
    func upgrade() async throws {
        let (database, owner) = try await owned()
        try await database.sql("UPDATE benji.schema_version SET version = version - 1")
        let error = #expect(throws: StoreError.self) { try open(database, as: Self.role) }
        #expect(error?.code == .outdated)
        let detail = error?.detail ?? ""
        #expect(
            detail.contains("run benji migrate with a store.postgres that names their owner, \(owner)"), "\(detail)")
        #expect(try warnings(database).isEmpty)
    }

    @Test("A start without tables names the owner's command")
    func beginning() async throws {
        let empty = try await TemporaryDatabase(isEmpty: true)
        let error = #expect(throws: StoreError.self) {
            try PostgresStore.hasTables(empty.parameters(user: Self.role), insistsOnDurability: false)
        }
        #expect(error?.detail.contains("for a serving role run benji init as the owner") == true)
    }

    @Test("A role that store.serving-role names has no power of the owner, or its start is refused with the remedy")
    func strict() async throws {
        let (database, owner) = try await owned()
        let role = try await ownRole(database, owner)
        let parameters = try database.parameters(user: role)
        func start() throws {
            #expect(try PostgresStore.examine(parameters, servingRole: role).warnings.isEmpty)
            try Schema.bringForward(session(database, as: role), servingRole: role)
        }
        try start()
        for (given, takenBack, words) in [
            (
                "GRANT \(owner) TO \(role)", "REVOKE \(owner) FROM \(role)",
                "is a member of \(owner), which owns the schema benji"
            ),
            ("ALTER ROLE \(role) SUPERUSER", "ALTER ROLE \(role) NOSUPERUSER", "is a superuser"),
        ] {
            try await database.sql(given)
            // By the catalogue alone it is the owner of one role.
            let unnamed = try PostgresStore.examine(parameters)
            #expect(unnamed.warnings.isEmpty && unnamed.advice != nil, "\(given)")
            let examined = #expect(throws: StoreError.self, "\(given)") {
                try PostgresStore.examine(parameters, servingRole: role)
            }
            let begun = #expect(throws: StoreError.self, "\(given)") {
                try Schema.bringForward(session(database, as: role), servingRole: role)
            }
            for error in [examined, begun] {
                let detail = error?.detail ?? ""
                #expect(error?.code == .unavailable, "\(detail)")
                #expect(detail.contains("the role \(role) \(words)"), "\(given): \(detail)")
                #expect(detail.contains("run \(takenBack)"), "\(given): \(detail)")
            }
            try await database.sql(takenBack)
            try start()
        }
        try await database.sql("REVOKE INSERT ON benji.ledger FROM \(role)")
        let lacking = #expect(throws: StoreError.self) { try PostgresStore.examine(parameters, servingRole: role) }
        #expect(lacking?.detail.contains("INSERT ON TABLE benji.ledger") == true)
        try await database.sql("UPDATE benji.schema_version SET version = version - 1")
        let early = #expect(throws: StoreError.self) {
            try Schema.bringForward(session(database, as: role), servingRole: role)
        }
        #expect(early?.code == .outdated)
        #expect(early?.detail.contains("names their owner, \(owner)") == true)
    }

    @Test("A role that store.serving-role names makes no tables, though it may; one that it does not name makes them")
    func makesNothing() async throws {
        let database = try await TemporaryDatabase(isEmpty: true)
        let role = "serving_\(UUID().uuidString.prefix(8).lowercased())"
        try await database.sql("CREATE ROLE \(role) LOGIN; GRANT CREATE ON DATABASE \(database.name) TO \(role)")
        let parameters = try database.parameters(user: role)
        let error = #expect(throws: StoreError.self) {
            try PostgresStore(
                parameters, servingRole: role, insistsOnDurability: false, deadlines: .patient,
                logger: Logger(label: "test"))
        }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("run benji init as the owner of the tables") == true)
        #expect(throws: StoreError.self) { try PostgresStore.examine(parameters, servingRole: role) }
        #expect(try await database.sql("SELECT to_regnamespace('benji') IS NULL") == "t\n")
        try Schema.bringForward(session(database, as: role))
        let owning = #expect(throws: StoreError.self) { try PostgresStore.examine(parameters, servingRole: role) }
        #expect(owning?.detail.contains("the role \(role) owns the schema benji") == true)
    }

    @Test("A role that logs in to work as the serving role counts with it, because SET ROLE NONE leads back")
    func login() async throws {
        let (database, owner) = try await owned()
        let role = try await ownRole(database, owner)
        let app = "app_\(owner)"
        try await database.sql(
            "CREATE ROLE \(app) LOGIN CREATEDB; GRANT \(role) TO \(app); ALTER ROLE \(app) SET role = \(role)")
        let naive = try session(database, as: app)
        func user() throws -> String? {
            try naive.row("SELECT current_user::text", of: "pg_roles") { try $0.text() }
        }
        #expect(try user() == role)
        try naive.run("SET ROLE NONE")
        #expect(try user() == app)
        let found = try warnings(database, as: app)
        #expect(found.count == 1 && found[0].contains("CREATEDB ON ROLE \(app)"), "\(found)")
        try await database.sql("ALTER ROLE \(app) SUPERUSER")
        for named in [nil, role] as [String?] {
            let error = #expect(throws: StoreError.self) {
                try PostgresStore.examine(database.parameters(user: app), servingRole: named)
            }
            let detail = error?.detail ?? ""
            #expect(detail.contains("the role \(app), which logs in to work as \(role), is a superuser"), "\(detail)")
            #expect(detail.contains("run ALTER ROLE \(app) NOSUPERUSER"), "\(detail)")
        }
        let begun = #expect(throws: StoreError.self) {
            try Schema.bringForward(session(database, as: app), servingRole: role)
        }
        #expect(begun?.detail.contains("is a superuser") == true)
    }

    @Test("What a superuser or a member of the owner makes belongs to the owner, so that servers can use it")
    func made() async throws {
        for isMember in [false, true] {
            let database = try await TemporaryDatabase(isEmpty: true)
            let owner = "owner_\(UUID().uuidString.prefix(8).lowercased())"
            let user = isMember ? "member_\(owner)" : "benji"
            try await database.sql("CREATE ROLE \(owner) LOGIN; CREATE SCHEMA benji AUTHORIZATION \(owner)")
            if isMember { try await database.sql("CREATE ROLE \(user) LOGIN; GRANT \(owner) TO \(user)") }
            let naive = try session(database, as: user)
            naive.begin()
            try naive.run("CREATE TABLE benji.naive (id bigint)")
            let naiveOwner = try naive.row(
                "SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE oid = to_regclass('benji.naive')",
                of: "pg_class"
            ) { try $0.text() }
            naive.rollBack()
            #expect(naiveOwner == user)
            try Schema.bringForward(session(database, as: user), servingRole: Self.role)
            let others = """
                SELECT relname FROM pg_class
                    WHERE relnamespace = 'benji'::regnamespace AND pg_get_userbyid(relowner) <> '\(owner)'
                UNION ALL SELECT proname FROM pg_proc
                    WHERE pronamespace = 'benji'::regnamespace AND pg_get_userbyid(proowner) <> '\(owner)'
                """
            #expect(try await database.sql(others) == "")
            let store = try open(database, as: Self.role)
            try await store.check()
            await store.close()
        }
    }

    @Test("A role that is missing, a superuser, or one with the owner's rights is not made a serving role")
    func unfit() async throws {
        let (database, owner) = try await owned()
        func problem(_ role: String) throws -> String {
            let error = #expect(throws: StoreError.self) {
                try Schema.bringForward(session(database, as: owner), servingRole: role)
            }
            return error?.detail ?? ""
        }
        let missing = try problem("nobody_\(owner)")
        #expect(missing.contains("PostgreSQL has no role nobody_\(owner)"), "\(missing)")
        let superuser = try problem("benji")
        #expect(superuser.contains("the role benji is a superuser"), "\(superuser)")
        #expect(superuser.contains("name another one in store.serving-role"), "\(superuser)")
        let own = try problem(owner)
        #expect(own.contains("owns the schema benji"), "\(own)")
        try await database.sql("CREATE ROLE member_\(owner) LOGIN; GRANT \(owner) TO member_\(owner)")
        let member = try problem("member_\(owner)")
        #expect(member.contains("is a member of \(owner), which owns the schema benji"), "\(member)")
        #expect(member.contains("run REVOKE \(owner) FROM member_\(owner)"), "\(member)")
    }

    /// A power that was given to a serving role by mistake, and how it is taken back.
    private struct Mistake {
        var given: String
        var takenBack: String
        /// The words of a start and of `benji doctor`.
        var words: String
        var remedy: String
    }

    private static func mistakes(of role: String, _ owner: String, _ database: TemporaryDatabase) -> [Mistake] {
        [
            Mistake(
                given: "CREATE ROLE root_\(owner) SUPERUSER; GRANT root_\(owner) TO \(role)",
                takenBack: "REVOKE root_\(owner) FROM \(role)", words: "is a member of root_\(owner), a superuser",
                remedy: "run REVOKE root_\(owner) FROM \(role)"),
            Mistake(
                given: "ALTER ROLE \(role) NOINHERIT; GRANT \(owner) TO \(role)",
                takenBack: "REVOKE \(owner) FROM \(role); ALTER ROLE \(role) INHERIT",
                words: "is a member of \(owner), which owns the schema benji",
                remedy: "run REVOKE \(owner) FROM \(role)"),
            Mistake(
                given: "CREATE ROLE group_\(owner); GRANT pg_execute_server_program TO group_\(owner); "
                    + "GRANT group_\(owner) TO \(role)",
                takenBack: "REVOKE group_\(owner) FROM \(role)", words: "is a member of pg_execute_server_program",
                remedy: "run REVOKE pg_execute_server_program FROM \(role), or from the role that lies between"),
            Mistake(
                given: "GRANT pg_write_server_files TO \(role)", takenBack: "REVOKE pg_write_server_files FROM \(role)",
                words: "is a member of pg_write_server_files", remedy: "run REVOKE pg_write_server_files FROM \(role)"),
            Mistake(
                given: "ALTER DATABASE \(database.name) OWNER TO \(role)",
                takenBack: "ALTER DATABASE \(database.name) OWNER TO benji",
                words: "owns the database \(database.name)",
                remedy: "run ALTER DATABASE \(database.name) OWNER TO \(owner)"),
            Mistake(
                given: "ALTER TABLE benji.audit OWNER TO \(role)", takenBack: "REASSIGN OWNED BY \(role) TO \(owner)",
                words: "owns benji.audit", remedy: "run REASSIGN OWNED BY \(role) TO \(owner) in this database"),
            Mistake(
                given: "ALTER FUNCTION benji.refuse() OWNER TO \(role)",
                takenBack: "REASSIGN OWNED BY \(role) TO \(owner)", words: "owns the function benji.refuse",
                remedy: "run REASSIGN OWNED BY \(role) TO \(owner) in this database"),
            Mistake(
                given: "CREATE ROLE tables_\(owner); ALTER TABLE benji.audit OWNER TO tables_\(owner); "
                    + "GRANT tables_\(owner) TO \(role)",
                takenBack: "ALTER TABLE benji.audit OWNER TO \(owner); REVOKE tables_\(owner) FROM \(role)",
                words: "is a member of tables_\(owner), which owns benji.audit",
                remedy: "run ALTER TABLE benji.audit OWNER TO \(owner)"),
            Mistake(
                given: "CREATE ROLE functions_\(owner); ALTER FUNCTION benji.refuse() OWNER TO functions_\(owner); "
                    + "GRANT functions_\(owner) TO \(role)",
                takenBack: "ALTER FUNCTION benji.refuse() OWNER TO \(owner); REVOKE functions_\(owner) FROM \(role)",
                words: "is a member of functions_\(owner), which owns the function benji.refuse",
                remedy: "run ALTER FUNCTION benji.refuse() OWNER TO \(owner)"),
        ]
    }

    /// Of parameters, from PostgreSQL 15 on.
    private static func parameterMistakes(of role: String, _ owner: String) -> [Mistake] {
        let triggers = "SET ON PARAMETER session_replication_role"
        return [
            Mistake(
                given: "GRANT \(triggers) TO \(role)", takenBack: "REVOKE \(triggers) FROM \(role)",
                words: "has \(triggers), which switches off triggers", remedy: "run REVOKE \(triggers) FROM \(role)"),
            Mistake(
                given: "GRANT \(triggers) TO PUBLIC", takenBack: "REVOKE \(triggers) FROM PUBLIC",
                words: "has \(triggers) by PUBLIC", remedy: "run REVOKE \(triggers) FROM PUBLIC"),
            Mistake(
                given: "CREATE ROLE tuners_\(owner); GRANT \(triggers) TO tuners_\(owner); "
                    + "GRANT tuners_\(owner) TO \(role)",
                takenBack: "REVOKE tuners_\(owner) FROM \(role)", words: "has \(triggers) by tuners_\(owner)",
                remedy: "run REVOKE \(triggers) FROM tuners_\(owner)"),
            Mistake(
                given: "GRANT ALTER SYSTEM ON PARAMETER archive_command TO \(role)",
                takenBack: "REVOKE ALTER SYSTEM ON PARAMETER archive_command FROM \(role)",
                words: "has ALTER SYSTEM ON PARAMETER archive_command, which changes the configuration of PostgreSQL",
                remedy: "run REVOKE ALTER SYSTEM ON PARAMETER archive_command FROM \(role)"),
        ]
    }

    @Test("A power that no list of rights limits refuses a start, with its remedy, which mends it")
    func powers() async throws {
        let (database, owner) = try await owned()
        let role = try await ownRole(database, owner)
        #expect(try warnings(database, as: role).isEmpty)
        var mistakes = Self.mistakes(of: role, owner, database)
        let version = try session(database, as: role).serverVersion
        if version >= 150_000 { mistakes += Self.parameterMistakes(of: role, owner) }
        if version >= 160_000 {
            mistakes.append(
                Mistake(
                    given: "GRANT pg_create_subscription TO \(role)",
                    takenBack: "REVOKE pg_create_subscription FROM \(role)",
                    words: "is a member of pg_create_subscription, which writes rows without their triggers",
                    remedy: "run REVOKE pg_create_subscription FROM \(role)"))
        } else {
            mistakes.append(
                Mistake(
                    given: "ALTER ROLE \(role) CREATEROLE", takenBack: "ALTER ROLE \(role) NOCREATEROLE",
                    words: "can join the owner of the tables, by CREATEROLE of \(role)",
                    remedy: "run ALTER ROLE \(role) NOCREATEROLE"))
        }
        for mistake in mistakes {
            try await database.sql(mistake.given)
            let error = #expect(throws: StoreError.self, "\(mistake.given)") {
                try PostgresStore.examine(database.parameters(user: role))
            }
            let detail = error?.detail ?? ""
            #expect(error?.code == .unavailable, "\(detail)")
            #expect(detail.contains("the role \(role) \(mistake.words)"), "\(mistake.given): \(detail)")
            #expect(detail.contains(mistake.remedy), "\(mistake.given): \(detail)")
            try await database.sql(mistake.takenBack)
            // A change of owner moves the rights on a table to the next owner.
            try PostgresStore.mendRights(of: role, database.parameters(user: owner))
            #expect(try warnings(database, as: role).isEmpty, "\(mistake.takenBack)")
        }
    }

    @Test("A right that it can have as another role is one too many, also if it does not inherit it")
    func memberships() async throws {
        let (database, owner) = try await owned()
        let role = try await ownRole(database, owner)
        try await database.sql(
            """
            CREATE ROLE writers_\(owner) CREATEDB; GRANT TRUNCATE ON benji.audit TO writers_\(owner);
            ALTER ROLE \(role) NOINHERIT; GRANT writers_\(owner) TO \(role)
            """)
        // It works, and the catalogue's answer for the role alone does not show it.
        let naive = try session(database, as: role)
        let alone = try naive.row(
            "SELECT has_table_privilege($1::name, 'benji.audit', 'TRUNCATE')", of: "pg_class", role
        ) { try $0.bool() }
        #expect(alone == false)
        try naive.run("SET ROLE writers_\(owner)")
        let hasParameters = naive.serverVersion >= 150_000
        if hasParameters {
            try await database.sql("GRANT SET ON PARAMETER log_statement TO writers_\(owner) WITH GRANT OPTION")
        }
        let found = try warnings(database, as: role)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains("TRUNCATE ON TABLE benji.audit") == true, "\(found)")
        #expect(found.first?.contains("CREATEDB ON ROLE writers_\(owner)") == true, "\(found)")
        #expect(found.first?.contains("or a role that \(role) is a member of has") == true, "\(found)")
        let parameter = "SET WITH GRANT OPTION ON PARAMETER log_statement"
        #expect(found.first?.contains(parameter) == hasParameters, "\(found)")
    }

    @Test("An erasure that it may not vacuum stays unfinished until the owner has vacuumed")
    func erasure() async throws {
        let (database, owner) = try await owned()
        let book = LogBook()
        let store = try open(database, as: Self.role, logger: book.logger)
        try await database.sql(
            """
            INSERT INTO benji.erasure (subscription, at, state, mark) VALUES (7, 0, 0, decode(repeat('00', 32), 'hex'))
            """)
        let version = try session(database, as: Self.role).serverVersion
        if version < ServingRights.maintain {
            // A naive vacuum succeeds with a warning, and removes nothing.
            try session(database, as: Self.role).run("VACUUM benji.token")
            #expect(try await store.vacuum() == .refused)
            await store.forgetReplaced()
            await store.forgetErasedFaces(1)
            let said = book.lines.filter { $0.contains("run benji store vacuum once an hour") }
            #expect(said.count == 1, "\(book.text)")
            #expect(try await store.finishErasures(at: Scene.now, patience: .zero) == 1)
            #expect(try await store.finishErasures(at: Scene.now, patience: .zero) == 1)
            #expect(book.lines.filter { $0.contains("benji store vacuum") }.count == 1, "\(book.text)")
            #expect(try await store.unfinishedErasures() == 1)
            let error = await #expect(throws: StoreError.self) { try await store.vacuumErased(at: Scene.now) }
            #expect(error?.code == .unavailable)
            #expect(error?.detail.contains("run benji store vacuum") == true)
            #expect(error?.detail.contains("names their owner, \(owner)") == true)
        }
        let own = try open(database, as: owner)
        #expect(try await own.vacuumErased(at: Scene.now) == 0)
        #expect(try await store.unfinishedErasures() == 0)
        await own.close()
        await store.close()
    }

    @Test("An owner that serves is advised to use a serving role, and a serving role is not")
    func advice() async throws {
        let (database, owner) = try await owned()
        let own = try PostgresStore.examine(database.parameters(user: owner)).advice
        #expect(own?.contains("\(owner), the user of store.postgres, owns the tables") == true)
        let command = try PostgresStore.examine(database.parameters(user: owner), servingRole: Self.role)
        #expect(command.advice == nil && command.warnings.isEmpty)
        #expect(command.ofServer.count == 1, "\(command)")
        #expect(command.ofServer.first?.contains("as \(owner), which has the power of the tables' owner") == true)
        let serving = try PostgresStore.examine(database.parameters(user: Self.role), servingRole: Self.role)
        #expect(serving.advice == nil && serving.ofServer.isEmpty && serving.warnings.isEmpty, "\(serving)")
        let other = try PostgresStore.examine(database.parameters(user: Self.role), servingRole: owner)
        #expect(other.ofServer.first?.contains("store.serving-role names \(owner), so a start does not refuse") == true)
        #expect(try PostgresStore.examine(database.parameters(user: Self.role)).advice == nil)
    }
}
