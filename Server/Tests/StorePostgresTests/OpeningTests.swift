import Logging
import Store
import Testing

@testable import StorePostgres

@Suite("What a PostgreSQL store refuses to open")
struct OpeningTests {
    private let logger = Logger(label: "test")

    @Test("A server that does not wait for its disk is refused, and the setting is named")
    func fsync() async throws {
        let database = try await TemporaryDatabase()
        let error = #expect(throws: StoreError.self) { try PostgresStore(database.parameters, logger: logger) }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("fsync is off") == true)
    }

    @Test("A newer schema is refused in words, and left alone")
    func newer() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        await (try Scene.open(database)).close()
        try await database.sql("UPDATE benji.schema_version SET version = 99")
        let error = #expect(throws: StoreError.self) { try Scene.open(database) }
        #expect(error?.code == .corrupt)
        #expect(error?.detail.contains("newer Benji") == true)
        #expect(try await database.sql("SELECT version FROM benji.schema_version") == "99\n")
    }

    @Test("Whoever may not make tables is told that there are none of this version")
    func without() async throws {
        let database = try await TemporaryDatabase(isEmpty: true)
        let error = #expect(throws: StoreError.self) {
            try PostgresStore(database.parameters, bringingForward: false, insistsOnDurability: false, logger: logger)
        }
        #expect(error?.code == .outdated)
        #expect(try !PostgresStore.hasTables(database.parameters, insistsOnDurability: false))
        await (try Scene.open(database)).close()
        #expect(try PostgresStore.hasTables(database.parameters, insistsOnDurability: false))
        #expect(try PostgresStore.hasCurrentSchema(database.parameters))
    }

    @Test("Ten servers that open an empty database at once make its tables once")
    func together() async throws {
        let database = try await TemporaryDatabase(isEmpty: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { await (try Scene.open(database, connections: 1)).close() } }
            try await group.waitForAll()
        }
        #expect(try await database.sql("SELECT count(*) FROM benji.schema_version") == "1\n")
    }

    @Test("What is evidence cannot be changed by whoever has the database's password, but for whom it names")
    func evidence() async throws {
        let database = try await TemporaryDatabase()
        await (try Scene.open(database)).close()
        try await database.sql(
            """
            INSERT INTO benji.ledger (app, trace, interface, result, at, day) VALUES ('a', 't', 'i', 'r', 1, 20261118);
            INSERT INTO benji.audit (at, actor, role, origin, order_name, outcome) VALUES (1, 'a', 'r', 'o', 'n', 's');
            INSERT INTO benji.consent (app, trace, subscription, epoch, sim_generation, content_digest, record, \
            received_at)
                VALUES ('a', 't', 7, 1, 1, 'd', 'r', 1)
            """)
        for sql in [
            "UPDATE benji.ledger SET result = 'x'", "DELETE FROM benji.ledger", "UPDATE benji.audit SET actor = 'x'",
            "DELETE FROM benji.audit", "UPDATE benji.consent SET record = 'x'",
        ] {
            await #expect(throws: (any Error).self, "\(sql)") { try await database.sql(sql) }
        }
        try await database.sql("UPDATE benji.consent SET subscription = 0, epoch = 0, sim_generation = 0")
    }
}
