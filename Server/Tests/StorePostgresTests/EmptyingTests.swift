import Testing

@testable import StorePostgres

@Suite("Tables that only grow, and TRUNCATE")
struct EmptyingTests {
    /// Tables with triggers, of which none refuses TRUNCATE.
    private static let unguarded = """
        SELECT c.relname FROM pg_class AS c JOIN pg_trigger AS t ON t.tgrelid = c.oid AND NOT t.tgisinternal
        WHERE c.relnamespace = 'benji'::regnamespace GROUP BY c.relname HAVING NOT bool_or(t.tgtype & 32 <> 0)
        ORDER BY c.relname
        """

    @Test(
        "The user that owns the tables cannot empty one that only grows",
        arguments: [
            "app", "app_contract", "audit", "audit_mark", "consent", "consent_content", "evidence_mark", "ledger",
            "ledger_begin", "ledger_mark", "ledger_sum", "log_head", "log_leaf", "log_node",
        ])
    func refused(table: String) async throws {
        let database = try await TemporaryDatabase()
        let error = await #expect(throws: TestServer.Failed.self) {
            try await database.sql("TRUNCATE benji.\(table) CASCADE")
        }
        #expect(error?.output.contains("what is evidence is never changed") == true)
    }

    @Test("Every table that has triggers refuses TRUNCATE; one with triggers of rows alone is emptied, and found")
    func every() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        #expect(try await database.sql(Self.unguarded).isEmpty)
        try await database.sql(
            """
            CREATE TABLE benji.naive (id bigint PRIMARY KEY);
            CREATE TRIGGER naive_is_never_changed BEFORE UPDATE OR DELETE ON benji.naive FOR EACH ROW
                EXECUTE FUNCTION benji.refuse();
            INSERT INTO benji.naive VALUES (1)
            """)
        await #expect(throws: TestServer.Failed.self) { try await database.sql("DELETE FROM benji.naive") }
        try await database.sql("TRUNCATE benji.naive")
        #expect(try await database.sql("SELECT count(*) FROM benji.naive") == "0\n")
        #expect(try await database.sql(Self.unguarded) == "naive\n")
    }
}
