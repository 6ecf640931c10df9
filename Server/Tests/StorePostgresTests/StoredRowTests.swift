import BenjiProtocol
import Store
import Testing

@testable import StorePostgres

@Suite("Rows with codes in PostgreSQL")
struct StoredRowTests {
    private static func admin(_ name: String) -> AdminRecord {
        AdminRecord(
            name: name, role: "developer", kind: .token, credential: Scene.hash(1, name), createdAt: Scene.now,
            expiresAt: Scene.now + .seconds(3600))
    }

    private static func line(_ order: String) -> AuditEntry {
        AuditEntry(at: Scene.now, actor: "ops", role: "operator", origin: "test", order: order)
    }

    /// Two stores of one installation, the first of which has begun the codes.
    static func stores(_ database: TemporaryDatabase) async throws -> [PostgresStore] {
        let stores = [try Scene.open(database), try Scene.open(database)]
        for store in stores { store.rowCodes.use { Array("secret".utf8) + $0 } }
        let (old, new) = (Sealed(bytes: [1, 1]), Sealed(bytes: [1, 2]))
        _ = try await stores[0].tie(
            to: MasterKeyRecord(
                check: MasterKeyCheck(bytes: Array(repeating: 7, count: 32)), state: .current, since: Scene.now),
            dataSecrets: old,
            receiptKey: ReceiptKeyRecord(id: "key", publicKey: "{}", sealedKey: nil, from: nil))
        #expect(try await stores[0].sealRows(from: old, to: new, onlyIfEmpty: false, audit: line("rows.seal")))
        #expect(try await !stores[1].sealRows(from: old, to: new, onlyIfEmpty: false, audit: line("rows.seal")))
        return stores
    }

    @Test(
        "A row that psql wrote or changed counts as absent, and a store without codes believes it",
        arguments: [
            "UPDATE benji.admin SET role = 'operator'",
            "UPDATE benji.admin SET mac = NULL",
            """
            DELETE FROM benji.admin;
            INSERT INTO benji.admin (name, role, apps, sees_numbers, kind, credential, created_at, expires_at)
            VALUES ('ana', 'operator', '[]', true, 'token', '\\x01', 0, 9000000000000)
            """,
        ])
    func written(attack: String) async throws {
        let database = try await TemporaryDatabase()
        let stores = try await Self.stores(database)
        try await stores[0].createAdmin(Self.admin("ana"), audit: Self.line("admin.grant"))
        #expect(try await stores[1].admin(named: "ana") != nil)
        try await database.sql(attack)
        let naive = try Scene.open(database)
        #expect(try await naive.admin(named: "ana") != nil)
        #expect(try await stores[1].admin(named: "ana") == nil)
        #expect(try await stores[1].examineRows().first?.contains("the row ana of the table admin") == true)
        for store in stores + [naive] { await store.close() }
    }

    @Test("Lines of two stores at once are all in the mark, and those that the tables' owner takes out are missed")
    func mark() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await Self.stores(database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<32 {
                group.addTask { try await stores[number % 2].appendAudit(Self.line("order \(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(try await database.sql("SELECT entries FROM benji.audit_mark") == "32\n")
        #expect(try await stores[0].auditLogProblem() == nil)
        try await database.sql(
            """
            ALTER TABLE benji.audit DISABLE TRIGGER USER;
            DELETE FROM benji.audit WHERE order_name = 'order 7'
            """)
        let naive = try Scene.open(database)
        #expect(try await naive.auditLogProblem() == nil)
        #expect(try await stores[0].auditLogProblem()?.contains("32 lines") == true)
        for store in stores + [naive] { await store.close() }
    }

    @Test("Codes begin once: with a mark there, data secrets of before are refused")
    func once() async throws {
        let database = try await TemporaryDatabase()
        let stores = try await Self.stores(database)
        try await database.sql("UPDATE benji.data_secrets SET sealed = '\\x0101'")
        let error = await #expect(throws: StoreError.self) {
            _ = try await stores[0].sealRows(
                from: Sealed(bytes: [1, 1]), to: Sealed(bytes: [1, 2]), onlyIfEmpty: false,
                audit: Self.line("rows.seal"))
        }
        #expect(error?.code == .corrupt)
        #expect(try await database.sql("SELECT encode(sealed, 'hex') FROM benji.data_secrets") == "0101\n")
        for store in stores { await store.close() }
    }
}
