import Foundation
import ServerTestKit
import Sightings
import Store
import Synchronization
import Testing

@testable import StorePostgres

@Suite("What is gathered is in nobody else's way")
struct GatheringTests {
    @Test("A token that somebody locks is refused alone, and those of its group are spent")
    func oneLocked() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0...50 { group.addTask { try await scene.issue(number) } }
            try await group.waitForAll()
        }
        let locked = Scene.hash(25, "token").bytes.map { String(format: "%02x", $0) }.joined()
        try await Self.during("SELECT 1 FROM benji.token WHERE hash = decode('\(locked)', 'hex') FOR UPDATE", database)
        {
            let spent = await Self.redeem(0...50, on: store)
            #expect(spent == Set(0...50).subtracting([25]))
        }
        #expect(try await Scene.redeem(25, on: store, message: "again"))
        await store.close()
    }

    @Test("Slow work in every connection that it may have leaves others for redemptions")
    func slowWork() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        try await Scene(store).issue(1)
        let slow = (0..<4).map { _ in
            Task.detached { _ = try? await store.write("sleep") { db in try db.run("SELECT pg_sleep(600)") } }
        }
        let sleeping = "SELECT string_agg(pid::text, ' ' ORDER BY pid) \(Self.sleepers)"
        try await until { try await database.sql("SELECT count(*) \(Self.sleepers)") == "2\n" }
        let before = try await database.sql(sleeping)
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        #expect(try await database.sql(sleeping) == before, "it waited until something slow had ended")
        let isOver = Mutex(false)
        Task {
            for task in slow { await task.value }
            isOver.withLock { $0 = true }
        }
        try await until {
            try await database.sql("SELECT pg_cancel_backend(pid) \(Self.sleepers)")
            return isOver.withLock { $0 }
        }
        await store.close()
    }

    @Test(
        "Look-ups of the register and of pairs that come while a connection is busy share statements, each with its own answer"
    )
    func sharedLookUps() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database, connections: 1)
        let present = try await Scene(store).subscription
        _ = try await store.claimPair("east", by: "gateway-1", seen: PairStanding())
        // A session counts its transactions: the second number of "3/17".
        func transactions() async throws -> Int {
            let name = try await store.readOne("count") { db in
                try db.row(
                    "SELECT virtualtransaction FROM pg_locks WHERE pid = pg_backend_pid() LIMIT 1", of: "pg_locks"
                ) { try $0.text() }
            }
            return name?.split(separator: "/").last.flatMap { Int($0) } ?? 0
        }
        let before = try await transactions()
        let askedBefore = (store.subscriptions.asked, store.standings.asked)
        let slow = Task { _ = try? await store.write("sleep") { db in try db.run("SELECT pg_sleep(600)") } }
        try await until { try await database.sql("SELECT count(*) \(Self.sleepers)") == "1\n" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    // Every other one is there.
                    let id = number.isMultiple(of: 2) ? present.id : present.id + Int64(number)
                    let found = try await store.subscription(id)?.id
                    #expect(found == (number.isMultiple(of: 2) ? present.id : nil))
                }
                group.addTask {
                    let pair = number.isMultiple(of: 2) ? "east" : "west"
                    let owner = try await store.standing(ofPair: pair).owner
                    #expect(owner == (pair == "east" ? "gateway-1" : nil))
                }
            }
            try await until {
                store.subscriptions.asked - askedBefore.0 == 100 && store.standings.asked - askedBefore.1 == 100
            }
            try await database.sql("SELECT pg_cancel_backend(pid) \(Self.sleepers)")
            try await group.waitForAll()
        }
        await slow.value
        let after = try await transactions()
        #expect(after - before < 60, "200 look-ups")
        await store.close()
    }

    @Test("Work that waited for a connection longer than the deadline that was set is refused, and not done afterwards")
    func queueDeadline() async throws {
        let database = try await TemporaryDatabase()
        let patient = try Scene.open(database)
        try await Scene(patient).issue(1)
        var deadlines = PostgresDeadlines.patient
        deadlines.queue = .zero
        let store = try Scene.open(database, deadlines: deadlines)
        let error = await #expect(throws: StoreError.self) { try await store.check() }
        #expect(error?.code == .unavailable && error?.detail.contains("too many wait for it") == true)
        #expect(await Self.redeem(1...1, on: store) == [])
        #expect(try await database.sql("SELECT beats FROM benji.heartbeat") == "0\n")
        #expect(try await Scene.redeem(1, on: patient, message: "again"))
        await store.close()
        await patient.close()
    }

    @Test("A login for which PostgreSQL takes longer than the deadline that was set is refused")
    func answerDeadline() async throws {
        let database = try await TemporaryDatabase()
        let patient = try Scene.open(database)
        try await Scene(patient).issue(1)
        var deadlines = PostgresDeadlines.patient
        deadlines.answer = .zero
        let store = try Scene.open(database, deadlines: deadlines)
        #expect(await Self.redeem(1...1, on: store) == [])
        await store.close()
        #expect(try await Scene.redeem(1, on: patient, message: "again"))
        await patient.close()
    }

    /// Redeems tokens at once: which ones were spent. The others must be unavailable.
    static func redeem(_ numbers: ClosedRange<Int>, on store: PostgresStore) async -> Set<Int> {
        await withTaskGroup(of: Int?.self) { group in
            for number in numbers {
                group.addTask {
                    do throws(StoreError) {
                        return try await Scene.redeem(number, on: store, message: "\(number)") ? number : nil
                    } catch {
                        #expect(error.code == .unavailable)
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { spent, number in number.map { _ = spent.insert($0) } }
        }
    }

    private static let sleepers = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"

    /// Runs `body` while a client has done `sql` in a transaction, and sleeps.
    static func during(
        _ sql: String, for seconds: Int = 60, _ database: TemporaryDatabase, _ body: () async throws -> Void
    ) async throws {
        let sleeping = Task { try? await database.sql("BEGIN; \(sql); SELECT pg_sleep(\(seconds))") }
        try await until { try await database.sql("SELECT count(*) \(sleepers)") == "1\n" }
        try await body()
        try await database.sql("SELECT pg_terminate_backend(pid) \(sleepers)")
        _ = await sleeping.value
    }
}
