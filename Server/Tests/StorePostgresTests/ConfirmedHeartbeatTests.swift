import BenjiProtocol
import Foundation
import ServerTestKit
import Store
import Testing

@testable import StorePostgres

@Suite("A database that went back")
struct ConfirmedHeartbeatTests {
    /// The last statement after a deliberate restore, as docs/operations/postgresql.md has it.
    private static let goingOn =
        "UPDATE benji.database_history SET number = greatest(number + 1, (extract(epoch FROM clock_timestamp()) * "
        + "1000)::bigint)"

    /// A folder for a node's file.
    private struct Folder {
        let path = FileManager.default.temporaryDirectory.path + "/benji-heartbeat-\(UUID().uuidString)"
        var file: String { "\(path)/database-heartbeat" }

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        func remove() { try? FileManager.default.removeItem(atPath: path) }

        /// The node's name, history, beats and time.
        var words: [String] {
            get throws {
                try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isWhitespace).map {
                    String($0)
                }
            }
        }
    }

    /// A node without a pool: each act is on a connection of its own.
    private struct Node {
        let heartbeat: ConfirmedHeartbeat
        let database: TemporaryDatabase

        init(_ database: TemporaryDatabase, file: String? = nil) throws {
            self.database = database
            heartbeat = try ConfirmedHeartbeat(path: file, logger: LogBook().logger)
        }

        func beat(_ times: Int = 1) async throws {
            let parameters = try database.parameters
            try await onOwnThread { [heartbeat] in
                let session = try ReadySession.make(parameters, insistsOnDurability: false)
                for _ in 0..<times {
                    session.begin()
                    let beat = try heartbeat.count(session)
                    try session.commit()
                    if let beat { heartbeat.confirm(beat) }
                }
            }
        }

        /// Whether it does no work in the database.
        var isRefused: Bool {
            get async throws {
                let parameters = try database.parameters
                return try await onOwnThread { [heartbeat] in
                    let session = try ReadySession.make(parameters, insistsOnDurability: false)
                    do throws(ServerFailure) { try heartbeat.refuseEarlier(session) } catch { return true }
                    return false
                }
            }
        }
    }

    private func start(_ database: TemporaryDatabase, in folder: String? = nil) throws -> PostgresStore {
        try PostgresStore(
            database.parameters, connections: 1, insistsOnDurability: false, deadlines: .patient,
            dataDirectory: folder, logger: LogBook().logger)
    }

    /// A node that has confirmed three heartbeats.
    private func store(_ database: TemporaryDatabase, in folder: String? = nil) async throws -> PostgresStore {
        let store = try start(database, in: folder)
        for _ in 0..<3 { try await store.check() }
        return store
    }

    @Test("No work is done in a database that lacks a confirmed commit")
    func setBack() async throws {
        let database = try await TemporaryDatabase()
        let store = try await store(database)
        let scene = try await Scene(store)
        try await scene.issue(1)
        // A former primary, or an earlier moment: what a node sees of either is a new connection and an earlier state.
        try await database.sql("UPDATE benji.node_heartbeat SET beats = 1")
        try await database.sql(LostConnectionTests.ending)
        let found = await LostConnectionTests.code { () async throws(StoreError) in
            try await Scene.redeem(1, on: store, message: "m")
        }
        #expect(found == .unavailable)
        do throws(StoreError) {
            try await store.check()
            Issue.record("it is ready")
        } catch {
            #expect(error.detail.contains("heartbeat there is 1") && error.detail.contains("Backups of PostgreSQL"))
        }
        await store.close()
        // The double knows no heartbeat, and spends the token in it.
        let naive = try Scene.open(database)
        #expect(try await Scene.redeem(1, on: naive, message: "m"))
        await naive.close()
    }

    @Test("A node does not go on because others raise their heartbeats; with one heartbeat for all nodes it does")
    func others() async throws {
        let database = try await TemporaryDatabase()
        let (ahead, behind) = (try Node(database), try Node(database))
        try await behind.beat()
        try await ahead.beat(3)
        // The lost commits include the last two heartbeats of one node, and none of the other one.
        try await database.sql("UPDATE benji.node_heartbeat SET beats = 1 WHERE beats = 3")
        #expect(try await ahead.isRefused)
        #expect(try await !behind.isRefused)
        try await behind.beat(9)
        // So does a node whose data directory is new.
        try await Node(database).beat(9)
        #expect(try await ahead.isRefused)

        // The doubles have one name, and so one row.
        let shared = try await TemporaryDatabase()
        let (first, second) = (try Folder(), try Folder())
        defer { for folder in [first, second] { folder.remove() } }
        let naive = try Node(shared, file: first.file)
        try await naive.beat()
        try FileManager.default.copyItem(atPath: first.file, toPath: second.file)
        try await naive.beat(2)
        try await shared.sql("UPDATE benji.node_heartbeat SET beats = 1")
        #expect(try await naive.isRefused)
        let naiveOther = try Node(shared, file: second.file)
        #expect(try await !naiveOther.isRefused)
        try await naiveOther.beat(2)
        #expect(try await !naive.isRefused, "the double must fall")
    }

    @Test(
        """
        A connection that outlives the restore of its database is given up at the next heartbeat, and so are all others
        """
    )
    func restoredBeneath() async throws {
        let database = try await TemporaryDatabase()
        let store = try PostgresStore(
            database.parameters, connections: 4, insistsOnDurability: false, deadlines: .patient,
            logger: LogBook().logger)
        for _ in 0..<3 { try await store.check() }
        _ = try await store.apps()
        try await database.sql("UPDATE benji.node_heartbeat SET beats = 1")
        // A naive node compares new connections alone. It raises the restored row until this has passed what it
        // confirmed.
        for _ in 0..<9 {
            let found = await LostConnectionTests.code { () async throws(StoreError) in try await store.check() }
            #expect(found == .unavailable)
        }
        #expect(try await database.sql("SELECT beats FROM benji.node_heartbeat") == "1\n")
        let found = await LostConnectionTests.code { () async throws(StoreError) in _ = try await store.apps() }
        #expect(found == .unavailable)
        await store.close()
    }

    @Test("A lost connection to a database that has every confirmed commit is made again")
    func honest() async throws {
        let database = try await TemporaryDatabase()
        let store = try await store(database)
        try await database.sql("UPDATE benji.node_heartbeat SET beats = beats + 7")
        try await database.sql(LostConnectionTests.ending)
        try await store.check()
        await store.close()
    }

    @Test("A node that is started again notices too, until a deliberate restore has begun a later history")
    func restarted() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let database = try await TemporaryDatabase()
        await (try await store(database, in: folder.path)).close()
        let words = try folder.words
        #expect(words.count == 4 && Array(words[1...2]) == ["0", "3"])
        for setBack in ["UPDATE benji.node_heartbeat SET beats = 1", "DELETE FROM benji.node_heartbeat"] {
            try await database.sql(setBack)
            let error = #expect(throws: StoreError.self) { try start(database, in: folder.path) }
            #expect(error?.detail.contains(folder.file) == true, "\(error?.detail ?? "none")")
        }
        try await database.sql(Self.goingOn)
        await (try await store(database, in: folder.path)).close()
        let later = try folder.words
        #expect(later[0] == words[0] && later[2] == "3")
        #expect(Int64(later[1]) ?? 0 > 1_700_000_000_000)
        // The same backup once more: its history is earlier, although it has the row.
        try await database.sql(
            "UPDATE benji.database_history SET number = 0; UPDATE benji.node_heartbeat SET beats = 900")
        #expect(throws: StoreError.self) { try start(database, in: folder.path) }
    }

    @Test("A database without tables is another one: the message says so, and one that is made there forgets the file")
    func another() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let database = try await TemporaryDatabase()
        await (try await store(database, in: folder.path)).close()
        let empty = try await TemporaryDatabase(isEmpty: true)
        let error = #expect(throws: StoreError.self) { try start(empty, in: folder.path) }
        let detail = error?.detail ?? ""
        #expect(detail.contains("missing") && detail.contains("or delete the file if this is another database"))
        #expect(!detail.contains("the schema is another one"), "\(detail)")
        let former = try folder.words
        struct Failed: Error {}
        await #expect(throws: Failed.self) {
            try await PostgresStore.setHeartbeatAside(in: folder.path) { throw Failed() }
        }
        #expect(try folder.words == former, "the heartbeat comes back if no database is made")
        try await PostgresStore.setHeartbeatAside(in: folder.path) {
            await (try await store(empty, in: folder.path)).close()
        }
        #expect(try folder.words[0] != former[0])
        #expect(!FileManager.default.fileExists(atPath: folder.file + ".former"), "nothing of the former one is left")
    }

    @Test("Rows of nodes that are gone are deleted when a new node comes, and a node that was gone so long begins anew")
    func bounded() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let database = try await TemporaryDatabase()
        await (try await store(database, in: folder.path)).close()
        let live = try await store(database)
        let name = try folder.words[0]
        let days = "(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 31 * 86400000::bigint)"
        try await database.sql("UPDATE benji.node_heartbeat SET seen_at = \(days) WHERE node = '\(name)'")
        await (try await store(database)).close()
        #expect(try await database.sql("SELECT count(*) FROM benji.node_heartbeat") == "2\n")
        await live.close()
        var words = try folder.words
        #expect(throws: StoreError.self) { try start(database, in: folder.path) }
        // The file of a node that was stopped for 31 days.
        words[3] = try await database.sql("SELECT \(days)").trimmingCharacters(in: .whitespacesAndNewlines)
        try words.joined(separator: " ").write(toFile: folder.file, atomically: true, encoding: .utf8)
        await (try await store(database, in: folder.path)).close()
        let later = try folder.words
        #expect(later[0] != words[0] && Array(later[1...2]) == ["0", "3"], "it has another name")
    }

    @Test(
        "A file that does not hold a name and three numbers is refused by name",
        arguments: ["", "three", "3", "x 1 2 3", "00000000-0000-4000-8000-000000000001 1 2 x"])
    func damaged(content: String) throws {
        let folder = try Folder()
        defer { folder.remove() }
        try content.write(toFile: folder.file, atomically: true, encoding: .utf8)
        let error = #expect(throws: StoreError.self) {
            try ConfirmedHeartbeat(path: folder.file, logger: LogBook().logger)
        }
        #expect(error?.code == .corrupt && error?.detail.contains(folder.file) == true)
    }

    @Test(
        "A heartbeat that is earlier than the confirmed one, or missing, is a problem; a later history is none",
        arguments: [
            (Int64?.none, Int64?.none, true), (2, .none, true), (2, 4, true), (2, 5, false), (2, 6, false),
            (1, 9, true),
            (3, .none, false), (3, 1, false),
        ])
    func judged(history: Int64?, beats: Int64?, isProblem: Bool) {
        let noon = Timestamp(seconds: 1_790_000_000)
        let confirmed = ConfirmedHeartbeat.Beat(node: "n", history: 2, beats: 5, at: noon)
        let found = ConfirmedHeartbeat.Found(history: history, beats: beats, now: noon + .seconds(60))
        #expect((ConfirmedHeartbeat.problem(found: found, confirmed: confirmed, path: nil) != nil) == isProblem)
    }

    @Test("A row that is missing after thirty days was deleted; before that it is a problem")
    func deletedRow() {
        let noon = Timestamp(seconds: 1_790_000_000)
        let confirmed = ConfirmedHeartbeat.Beat(node: "n", history: 2, beats: 5, at: noon)
        func problem(after time: Duration) -> String? {
            ConfirmedHeartbeat.problem(
                found: .init(history: 2, beats: nil, now: noon + time), confirmed: confirmed, path: nil)
        }
        #expect(problem(after: ConfirmedHeartbeat.keptRow) != nil)
        #expect(problem(after: ConfirmedHeartbeat.keptRow + .seconds(1)) == nil)
    }
}
