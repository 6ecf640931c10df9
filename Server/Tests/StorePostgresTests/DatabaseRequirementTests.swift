import Foundation
import Logging
import ServerTestKit
import Store
import Testing

@testable import StorePostgres

@Suite("Requirements of a database")
struct DatabaseRequirementTests {
    /// A name that no other test's role has.
    private static func role(_ name: String) -> String { "\(name)_\(UUID().uuidString.prefix(8).lowercased())" }

    /// Why a store does not open in a database; "good" if it does.
    private func problem(_ parameters: ConnectionParameters) -> String {
        do throws(StoreError) {
            _ = try PostgresStore.hasTables(parameters, insistsOnDurability: false)
            return "good"
        } catch {
            #expect(error.code == .unavailable)
            return error.detail
        }
    }

    @Test("A database in another encoding is refused by name before anything is made", arguments: ["LATIN1", "EUC_CN"])
    func encoding(name: String) async throws {
        let database = try await TemporaryDatabase(
            isEmpty: true, options: "ENCODING '\(name)' LC_COLLATE 'C' LC_CTYPE 'C'")
        // A client that checks nothing connects, and fails at the first text that the encoding lacks.
        let naive = try Session(database.parameters, patience: Patience.deadline)
        let failure = #expect(throws: ServerFailure.self) {
            try naive.row("SELECT $1::text", of: "text", "商店😀") { try $0.text() }
        }
        #expect(failure?.state == "22P05")
        let error = #expect(throws: StoreError.self) { try Scene.open(database) }
        let detail = error?.detail ?? ""
        #expect(detail.contains("server_encoding is \(name)") && detail.contains("createdb -T template0 -E UTF8"))
        #expect(problem(try database.parameters).contains("server_encoding is \(name)"))
        #expect(try await database.sql("SELECT to_regnamespace('benji') IS NULL") == "t\n")
        let good = try await TemporaryDatabase()
        #expect(problem(try good.parameters) == "good")
    }

    @Test(
        "A setting of the database that breaks a promise is refused by name",
        arguments: [
            ("session_replication_role", "replica"), ("default_transaction_read_only", "on"),
        ])
    func settings(name: String, value: String) async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        #expect(problem(try database.parameters) == "good")
        try await database.sql("ALTER DATABASE \(database.name) SET \(name) = \(value)")
        #expect(problem(try database.parameters).contains(name))
    }

    @Test("A proxy that has a session speak another encoding is refused, and the message names encoding and proxy")
    func proxy() async throws {
        let database = try await TemporaryDatabase()
        let relay = try PlaintextRelay(to: TestServer.shared.port, encoding: "BIG5")
        defer { relay.stop() }
        let parameters = try ConnectionParameters(
            "host=127.0.0.1 port=\(relay.port) user=benji dbname=\(database.name) sslmode=disable")
        // A client that checks nothing connects, and goes on in the other encoding.
        let naive = try Session(parameters, patience: Patience.deadline)
        let spoken = try naive.row("SELECT current_setting($1)", of: "pg_settings", "client_encoding") { try $0.text() }
        #expect(spoken == "BIG5")
        let words = problem(parameters)
        #expect(words.contains("client_encoding is BIG5; it must be UTF8"), "\(words)")
        #expect(words.contains("a proxy between Benji and PostgreSQL must not change it"), "\(words)")
    }

    @Test("A session has its own settings, whatever the database sets")
    func ownSettings() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let settings = [
            ("statement_timeout", "1h", "15s"), ("lock_timeout", "1h", "5s"),
            ("idle_in_transaction_session_timeout", "1h", "4s"), ("idle_session_timeout", "1h", "0"),
            ("row_security", "on", "off"), ("standard_conforming_strings", "off", "on"),
            ("default_transaction_isolation", "serializable", "read committed"), ("search_path", "public", "benji"),
            ("client_min_messages", "error", "warning"), ("plan_cache_mode", "auto", "force_generic_plan"),
            ("enable_seqscan", "on", "off"), ("jit", "on", "off"), ("tcp_keepalives_idle", "7200", "10"),
            ("tcp_keepalives_interval", "75", "5"), ("tcp_user_timeout", "60000", "10000"),
        ]
        try await database.sql(
            settings.map { "ALTER DATABASE \(database.name) SET \($0.0) = '\($0.1)'" }.joined(separator: ";"))
        // At a Unix socket each of the tcp_ settings is 0.
        let parameters = try ConnectionParameters(
            "host=127.0.0.1 port=\(TestServer.shared.port) user=benji dbname=\(database.name) sslmode=disable")
        let naive = try Session(parameters, patience: Patience.deadline)
        let own = try ReadySession.make(parameters, insistsOnDurability: false)
        for (name, other, wanted) in settings {
            func value(_ session: Session) throws -> String? {
                try session.row("SELECT current_setting($1)", of: "pg_settings", name) { try $0.text() }
            }
            #expect(try value(naive) == other, "\(name)")
            #expect(try value(own) == wanted, "\(name)")
        }
    }

    @Test("A schema of another owner, and a database in which none may be made, are refused with the user's name")
    func owner() async throws {
        let database = try await TemporaryDatabase()
        let guest = Self.role("guest")
        try await database.sql("CREATE ROLE \(guest) LOGIN")
        let schema = problem(try database.parameters(user: guest))
        #expect(schema.contains("the owner of the schema benji is benji"), "\(schema)")
        let empty = try await TemporaryDatabase(isEmpty: true)
        let right = problem(try empty.parameters(user: guest))
        #expect(right.contains("is \(guest); run GRANT CREATE ON DATABASE"), "\(right)")
        try await empty.sql("GRANT CREATE ON DATABASE \(empty.name) TO \(guest)")
        #expect(problem(try empty.parameters(user: guest)) == "good")
    }

    @Test("A user without CREATE on the database makes the tables in a schema that was made for it")
    func madeSchema() async throws {
        let database = try await TemporaryDatabase(isEmpty: true)
        let guest = Self.role("guest")
        try await database.sql("CREATE ROLE \(guest) LOGIN; CREATE SCHEMA benji AUTHORIZATION \(guest)")
        let parameters = try database.parameters(user: guest)
        let naive = try ReadySession.make(parameters, insistsOnDurability: false)
        let failure = #expect(throws: ServerFailure.self) { try naive.run("CREATE SCHEMA IF NOT EXISTS benji") }
        #expect(failure?.state == "42501")
        let session = try ReadySession.make(parameters, insistsOnDurability: false)
        try Schema.bringForward(session)
        #expect(try Schema.isCurrent(session))
    }

    @Test("Tables of another user are refused with a table's name, although the schema is the user's, until all are")
    func tables() async throws {
        let database = try await TemporaryDatabase(isEmpty: true)
        let (owner, guest) = (Self.role("owner"), Self.role("guest"))
        try await database.sql("CREATE ROLE \(owner) LOGIN; CREATE ROLE \(guest) LOGIN")
        try await database.sql("CREATE SCHEMA benji AUTHORIZATION \(owner)")
        try Schema.bringForward(
            ReadySession.make(database.parameters(user: owner), insistsOnDurability: false))
        try await database.sql("ALTER SCHEMA benji OWNER TO \(guest)")
        let tables = problem(try database.parameters(user: guest))
        #expect(tables.contains("of another user in the schema benji is admin, which \(owner) owns"), "\(tables)")
        #expect(tables.contains("run REASSIGN OWNED BY that user TO the owner of the schema"), "\(tables)")
        try await database.sql("REASSIGN OWNED BY \(owner) TO \(guest)")
        #expect(problem(try database.parameters(user: guest)) == "good")
        // Its owner could drop the triggers that call it.
        try await database.sql("ALTER FUNCTION benji.refuse_shortening() OWNER TO \(owner)")
        let function = problem(try database.parameters(user: guest))
        #expect(function.contains("is refuse_shortening(), which \(owner) owns"), "\(function)")
        #expect(function.contains("ALTER FUNCTION … OWNER TO the owner for each function"), "\(function)")
        try await database.sql("ALTER FUNCTION benji.refuse_shortening() OWNER TO \(guest)")
        #expect(problem(try database.parameters(user: guest)) == "good")
    }

    @Test("No index depends on the database's collation")
    func indexes() async throws {
        let database = try await TemporaryDatabase()
        let dependent = """
            SELECT i.indexrelid::regclass FROM pg_index AS i
            JOIN pg_class AS t ON t.oid = i.indrelid AND t.relnamespace = 'benji'::regnamespace
            CROSS JOIN unnest(i.indcollation) AS k JOIN pg_collation AS c ON c.oid = k WHERE c.collname <> 'C'
            """
        #expect(try await database.sql(dependent) == "")
    }

    @Test("A collation version that the system no longer has is a warning, and the store works")
    func collation() async throws {
        let database = try await TemporaryDatabase(
            isEmpty: true, options: "LOCALE_PROVIDER icu ICU_LOCALE 'und' LC_COLLATE 'C' LC_CTYPE 'C'")
        #expect(try PostgresStore.examine(database.parameters).warnings.isEmpty)
        try await database.sql("UPDATE pg_database SET datcollversion = '1' WHERE datname = current_database()")
        let warnings = try PostgresStore.examine(database.parameters).warnings
        #expect(
            warnings.count == 1 && warnings[0].contains("collation version of the database is 1, and the system has"))
        let store = try Scene.open(database)
        try await store.check()
        await store.close()
    }

    @Test(
        "A PostgreSQL or libpq that is too old is named with both versions",
        arguments: [(130_022, "13"), (90_624, "9"), (0, "0")] as [(Int32, String)])
    func versions(version: Int32, text: String) {
        let problem = DatabaseRequirement.problem(version: version, of: "PostgreSQL") ?? "good"
        #expect(problem.contains("PostgreSQL has version \(text), and 14 or newer is needed"), "\(problem)")
        #expect(DatabaseRequirement.problem(version: 140_000, of: "PostgreSQL") == nil)
    }
}
