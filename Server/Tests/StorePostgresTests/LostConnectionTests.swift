import Dispatch
import Logging
import ServerTestKit
import Store
import Testing

@testable import StorePostgres

@Suite("What a lost connection leaves is known or said to be unknown")
struct LostConnectionTests {
    /// Terminates every other connection; they may take a moment to end.
    static let terminating = terminating(waiting: 0)
    /// The same, until they have ended. One that is told to end while it rests may otherwise live on into the next
    /// commit.
    static let ending = terminating(waiting: 30_000)

    private static func terminating(waiting milliseconds: Int) -> String {
        """
        SELECT count(pg_terminate_backend(pid, \(milliseconds))) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """
    }

    @Test("A connection that was lost while nothing was asked is made again, and nobody notices")
    func lostAtRest() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        try await scene.issue(1)
        try await database.sql(Self.ending)
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        try await store.check()
        await store.close()
    }

    @Test("When a connection is lost, none that was made before is used again: it may lead to a former primary")
    func noneOfBefore() async throws {
        let database = try await TemporaryDatabase()
        let parameters = try database.parameters
        let pool = ConnectionPool(count: 3, deadlines: .patient, logger: Logger(label: "test")) {
            () throws(ServerFailure) in
            try ReadySession.make(parameters, insistsOnDurability: false)
        }
        let before = try await Self.backends(of: pool, count: 3)
        #expect(try await Self.backends(of: pool, count: 3) == before, "connections are kept as long as none is lost")
        try await database.sql("SELECT pg_terminate_backend(\(before.min() ?? 0), 30000)")
        // Whichever connection they take, one of these meets the loss, and none of them fails by it.
        _ = try await Self.backends(of: pool, count: 3)
        let after = try await Self.backends(of: pool, count: 3)
        #expect(after.isDisjoint(with: before) && after.count == 3)
        await pool.close()
    }

    /// PostgreSQL's processes behind all connections of a pool, each of which is held until all are.
    private static func backends(of pool: ConnectionPool, count: Int) async throws -> Set<Int> {
        let all = DispatchGroup()
        for _ in 0..<count { all.enter() }
        return try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await pool.perform("look", isBatched: true) { connection in
                        let found = try connection.withoutTransaction { db in
                            try db.row("SELECT pg_backend_pid()", of: "pg_stat_activity") { try $0.integer(Int.self) }
                        }
                        all.leave()
                        all.wait()
                        return found
                    }
                }
            }
            return try await group.reduce(into: []) { found, pid in pid.map { _ = found.insert($0) } }
        }
    }

    @Test("A redemption that its standby never confirmed is not answered with success when somebody ends the wait")
    func waitForTheStandbyEnded() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let before = try Scene.open(database)
        try await Scene(before).issue(1)
        await before.close()
        try await database.sql("ALTER DATABASE \(database.name) SET synchronous_commit = on")
        let store = try Scene.open(database)
        #expect(try await Self.redeemUntilTheWaitEnds(store, database) == .unavailable)
        await store.close()
    }

    /// Redeems a token, and ends the wait for the standby once it has begun.
    private static func redeemUntilTheWaitEnds(
        _ store: PostgresStore, _ database: TemporaryDatabase
    ) async throws -> StoreError.Code? {
        async let redeemed = code { () async throws(StoreError) in
            try await Scene.redeem(1, on: store, message: "m")
        }
        try await until {
            try await database.sql(
                """
                SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event = 'SyncRep'
                """) == "1\n"
        }
        return await redeemed
    }

    @Test("Nobody hears that a token does not exist from a PostgreSQL whose standby may be primary by now")
    func absenceIsConfirmed() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let before = try Scene.open(database)
        _ = try await Scene(before)
        await before.close()
        // A redemption takes a number for the ledger's line first, and the first of 32 numbers is written down.
        try await database.sql("SELECT nextval('benji.ledger_id_seq')")
        try await database.sql("ALTER DATABASE \(database.name) SET synchronous_commit = on")
        let store = try Scene.open(database)
        #expect(try await Self.redeemUntilTheWaitEnds(store, database) == .unavailable)
        // The double: who only looks is answered at once.
        let found = try await store.read("test") { db in
            try db.hasRow("SELECT 1 FROM token WHERE hash = $1", Scene.hash(1, "token").bytes)
        }
        #expect(!found)
        await store.close()
    }

    @Test("What was committed and whose answer cannot be read is not reported as if nothing had been written")
    func unreadable() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let code = await Self.code { () async throws(StoreError) in
            try await store.write("test") { db in
                try db.commit(after: [Statement("UPDATE heartbeat SET beats = 7 RETURNING beats")]) { _, answer in
                    _ = try answer.rows(of: "heartbeat") { try $0.text() }
                }
            }
        }
        #expect(code == .unavailable)
        #expect(try await database.sql("SELECT beats FROM benji.heartbeat") == "7\n")
        await store.close()
    }

    @Test("A connection whose PostgreSQL became read-only is left for one that can be written to")
    func readOnly() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database, connections: 1)
        let scene = try await Scene(store)
        try await scene.issue(1)
        try await store.write("test") { db in
            try db.run("SELECT set_config('default_transaction_read_only', 'on', false)")
        }
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        await store.close()
    }

    /// The code that `body` fails with.
    static func code<Value>(_ body: () async throws(StoreError) -> Value) async -> StoreError.Code? {
        do throws(StoreError) { _ = try await body() } catch { return error.code }
        return nil
    }

    @Test("A database that is gone is unavailable within seconds, and says so without the connection string")
    func unreachable() async throws {
        let parameters = try ConnectionParameters("host=/nowhere-of-benji dbname=benji user=somebody")
        do throws(StoreError) {
            _ = try PostgresStore(parameters, logger: .init(label: "test"))
            Issue.record("it opened")
        } catch {
            #expect(error.code == .unavailable)
            #expect(error.detail.contains("nothing listens there"))
            #expect(!error.detail.contains("somebody"))
        }
    }

    @Test("A connection string with a password is refused, and not repeated")
    func password() throws {
        do throws(StoreError) {
            _ = try ConnectionParameters("host=localhost password=hunter2secret")
            Issue.record("it was taken")
        } catch {
            #expect(!error.detail.contains("hunter2secret"))
        }
        do throws(StoreError) {
            _ = try ConnectionParameters("host=localhost hunter2secret")
            Issue.record("it was taken")
        } catch {
            #expect(!error.detail.contains("hunter2secret"))
        }
        #expect(throws: StoreError.self) { try ConnectionParameters("host=localhost sslpassword=hunter2secret") }
    }

    @Test(
        "A connection string cannot ask for a standby, or for another encoding",
        arguments: [
            "target_session_attrs=any", "target_session_attrs=prefer-standby", "client_encoding=LATIN1",
        ])
    func promised(_ option: String) throws {
        do throws(StoreError) {
            _ = try ConnectionParameters("host=localhost \(option)")
            Issue.record("it was taken")
        } catch {
            #expect(error.detail.contains(option))
        }
        _ = try ConnectionParameters("host=localhost target_session_attrs=read-write client_encoding=UTF8")
    }
}
