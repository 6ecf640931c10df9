import BenjiProtocol
import Foundation
import GRDB
import Logging
import ServerTestKit
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("Files of every version are read")
struct SchemaTests {
    /// A store with a token, as version 1 left it: evidence was not protected.
    private func writeVersion1(to path: String) async throws {
        let store = try SQLiteStore(path: path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let issued = try await scenario.issue(scenario.token("spent", of: scenario.subscription()))
        #expect(try await scenario.redeem(issued, message: nil).word == "spent")
        try await scenario.issue(scenario.token("unspent", of: scenario.subscription()))
        await store.close()
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { db in
            for trigger in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
                try db.execute(sql: "DROP TRIGGER \(trigger)")
            }
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier <> 'v1'; PRAGMA journal_mode = DELETE")
        }
        try queue.close()
    }

    @Test(
        """
        a store of an earlier version is brought forward step by step with all it held, and each step says what it does
        """
    )
    func earlierVersion() async throws {
        let place = try TemporaryPlace()
        try await writeVersion1(to: place.path)
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        let pending = try SQLiteStore.pendingSteps(path: place.path)
        #expect(pending.map(\.version) == ["v2"])
        #expect(try SQLiteStore.contents(path: place.path).schema == "v1")
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before, "a look changed the file")
        var done: [SchemaStep] = []
        try SQLiteStore.bringForward(path: place.path) { step, _ in done.append(step) }
        #expect(done == pending)
        #expect(try SQLiteStore.pendingSteps(path: place.path).isEmpty)
        #expect(try SQLiteStore.hasCurrentSchema(path: place.path))
        #expect(try SQLiteStore.damage(path: place.path) == nil)

        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let (spent, unspent) = (
            try #require(try await store.token(Scenario.hash("spent"))),
            try #require(try await store.token(Scenario.hash("unspent")))
        )
        #expect(try await scenario.redeem(spent, message: nil).word == "alreadySpent")
        #expect(try await scenario.redeem(unspent, message: nil).word == "spent")
        #expect(try await store.ledgerEntries(app: Scenario.app, limit: 9).map(\.result) == ["released", "released"])
        await #expect(throws: StoreError.self) {
            try await store.write("test") { db in try db.run("DELETE FROM ledger") }
        }
        await store.close()
    }

    @Test("a step of the schema that fails changes nothing, and the next start tries it again")
    func failingStep() async throws {
        let place = try TemporaryPlace()
        try await writeVersion1(to: place.path)
        func run(_ sql: String) throws {
            let queue = try DatabaseQueue(path: place.path)
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
        }
        try run("CREATE TRIGGER audit_mark_stays BEFORE DELETE ON audit BEGIN SELECT 1; END")
        #expect(throws: StoreError.self) { try SQLiteStore.bringForward(path: place.path) }
        #expect(try SQLiteStore.pendingSteps(path: place.path).map(\.version) == ["v2"])
        try run("DROP TRIGGER audit_mark_stays")
        try SQLiteStore.bringForward(path: place.path)
        #expect(try SQLiteStore.hasCurrentSchema(path: place.path))
    }

    @Test("lines are counted before and after they are in sums, which nobody lessens or removes")
    func ledgerSums() async throws {
        try await withStore { store, _ in
            try store.onWriter(
                """
                WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
                INSERT INTO ledger (app, trace, interface, result, at, day)
                SELECT '30000000000' || (i % 2), i, 'test', 'released', i, 20261118 + i % 4 FROM n;
                INSERT INTO billing_day (app, day, answered) SELECT app, day, count(*) FROM ledger GROUP BY app, day
                """)
            let app = try #require(AppID(rawValue: "300000000001"))
            let days: ClosedRange<Int32> = 20_261_118...20_261_130
            let before = try await store.ledgerCounts(app: app, days: days)
            #expect(before.lines.map(\.answers) == [25, 25] && before.billed == [20_261_119: 25, 20_261_121: 25])
            #expect(try await store.sumLedger(limit: 30) == 30)
            #expect(try await store.ledgerCounts(app: app, days: days) == before)
            #expect(try await store.sumLedger(limit: 90) == 70)
            #expect(try await store.ledgerCounts(app: app, days: days) == before)
            for statement in [
                "UPDATE ledger_sum SET answers = answers - 1", "UPDATE ledger_sum SET app = 'other'",
                "DELETE FROM ledger_sum", "UPDATE ledger_mark SET line = line - 1", "DELETE FROM ledger_mark",
            ] {
                await #expect(throws: StoreError.self, "\(statement)") {
                    try await store.write("test") { db in try db.run(statement) }
                }
            }
            #expect(try await store.ledgerCounts(app: app, days: days) == before)
        }
    }

    @Test("a token's row keeps its size when it is spent, and the pages of tokens their number")
    func size() async throws {
        try await withStore { store, scenario in
            let subscription = try await scenario.subscription()
            var tokens: [TokenRecord] = []
            for index in 0..<200 {
                tokens.append(try await scenario.issue(scenario.token("t\(index)", of: subscription)))
            }
            func pages() async throws -> [Int] {
                try await store.read("measure tokens") { db in
                    try db.rows("SELECT count(*), sum(payload) FROM dbstat WHERE name = 'token'", of: "dbstat") {
                        columns in
                        [try columns.integer(), try columns.integer()]
                    }
                }.flatMap { $0 }
            }
            let before = try await pages()
            for (index, token) in tokens.enumerated() {
                let name = index % 2 == 0 ? UUID().uuidString : nil
                #expect(try await scenario.redeem(token, message: name).word == "spent")
            }
            #expect(try await pages() == before)
        }
    }

    @Test(
        "a caller that may run beside a server of an earlier version is refused at its file, and changes nothing in it")
    func earlier() async throws {
        let place = try TemporaryPlace()
        try await writeVersion1(to: place.path)
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        #expect(try SQLiteStore.hasCurrentSchema(path: place.path) == false)
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore(path: place.path, bringingForward: false, logger: Logger(label: "test"))
        }
        #expect(error?.code == .outdated)
        #expect(error?.detail.contains("benji migrate") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
        await (try SQLiteStore(path: place.path, logger: Logger(label: "test"))).close()
        #expect(try SQLiteStore.hasCurrentSchema(path: place.path))
        #expect(throws: StoreError.self) { try SQLiteStore.hasCurrentSchema(path: place.folder) }
    }

    @Test("every step of the schema is named to operators")
    func told() {
        let steps = Schema.steps.map(\.step)
        #expect(steps.map(\.version) == Schema.migrator.migrations)
        #expect(Set(steps.map(\.summary)).count == steps.count && steps.allSatisfy { !$0.summary.isEmpty })
    }

    @Test("the hottest look-ups use an index")
    func plans() async throws {
        try await withStore { store, _ in
            let look = [
                "SELECT count(*) FROM token WHERE subscription = 1 AND issued_at > 1 AND listed = 1 AND spent_at IS "
                    + "NULL",
                "UPDATE token SET listed = 0 WHERE subscription = 1 AND listed = 1 AND spent_at IS NOT NULL",
                "UPDATE token SET revoked = 1 WHERE binding = 1 AND listed = 1 AND spent_at IS NULL AND revoked = 0",
                "UPDATE scrip SET revoked = 1 WHERE family = 1 AND revoked = 0",
                "SELECT hash FROM token WHERE expires_at < 1 LIMIT 1",
                "SELECT binding FROM revoked_binding WHERE at < 1 LIMIT 1",
                "SELECT app FROM message WHERE expires_at < 1 LIMIT 1",
                "UPDATE openid_credential SET revoked = 1 WHERE family = 1 AND spent_at IS NULL AND revoked = 0",
                "UPDATE openid_credential SET revoked = 1 WHERE binding = 1 AND spent_at IS NULL AND revoked = 0",
                "SELECT hash FROM openid_credential WHERE expires_at < 1 LIMIT 1",
                "SELECT id FROM ledger WHERE app = '' ORDER BY id DESC LIMIT 1",
                "SELECT result FROM ledger WHERE app = '' AND id > 1 AND day + 0 BETWEEN 1 AND 2",
                "SELECT answers FROM ledger_sum WHERE app = '' AND day BETWEEN 1 AND 2",
            ]
            for sql in look {
                let plan = try await store.pool.read { db in
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
                }
                #expect(plan.allSatisfy { $0.contains("USING") && !$0.contains("TEMP B-TREE") }, "\(sql): \(plan)")
            }
        }
    }
}
