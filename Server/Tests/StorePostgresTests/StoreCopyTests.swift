import BenjiProtocol
import Foundation
import GRDB
import Logging
import Store
import StoreRows
import Testing

@testable import StorePostgres
@testable import StoreSQLite

@Suite("A copy of SQLite's file in PostgreSQL has every row, once")
struct StoreCopyTests {
    @Test("Every table and column of SQLite's schema is copied, or named as SQLite's own")
    func shape() async throws {
        let file = try FilledFile()
        let database = try await TemporaryDatabase()
        let tables = try CopiedTables.all(ReadySession.make(database.parameters, insistsOnDurability: false))
        try file.read { source in
            try CopiedTables.refuseOthers(tables, than: source)
            #expect(tables.map(\.name).sorted() == source.tables.keys.sorted())
        }
        #expect(tables.allSatisfy { !$0.key.isEmpty })
        try file.write("CREATE TABLE forgotten (id INTEGER PRIMARY KEY)")
        let error = #expect(throws: StoreError.self) { try file.copy(to: database) }
        #expect(error?.detail.contains("forgotten (id)") == true)
        try file.write("DROP TABLE forgotten; ALTER TABLE ledger ADD COLUMN afterthought TEXT")
        let other = #expect(throws: StoreError.self) { try file.copy(to: database) }
        #expect(other?.detail.contains("ledger (afterthought)") == true)
    }

    @Test(
        """
        Rows of every table are the same afterwards, whatever is in them, and a table comes after those that its rows \
        name
        """
    )
    func everything() async throws {
        let file = try FilledFile(rows: 3)
        let database = try await TemporaryDatabase(isEmpty: true)
        let tables = try file.copy(to: database)
        #expect(tables.allSatisfy { $0.isEqual && $0.rowsOfCopy == $0.rows })
        #expect(
            tables.filter { $0.rows != 3 }.map(\.table) == [
                "audit_mark", "data_secrets", "ledger_begin", "ledger_mark",
            ])
        #expect(try file.compare(with: database) == tables)
        #expect(try await database.sql("SELECT day FROM benji.ledger_begin") == "20261118\n")
        // Numbers that are told apart by their bytes alone.
        #expect(try await database.sql("SELECT count(DISTINCT name) FROM benji.message") == "3\n")
    }

    @Test("A table of many pages is copied whole, in the order of its key")
    func pages() async throws {
        let file = try FilledFile()
        try file.write(
            """
            WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 20000)
            INSERT INTO message (app, name, expires_at) SELECT 'app ' || n % 7, 'name ' || n, n FROM counter
            """)
        let database = try await TemporaryDatabase()
        let messages = try #require(try file.copy(to: database).first { $0.table == "message" })
        #expect(messages.rows == 20_000 && messages.rowsOfCopy == 20_000)
        #expect(try await database.sql("SELECT count(*), sum(expires_at) FROM benji.message") == "20000|200010000\n")
    }

    @Test("A number that was given out is not given out again, though its row is gone")
    func numbers() async throws {
        let file = try FilledFile()
        // As of a file that was restored: its rows are numbered on from far beyond.
        try file.write("UPDATE sqlite_sequence SET seq = 4294967300 WHERE name = 'subscription'")
        try file.write("INSERT INTO sqlite_sequence (name, seq) VALUES ('subscription', 4294967300)")
        let database = try await TemporaryDatabase()
        try file.copy(to: database)
        let store = try Scene.open(database)
        #expect(try await Scene(store).subscription.id == 4_294_967_301)
        await store.close()
        try await database.sql("SELECT setval('benji.subscription_id_seq', 7)")
        let register = try #require(try file.compare(with: database).first { $0.table == "subscription" })
        #expect(register.repeatsNumbers && !register.isEqual)
    }

    @Test("A database with a row in it is refused, and left as it is")
    func notEmpty() async throws {
        let file = try FilledFile(rows: 1)
        let database = try await TemporaryDatabase()
        try await database.sql("INSERT INTO benji.message (app, name, expires_at) VALUES ('a', 'n', 1)")
        let error = #expect(throws: StoreError.self) { try file.copy(to: database) }
        #expect(error?.code == .alreadyExists)
        #expect(error?.detail.contains("(message)") == true)
        #expect(try await database.sql("SELECT count(*) FROM benji.message") == "1\n")
        #expect(try await database.sql("SELECT count(*) FROM benji.app") == "0\n")
    }

    @Test("A copy that cannot be finished leaves nothing, and says at which table; the next one begins anew")
    func brokenOff() async throws {
        let file = try FilledFile(rows: 2)
        try file.write(
            "INSERT INTO trace_event VALUES (9, 't', 1, 'p', 's', 's', 'nul' || char(0) || 'l', NULL, NULL, NULL)")
        let database = try await TemporaryDatabase(isEmpty: true)
        let error = #expect(throws: StoreError.self) { try file.copy(to: database) }
        #expect(error?.detail.contains("trace_event") == true)
        #expect(error?.detail.contains("U+0000") == true)
        #expect(try !PostgresStore.hasTables(database.parameters, insistsOnDurability: false))
        try file.write("DELETE FROM trace_event WHERE id = 9")
        #expect(try file.copy(to: database).allSatisfy(\.isEqual))
    }

    @Test("A comparison names the table, and the column of a row that is another")
    func differences() async throws {
        let file = try FilledFile(rows: 3)
        // A trigger is taken out of it.
        let database = try await TemporaryDatabase(isUsedAgain: false)
        try file.copy(to: database)
        try await database.sql(
            """
            ALTER TABLE benji.ledger DISABLE TRIGGER USER;
            UPDATE benji.ledger SET result = 'x' WHERE id = 2;
            DELETE FROM benji.familiar_key WHERE subscription = 1;
            INSERT INTO benji.revoked_binding (binding, at) VALUES (77, 1);
            UPDATE benji.message SET name = 'another' WHERE expires_at = 3
            """)
        let unequal = try file.compare(with: database).filter { !$0.isEqual }
        #expect(unequal.map(\.table).sorted() == ["familiar_key", "ledger", "message", "revoked_binding"])
        let byName = Dictionary(uniqueKeysWithValues: unequal.map { ($0.table, $0) })
        #expect(byName["ledger"]?.different == 1 && byName["ledger"]?.columns == ["result"])
        #expect(byName["familiar_key"]?.missing == 1 && byName["familiar_key"]?.rowsOfCopy == 2)
        #expect(byName["revoked_binding"]?.added == 1)
        // Another key is another row.
        #expect(byName["message"]?.missing == 1 && byName["message"]?.added == 1)
    }

    @Test("Rows with codes are believed in the copy, and a row that is changed there is not")
    func codes() async throws {
        let file = try FilledFile()
        let source = try SQLiteStore(path: file.path, logger: Logger(label: "test"))
        source.rowCodes.use { Array("secret".utf8) + $0 }
        let (old, new) = (Sealed(bytes: [1, 1]), Sealed(bytes: [1, 2]))
        func line(_ order: String) -> AuditEntry {
            AuditEntry(at: Scene.now, actor: "ops", role: "operator", origin: "test", order: order)
        }
        _ = try await source.tie(
            to: MasterKeyRecord(
                check: MasterKeyCheck(bytes: Array(repeating: 7, count: 32)), state: .current, since: Scene.now),
            dataSecrets: old,
            receiptKey: ReceiptKeyRecord(id: "key", publicKey: "{}", sealedKey: nil, from: nil))
        #expect(try await source.sealRows(from: old, to: new, onlyIfEmpty: true, audit: line("rows.seal")))
        var app = AppRecord(
            id: Scene.app, name: "Shop", keys: [], capabilities: [.login], bundleIDs: ["com.example.shop"],
            serverAddresses: ["203.0.113.0/24"], createdAt: Scene.now)
        app.dailyQuota = 7
        app.keys = [
            AppKeyRecord(
                use: .package, version: 1, sealed: Sealed(bytes: [1, 2]), createdAt: Scene.now, acceptedUntil: nil,
                isInPackage: true)
        ]
        try await source.createApp(app, audit: line("app.create"))
        _ = try await source.putOpenIDClient(
            OpenIDClientRecord(
                appID: app.id, redirectURIs: ["https://shop.example/"], authentication: .clientSecretBasic,
                secrets: [
                    ClientSecretRecord(
                        hash: CredentialHash(bytes: Array(repeating: 5, count: 32)), createdAt: Scene.now)
                ], keySet: nil,
                idTokenAlgorithm: .es256, asksMiddleDigits: true, requiresPushedRequests: false, page: "{}"),
            media: [], removedMedia: [], audit: line("app.openid.set"))
        try await source.createAdmin(
            AdminRecord(
                name: "ana", role: "developer", apps: [app.id], kind: .token, credential: Scene.hash(1, "ana"),
                createdAt: Scene.now, expiresAt: Scene.now + .seconds(3600)), audit: line("admin.grant"))
        #expect(try await source.examineRows() == [])
        await source.close()
        let database = try await TemporaryDatabase()
        try file.copy(to: database)
        let copy = try Scene.open(database)
        copy.rowCodes.use { Array("secret".utf8) + $0 }
        #expect(try await copy.examineRows() == [])
        #expect(try await copy.app(app.id) != nil)
        #expect(try await copy.admin(named: "ana") != nil)
        #expect(try await copy.openIDClient(app.id) != nil)
        try await database.sql("UPDATE benji.app SET daily_quota = 8")
        #expect(try await copy.examineRows().count == 1)
        await copy.close()
    }

    @Test("A copy belongs to the owner of the schema and gives the serving role its rights; that role makes none")
    func roles() async throws {
        let file = try FilledFile()
        let role = TestServer.servingRole
        let database = try await TemporaryDatabase(isEmpty: true)
        let owner = "owner_\(UUID().uuidString.prefix(8).lowercased())"
        try await database.sql("CREATE ROLE \(owner) LOGIN; CREATE SCHEMA benji AUTHORIZATION \(owner)")
        try file.copy(to: database, servingRole: role)
        #expect(
            try await database.sql(
                """
                SELECT relname FROM pg_class
                WHERE relnamespace = 'benji'::regnamespace AND pg_get_userbyid(relowner) <> '\(owner)'
                """) == "")
        let parameters = try database.parameters(user: role)
        #expect(try PostgresStore.examine(parameters, servingRole: role).warnings.isEmpty)
        let store = try PostgresStore(
            parameters, servingRole: role, insistsOnDurability: false, deadlines: .patient,
            logger: Logger(label: "test"))
        try await store.check()
        await store.close()
        for named in [nil, role] as [String?] {
            let refused = #expect(throws: StoreError.self) {
                try file.copy(to: database, as: role, servingRole: named)
            }
            #expect(refused?.code == .unavailable)
            let detail = refused?.detail ?? ""
            #expect(detail.contains("run benji store copy with a store.postgres that names their owner"), "\(detail)")
        }
    }

    @Test("Nobody writes to the file while it is copied")
    func standstill() throws {
        let file = try FilledFile(rows: 1)
        try SQLiteStore.withExclusiveAccess(path: file.path) { _ in
            var configuration = Configuration()
            configuration.busyMode = .immediateError
            let other = try DatabaseQueue(path: file.path, configuration: configuration)
            let error = #expect(throws: DatabaseError.self) {
                try other.write { try $0.execute(sql: "DELETE FROM message") }
            }
            #expect(error?.resultCode == .SQLITE_BUSY)
        }
    }
}

/// A store of SQLite's with so many rows in each table.
private final class FilledFile {
    private let folder = NSTemporaryDirectory() + "benji-" + UUID().uuidString
    var path: String { folder + "/store.sqlite" }

    init(rows: Int = 0) throws {
        let store = try SQLiteStore(path: path, logger: Logger(label: "test"))
        try store.pool.writeWithoutTransaction { db in
            // Rows name others of the same number.
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                        AND name NOT IN ('grdb_migrations', 'heartbeat', 'ledger_begin')
                    """)
            try db.execute(sql: "UPDATE ledger_begin SET day = 20261118")
            for table in tables { for number in 1...max(rows, 1) where rows > 0 { try Self.insert(number, table, db) } }
            try db.execute(sql: "PRAGMA foreign_keys = ON")
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
        }
        try store.pool.close()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Values that one of the databases could take for others.
    private static func insert(_ number: Int, _ table: String, _ db: Database) throws {
        let references = Set(
            try Row.fetchAll(db, sql: "PRAGMA foreign_key_list(\(table))").map { $0["from"] as String })
        let columns = try db.columns(in: table)
        let values: [DatabaseValue] = columns.map { column in
            let isKey = column.primaryKeyIndex > 0 || references.contains(column.name)
            if !column.isNotNull, !isKey, number == 2 { return .null }
            switch (column.type, column.name) {
            case (_, "frozen_by"): return "holder".databaseValue
            case (_, "ended_by"): return "sim".databaseValue
            case (_, "state") where table == "master_key":
                return ["current", "outgoing", "retired"][number - 1].databaseValue
            case (_, "state") where table == "outbox":
                return ["waiting", "delivered", "dead"][number - 1].databaseValue
            case (_, "state") where table == "erasure": return (number - 1).databaseValue
            case (_, "id") where ["audit_mark", "data_secrets", "ledger_mark"].contains(table): return 1.databaseValue
            case (_, "kind") where table == "log_leaf":
                return ["consent", "release", "consent"][number - 1].databaseValue
            case ("INTEGER", "source"): return number.databaseValue
            case (_, "hash") where table.hasPrefix("log_"):
                return Data(repeating: UInt8(number), count: 32).databaseValue
            case (_, "mark"): return Data(repeating: UInt8(number), count: 32).databaseValue
            case ("INTEGER", _) where isKey || column.name == "expires_at" || table == "ledger_begin":
                return number.databaseValue
            case ("INTEGER", "subscription"): return number.databaseValue
            case ("INTEGER", "content_at"): return 0.databaseValue
            case ("INTEGER", let name) where large.contains(name):
                return (number == 1 ? Int64.max : Int64.min).databaseValue
            case ("INTEGER", _): return (number % 2).databaseValue
            case ("BLOB", _): return Data([0, 0xff, UInt8(number), 0]).databaseValue
            default: return texts[number - 1].databaseValue
            }
        }
        let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try db.execute(
            sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(marks))", arguments: StatementArguments(values))
    }

    private static let large: Set<String> = ["at", "binding", "family", "received_at", "created_at"]
    /// The first two are equal to people, and in an order that is not the one of their bytes for many languages.
    private static let texts = ["Z\u{e9}", "Ze\u{301}", "a' \"$1\\\n\u{1f600}"]

    func write(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    func read(_ body: (CopySource<Database>) throws -> Void) throws { try SQLiteStore.look(path: path, body) }

    @discardableResult
    func copy(
        to database: TemporaryDatabase, as user: String = "benji", servingRole: String? = nil
    ) throws -> [TableComparison] {
        try SQLiteStore.withExclusiveAccess(path: path) { source in
            try StoreCopy(database.parameters(user: user), servingRole: servingRole, insistsOnDurability: false)
                .make(of: source)
        }
    }

    func compare(with database: TemporaryDatabase) throws -> [TableComparison] {
        try SQLiteStore.look(path: path) { source in
            try StoreCopy(database.parameters, insistsOnDurability: false).compare(with: source)
        }
    }
}
