import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import Testing

@testable import StorePostgres

@Suite("Two PostgreSQL stores under mixed work")
struct LockOrderTests {
    @Test(
        "Issues, redemptions, revocations, changes and deletions at once: nothing fails, and no two wait for each other"
    )
    func storm() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let counting = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        // Tests that had the database before may have provoked some.
        let before = try await database.sql(counting)
        let stores = [try Scene.open(database), try Scene.open(database)]
        let scenes = [try await Scene(stores[0]), try await Scene(stores[1])]
        let rounds = 25
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                let scene = scenes[worker % 2]
                let store = stores[worker % 2]
                group.addTask {
                    for round in 0..<rounds {
                        let number = worker * rounds + round
                        switch worker % 4 {
                        case 0, 1:
                            try await scene.issue(number)
                            // Its own token, and the next worker's, which may not be there yet.
                            _ = try await Scene.redeem(number, on: store, message: "\(number)")
                            _ = try await Scene.redeem(
                                number + rounds, on: store, message: "\(number)", quota: 1_000_000)
                        case 2:
                            try await store.revokeCredentials(
                                bindings: [BindingID(rawValue: 1), BindingID(rawValue: Int64(number))], at: Scene.now)
                            try await store.revokeScrips(family: Int64(number % 7))
                            _ = try await store.deleteExpiredCredentials(before: Scene.now + .seconds(1), limit: 100)
                        default:
                            let index = NumberIndex(scene.subscription.numberIndex)
                            _ = try await store.changeSubscriptions([index], audit: nil) { _, present in
                                guard var record = present else { return nil }
                                record.lastSeenAt = Scene.now + .seconds(Int64(number))
                                return record
                            }
                            try await store.check()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for store in stores { await store.close() }
        #expect(try await database.sql(counting) == before)
        let books = try await database.sql(
            """
            SELECT (SELECT count(*) FROM benji.ledger)
                = (SELECT count(*) FROM benji.token WHERE spent_at IS NOT NULL),
                (SELECT sum(answered) FROM benji.billing_day) = (SELECT count(*) FROM benji.ledger)
            """)
        #expect(books == "t|t\n", "tokens, lines and the quota's count agree")
    }

    /// Transactions that keep old versions of rows from being removed. Each ends when it is terminated.
    private static let holders = [
        "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM benji.subscription; SELECT pg_sleep(600)",
        // It has changed something and looks at nothing: a transaction between two of its messages.
        "BEGIN; UPDATE benji.heartbeat SET beats = beats; SELECT pg_sleep(600)",
    ]

    @Test(
        "An erasure that another transaction is in the way of is finished when that has ended, and not before",
        arguments: holders)
    func holder(_ holding: String) async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        let mark = [UInt8](repeating: 3, count: 32)
        let erasure = SubscriberErasure(of: scene.subscription, openIDs: [], mark: mark, at: Scene.now) { _ in
            AuditEntry(at: Scene.now, actor: "a", role: "r", origin: "o", order: "subscriber.erase")
        }
        // Until the test ends it.
        let reading = Task { try? await database.sql(holding) }
        let readers = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
        try await until { try await database.sql("SELECT count(*) \(readers)") == "1\n" }
        let erased = try await store.eraseSubscriber(erasure)
        #expect(!erased.isForgotten)
        #expect(try await store.unfinishedErasures() == 1)
        #expect(try await store.unfinishedErasure(mark) == scene.subscription.id)
        // PostgreSQL cuts off pages at the end from which every row was removed.
        let size = "SELECT pg_relation_size('benji.subscription')"
        #expect(try await database.sql(size) != "0\n")
        _ = try await database.sql("SELECT pg_terminate_backend(pid) \(readers)")
        _ = await reading.value
        try await until { try await database.sql("SELECT count(*) \(readers)") == "0\n" }
        #expect(try await store.finishErasures(at: Scene.now, patience: .zero) == 0)
        #expect(try await store.unfinishedErasures() == 0)
        #expect(try await database.sql(size) == "0\n")
        await store.close()
    }
}
