import BenjiProtocol
import Store
import Testing

@testable import StorePostgres

@Suite("Sums of the ledger beside transactions under way")
struct LedgerSumTests {
    private static let day: Int32 = 20_261_118

    private static func answers(_ store: PostgresStore) async throws -> Int {
        try await store.ledgerCounts(app: Scene.app, days: day...day).lines.reduce(0) { $0 + $1.answers }
    }

    /// A transaction that stays open, however long the other tests take meanwhile.
    private static func open(_ database: TemporaryDatabase) throws -> Session {
        let session = try ReadySession.make(database.parameters, insistsOnDurability: false)
        session.begin()
        try session.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        return session
    }

    @Test(
        "A line that is committed after one with a greater number is counted once, before and after both are in sums",
        arguments: [true, false])
    func lateCommit(isInserted: Bool) async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        try await scene.issue(1)
        let late = try Self.open(database)
        // As a redemption takes it, before it decides.
        try late.run("DO $$ BEGIN PERFORM nextval('ledger_id_seq'); END $$")
        let insert = """
            INSERT INTO ledger (id, app, trace, interface, result, at, day)
            VALUES (currval('ledger_id_seq'), '\(Scene.app.rawValue)', '\(Scene.trace.rawValue)', 'late', 'released', \
            1, \(Self.day))
            """
        if isInserted { try late.run(insert) }
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        // A reader that goes by the greatest number has passed the late line for good.
        let passed = """
            SELECT count(*) FROM benji.ledger WHERE id > (SELECT max(id) FROM benji.ledger WHERE interface = 'test')
            """
        for _ in 0..<3 { #expect(try await store.sumLedger(limit: 100) == 0) }
        #expect(try await Self.answers(store) == 1)
        if !isInserted { try late.run(insert) }
        try late.commit()
        #expect(try await database.sql(passed) == "0\n")
        #expect(try await Self.answers(store) == 2)
        var added = 0
        for _ in 0..<3 { added += try await store.sumLedger(limit: 100) }
        #expect(added == 2)
        #expect(try await Self.answers(store) == 2)
        #expect(try await database.sql("SELECT sum(answers) FROM benji.ledger_sum") == "2\n")
        await store.close()
    }

    @Test("A transaction that is taken back holds no sum up for good, and is in none")
    func takenBack() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        try await scene.issue(1)
        let late = try Self.open(database)
        try late.run(
            """
            INSERT INTO ledger (app, trace, interface, result, at, day)
            VALUES ('\(Scene.app.rawValue)', 't', 'late', 'released', 1, \(Self.day))
            """)
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        #expect(try await store.sumLedger(limit: 100) == 0)
        late.rollBack()
        var added = 0
        for _ in 0..<2 { added += try await store.sumLedger(limit: 100) }
        #expect(added == 1)
        #expect(try await Self.answers(store) == 1)
        await store.close()
    }

    @Test("A day with a count of its own, as quotas have it, is held against the sums, and another day is not")
    func counts() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        for number in 1...2 {
            try await scene.issue(number)
            #expect(try await Scene.redeem(number, on: store, message: "m\(number)", quota: number == 1 ? nil : 9))
        }
        func billed() async throws -> [Int32: Int] {
            try await store.ledgerCounts(app: Scene.app, days: Self.day...Self.day).billed
        }
        while try await store.sumLedger(limit: 100) > 0 {}
        #expect(try await billed() == [Self.day: 2])
        try await database.sql("UPDATE benji.billing_day SET answered = 7")
        #expect(try await billed() == [Self.day: 7])
        #expect(try await Self.answers(store) == 2)
        await store.close()
    }

    @Test(
        "Sums of days that are kept are neither lessened nor removed, and their mark does not go back",
        arguments: [
            "UPDATE benji.ledger_sum SET answers = answers - 1", "UPDATE benji.ledger_sum SET app = 'other'",
            "DELETE FROM benji.ledger_sum", "UPDATE benji.ledger_mark SET line = line - 1",
            "DELETE FROM benji.ledger_mark",
        ])
    func evidence(statement: String) async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        try await scene.issue(1)
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        while try await store.sumLedger(limit: 100) > 0 {}
        await #expect(throws: (any Error).self) { try await database.sql(statement) }
        #expect(try await Self.answers(store) == 1)
        await store.close()
    }
}
