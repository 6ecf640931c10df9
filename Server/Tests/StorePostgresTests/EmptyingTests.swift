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

    @Test(
        """
        The user that owns the tables changes and removes no contract, page, leaf, node, head or first day of the ledger
        """
    )
    func rows() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        try await database.sql(
            """
            SET session_replication_role = replica;
            INSERT INTO benji.app_contract (app, number, from_day, added_at) VALUES ('a', 1, 20261118, 1);
            INSERT INTO benji.consent_content (digest, text, received_at) VALUES ('d', 't', 1);
            INSERT INTO benji.log_leaf (leaf, hash, kind, source) VALUES (0, sha256('l'), 'release', 1);
            INSERT INTO benji.log_node (place, hash) VALUES (1, sha256('n'));
            INSERT INTO benji.log_head (hour, size, root, at, text) VALUES (1, 1, sha256('r'), 1, 't')
            """)
        for statement in [
            "UPDATE benji.app_contract SET daily_limit = 1", "DELETE FROM benji.app_contract",
            "UPDATE benji.consent_content SET text = 'x'", "UPDATE benji.consent_content SET digest = 'x'",
            "UPDATE benji.ledger_begin SET day = -1", "DELETE FROM benji.ledger_begin",
            "UPDATE benji.log_leaf SET hash = sha256('x')", "UPDATE benji.log_leaf SET source = 2",
            "DELETE FROM benji.log_leaf", "UPDATE benji.log_node SET hash = sha256('x')", "DELETE FROM benji.log_node",
            "UPDATE benji.log_head SET size = 0", "UPDATE benji.log_head SET at = 0", "DELETE FROM benji.log_head",
        ] {
            let error = await #expect(throws: TestServer.Failed.self, "\(statement)") {
                try await database.sql(statement)
            }
            #expect(error?.output.contains("what is evidence is never changed") == true, "\(statement)")
        }
        // Benji itself does so: pages that are no longer kept, erased subscribers, and heads of an hour and the next.
        try await database.sql(
            """
            DELETE FROM benji.consent_content; UPDATE benji.log_leaf SET subscription = NULL;
            INSERT INTO benji.log_head (hour, size, root, at, text) VALUES (1, 2, sha256('s'), 2, 't')
                ON CONFLICT (hour) DO UPDATE SET size = excluded.size, root = excluded.root, at = excluded.at;
            INSERT INTO benji.log_head (hour, size, root, at, text) VALUES (2, 2, sha256('s'), 3, 't')
            """)
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
