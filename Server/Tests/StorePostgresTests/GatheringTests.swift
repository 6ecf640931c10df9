import BenjiProtocol
import Foundation
import ServerTestKit
import Sightings
import Store
import StoreRows
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

    @Test("Readiness, the record of a pair and revocations wait for no other work")
    func vitalWork() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let slow = (0..<20).map { _ in
            Task.detached { _ = try? await store.write("sleep") { db in try db.run("SELECT pg_sleep(600)") } }
        }
        try await until { try await database.sql("SELECT count(*) \(Self.sleepers)") == "2\n" }
        let isListed = Mutex(false)
        let other = Task {
            _ = try? await store.apps()
            isListed.withLock { $0 = true }
        }
        try await store.check()
        _ = try await store.pairStandings()
        let standing = try await store.claimPair("east", by: "gateway-1", seen: PairStanding())
        let fence = PairFence(pair: "east", owner: "gateway-1", fence: standing.fence)
        _ = try await store.recordForPair([], under: fence, after: standing.sequence, at: Scene.now)
        _ = try await store.pairNews("east", after: 0, limit: 10)
        try await store.releasePair(fence)
        try await store.revokeCredentials(bindings: [BindingID(rawValue: 1)], at: Scene.now)
        #expect(!isListed.withLock { $0 }, "other work was done before what is slow had ended")
        let isOver = Mutex(false)
        Task {
            for task in slow + [other] { await task.value }
            isOver.withLock { $0 = true }
        }
        try await until {
            try await database.sql("SELECT pg_cancel_backend(pid) \(Self.sleepers)")
            return isOver.withLock { $0 }
        }
        await store.close()
    }

    /// - Parameter isUnproven: `false` is a naive pool that treats all callers alike. The flood is then work like any
    ///   other, and the list of apps waits behind it.
    @Test(
        "Work of callers who have proved nothing waits behind that of callers who have, and leaves it connections",
        arguments: [(true, 4, 1), (true, 10, 2), (false, 4, 2)])
    func unproven(isUnproven: Bool, connections: Int, running: Int) async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database, connections: connections)
        let subject = isUnproven ? RequestSubject() : nil
        let flood = (0..<20).map { _ in
            Task.detached {
                try? await RequestSubject.$current.withValue(subject) {
                    _ = try await store.write("sleep") { db in try db.run("SELECT pg_sleep(600)") }
                }
            }
        }
        try await until { try await database.sql("SELECT count(*) \(Self.sleepers)") == "\(running)\n" }
        let proven = RequestSubject()
        proven.prove()
        let isListed = Mutex(false)
        let isRead = Mutex(false)
        let honest = Task {
            _ = try? await RequestSubject.$current.withValue(proven) { try await store.apps() }
            isListed.withLock { $0 = true }
        }
        // A vital operation of an unproven caller waits like any other of unproven callers.
        let keys = Task {
            _ = try? await RequestSubject.$current.withValue(subject) { try await store.masterKeyRing() }
            isRead.withLock { $0 = true }
        }
        if isUnproven { await honest.value } else { await keys.value }
        try await store.check()
        #expect(isListed.withLock { $0 } == isUnproven)
        #expect(isRead.withLock { $0 } != isUnproven)
        let isOver = Mutex(false)
        Task {
            for task in flood { await task.value }
            for task in [honest, keys] { await task.value }
            isOver.withLock { $0 = true }
        }
        try await until {
            try await database.sql("SELECT pg_cancel_backend(pid) \(Self.sleepers)")
            return isOver.withLock { $0 }
        }
        await store.close()
    }

    @Test("Readiness and the record of a pair are done where the one connection for other work is busy")
    func reserve() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database, connections: 1)
        let slow = Task { _ = try? await store.write("sleep") { db in try db.run("SELECT pg_sleep(600)") } }
        try await until { try await database.sql("SELECT count(*) \(Self.sleepers)") == "1\n" }
        // The calls that readiness makes to the store and for the master key.
        try await store.check()
        _ = try await store.masterKeyRing()
        _ = try await store.unfinishedErasures()
        _ = try await store.erasedSubscriptions(since: Scene.now)
        _ = try await store.serverTime()
        let standing = try await store.claimPair("east", by: "gateway-1", seen: PairStanding())
        try await store.releasePair(PairFence(pair: "east", owner: "gateway-1", fence: standing.fence))
        #expect(try await database.sql("SELECT count(*) \(Self.sleepers)") == "1\n", "it was done after the sleep")
        try await database.sql("SELECT pg_cancel_backend(pid) \(Self.sleepers)")
        await slow.value
        await store.close()
    }

    private struct Moment: InstantProtocol {
        var time: Duration = .zero
        func advanced(by duration: Duration) -> Moment { Moment(time: time + duration) }
        func duration(to other: Moment) -> Duration { other.time - time }
        static func < (lhs: Moment, rhs: Moment) -> Bool { lhs.time < rhs.time }
    }

    @Test("A queue refuses work that would wait for longer than its caller, by what was done and by what does not end")
    func tooMuch() {
        let start = Moment()
        var pace = Pace<Moment>()
        #expect(pace.wait(behind: 1_000_000, atOnce: 2, now: start) == .zero, "nothing is known yet")
        for second in 0..<100 {
            pace.begin(1, at: start.advanced(by: .seconds(second)))
            pace.end(1, at: start.advanced(by: .seconds(second) + .milliseconds(100)))
        }
        let wait = pace.wait(behind: 200, atOnce: 2, now: start)
        #expect(wait > .seconds(9) && wait <= .seconds(10))
        // A slow one alone changes little.
        pace.begin(2, at: start)
        pace.end(2, at: start.advanced(by: .seconds(60)))
        #expect(pace.wait(behind: 20, atOnce: 2, now: start) < .seconds(3))
        // Those that began last do not end.
        pace.begin(1, at: start)
        pace.begin(2, at: start.advanced(by: .seconds(1)))
        #expect(pace.wait(behind: 4, atOnce: 2, now: start.advanced(by: .seconds(11))) == .seconds(20))
        pace.end(2, at: start.advanced(by: .seconds(11)))
        pace.begin(2, at: start.advanced(by: .seconds(11)))
        #expect(pace.wait(behind: 4, atOnce: 2, now: start.advanced(by: .seconds(11))) < .seconds(1))
    }

    @Test("The listeners' queues take turns, and a flood at one lets the next job of another wait for one job")
    func turns() {
        var queues = JobQueues<String>()
        for number in 0..<1000 { queues.append("flood \(number)", of: "device") }
        #expect(queues.jobs(before: "device") == 1000)
        #expect(queues.jobs(before: "admin") == 1)
        queues.append("order", of: "admin")
        // A naive queue has one order for all.
        let naive = 1000
        let place = (0...1000).first { _ in queues.removeFirst() == "order" } ?? 1001
        #expect(naive > 1 && place <= 1)
        #expect(queues.count(of: "admin") == 0)
        while queues.removeFirst() != nil {}
        #expect(queues.jobs(before: "device") == 0 && queues.removeFirst() == nil)
    }

    @Test("Requests of apps and OpenID credentials share statements, each with its own answer")
    func sharedRequests() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database, connections: 1)
        let app = Scene.app
        try await store.createApp(
            AppRecord(
                id: app, name: "app", keys: [], suspended: false, allowed: true, capabilities: [], bundleIDs: [],
                serverAddresses: [], createdAt: Scene.now), audit: nil)
        let revision = try #require(try await store.app(app)).revision
        let other = try #require(AppID(rawValue: "300000000002"))
        func transactions() async throws -> Int { try await Self.transactions(of: store) }
        let before = try await transactions()
        let askedBefore = (store.appRevisions.asked, store.appRecords.asked)
        let slow = Task { _ = try? await store.write("sleep") { db in try db.run("SELECT pg_sleep(600)") } }
        try await until { try await database.sql("SELECT count(*) \(Self.sleepers)") == "1\n" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let isPresent = number.isMultiple(of: 2)
                group.addTask {
                    let found = try await store.appRevision(isPresent ? app : other)
                    #expect(found == (isPresent ? revision : nil))
                }
                group.addTask {
                    let found = try await store.app(isPresent ? app : other)
                    #expect(found?.id == (isPresent ? app : nil))
                }
                group.addTask {
                    let found = try await store.openIDCredential(Scene.hash(number, "credential"))
                    #expect(found == .unknown)
                }
                group.addTask {
                    let found = try await store.openIDClient(other)
                    #expect(found == nil)
                }
            }
            try await until {
                store.appRevisions.asked - askedBefore.0 == 100 && store.appRecords.asked - askedBefore.1 == 100
                    && store.openIDCredentials.asked == 100 && store.openIDClients.asked == 100
            }
            try await database.sql("SELECT pg_cancel_backend(pid) \(Self.sleepers)")
            try await group.waitForAll()
        }
        await slow.value
        let after = try await transactions()
        #expect(after - before < 60, "400 questions")
        await store.close()
    }

    /// A session counts its transactions: the second number of "3/17".
    private static func transactions(of store: PostgresStore) async throws -> Int {
        let name = try await store.readOne("count") { db in
            try db.row(
                "SELECT virtualtransaction FROM pg_locks WHERE pid = pg_backend_pid() LIMIT 1", of: "pg_locks"
            ) { try $0.text() }
        }
        return name?.split(separator: "/").last.flatMap { Int($0) } ?? 0
    }

    @Test(
        """
        Look-ups of the register and of pairs that come while a connection is busy share statements, each with its own \
        answer
        """
    )
    func sharedLookUps() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database, connections: 1)
        let present = try await Scene(store).subscription
        _ = try await store.claimPair("east", by: "gateway-1", seen: PairStanding())
        func transactions() async throws -> Int { try await Self.transactions(of: store) }
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
        #expect(try await database.sql("SELECT count(*) FROM benji.node_heartbeat") == "0\n")
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
