import Logging
import ServerTestKit
import Store
import Synchronization
import Testing

@testable import StorePostgres

@Suite("What a connection leaves that is lost in a commit", .serialized)
struct LostConnectionTimingTests {
    @Test("A redemption whose commit is cut off is unavailable, and the token is spent with its line or not at all")
    func lostInCommit() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        let count = 60
        for number in 0..<count { try await scene.issue(number) }
        // The commit waits here, so that the connection breaks in it.
        try await database.sql(
            """
            CREATE FUNCTION benji.wait() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(random() * 0.02); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON benji.ledger DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION benji.wait()
            """)
        let isOver = Mutex(false)
        let breaking = Task.detached {
            while !isOver.withLock({ $0 }) {
                try? await Task.sleep(for: .milliseconds(5))
                _ = try? await database.sql(LostConnectionTests.terminating)
            }
        }
        var unknown: [Int] = []
        var spent: [Int] = []
        for number in 0..<count {
            do throws(StoreError) {
                if try await Scene.redeem(number, on: store, message: "m\(number)") { spent.append(number) }
            } catch {
                #expect(error.code == .unavailable)
                unknown.append(number)
            }
        }
        isOver.withLock { $0 = true }
        await breaking.value
        try await database.sql(LostConnectionTests.ending)
        #expect(!unknown.isEmpty, "no commit was cut off")
        let found = try await database.sql(
            """
            SELECT (SELECT count(*) FROM benji.token WHERE spent_at IS NOT NULL), (SELECT count(*) FROM benji.ledger)
            """
        ).split(whereSeparator: { "|\n".contains($0) }).compactMap { Int($0) }
        #expect(found[0] == found[1], "a token is spent without its line, or a line without its token")
        #expect((spent.count...spent.count + unknown.count).contains(found[0]), "an answered redemption is not there")
        // A repeated request gets the outcome, if not at once: after a failed connection none is tried for a moment.
        for number in spent {
            let isSpentAgain = try await Self.eventually { () async throws(StoreError) in
                try await Scene.redeem(number, on: store, message: "again")
            }
            #expect(!isSpentAgain)
        }
        try await Self.eventually { () async throws(StoreError) in try await store.check() }
        await store.close()
    }

    /// Returns the result of `body` once the store is not unavailable any more.
    private static func eventually<Value: Sendable>(
        _ body: @Sendable () async throws(StoreError) -> Value
    ) async throws -> Value {
        var answer: Value?
        try await until {
            do throws(StoreError) { answer = try await body() } catch { #expect(error.code == .unavailable) }
            return answer != nil
        }
        return try #require(answer)
    }

    @Test(
        "While a standby is away, commits that are given up take no further connections, and nothing further is written"
    )
    func standbyAway() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let before = try Scene.open(database)
        let scene = try await Scene(before)
        await before.close()
        try await database.sql("ALTER DATABASE \(database.name) SET synchronous_commit = on")
        let store = try Scene.open(database, connections: 1, deadlines: PostgresDeadlines())
        let began = ContinuousClock.now
        var number = 0
        // Long enough for a second commit to be given up, if it comes to one.
        while ContinuousClock.now - began < .seconds(13) {
            let scrip = scene.scrip(number)
            #expect(
                await LostConnectionTests.code { () async throws(StoreError) in try await store.insertScrip(scrip) }
                    == .unavailable)
            number += 1
            try await Task.sleep(for: .milliseconds(100))
        }
        let waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'"
        #expect(try await database.sql("SELECT count(*) \(waiting)") == "1\n")
        // As if the standby were back.
        try await database.sql(
            "SET synchronous_commit = local; ALTER DATABASE \(database.name) RESET synchronous_commit")
        try await database.sql("SELECT pg_cancel_backend(pid) \(waiting)")
        try await Self.eventually { () async throws(StoreError) in try await store.check() }
        #expect(try await database.sql("SELECT count(*) FROM benji.scrip") == "1\n")
        await store.close()
    }

    @Test("A server that is stopped in a transaction is in the way of others for less time than they wait")
    func stoppedInATransaction() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        try await Scene(store).issue(1)
        let stopped = try ReadySession.make(database.parameters, insistsOnDurability: false)
        stopped.begin()
        try stopped.run("SELECT 1 FROM token FOR UPDATE")
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        // When it goes on, it cannot commit what it decided before.
        let failure = #expect(throws: ServerFailure.self) {
            try stopped.commit(after: [Statement("UPDATE token SET spent_at = 1")])
        }
        #expect(failure?.isLost == true)
        await store.close()
    }

    @Test("A server that is stopped while it sends a transaction is in the way of others for less time than they wait")
    func stoppedWhileItSends() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        try await Scene(store).issue(1)
        let stopped = try ReadySession.make(database.parameters, insistsOnDurability: false)
        stopped.begin()
        // Nothing ends the message.
        _ = try stopped.queue(
            [Statement("BEGIN"), Statement("SELECT 1 FROM token FOR UPDATE")]
                + (0..<4).map { _ in Statement("SELECT length($1)", String(repeating: "x", count: 5000)) })
        try await until {
            try await database.sql(
                """
                SELECT count(*) FROM pg_locks WHERE relation = 'benji.token'::regclass AND mode = 'RowShareLock'
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """) == "1\n"
        }
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        withExtendedLifetime(stopped) {}
        await store.close()
    }
}
