import BenjiProtocol
import Sightings
import Store
import Testing

@testable import StorePostgres
@testable import StoreRows

@Suite("The public log beside transactions under way")
struct LogOrderTests {
    /// The next leaves of a log of two at the most.
    @Sendable private static func addition(_ batch: LogBatch) throws(StoreError) -> LogAddition? {
        guard !batch.sources.isEmpty else { return nil }
        let leaves = batch.sources.enumerated().map { offset, source in
            LogLeaf(
                index: (batch.head?.size ?? 0) + Int64(offset),
                hash: Array(repeating: UInt8(source.row & 0xff), count: 32),
                kind: source.kind, row: source.row, holder: nil, input: "input")
        }
        let size = (batch.head?.size ?? 0) + Int64(leaves.count)
        let nodes =
            size == 2 ? [LogNode(place: .init(level: 1, index: 0), hash: Array(repeating: 1, count: 32))] : []
        return LogAddition(
            leaves: leaves, nodes: nodes,
            head: LogHead(size: size, root: Array(repeating: 2, count: 32), at: Scene.now, text: "head \(size)"))
    }

    @Test(
        """
        A line that is committed after one with a greater number is not left out, and nothing passes it, also if only \
        its number was taken before
        """,
        arguments: [true, false])
    func lateCommit(isInserted: Bool) async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        try await scene.issue(1)
        let late = try ReadySession.make(database.parameters, insistsOnDurability: false)
        late.begin()
        // However long the other tests take meanwhile.
        try late.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        // As a redemption takes it, before it decides.
        try late.run("DO $$ BEGIN PERFORM nextval('ledger_id_seq'); END $$")
        let insert = """
            INSERT INTO ledger (id, app, trace, interface, result, at, day)
            VALUES (currval('ledger_id_seq'), '300000000001', '\(Scene.trace.rawValue)', 'late', 'released', 1, \
            20261118)
            """
        if isInserted { try late.run(insert) }
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        // A reader that goes by the greatest number sees one line, and would never look for the one before it.
        let seen = try await store.logSources(.release, after: 0, through: .max)
        #expect(seen.map(\.detail) == ["test"])
        for _ in 0..<3 { _ = try await store.appendLog(limit: 100, Self.addition) }
        #expect(try await store.logLeaves(from: 0, limit: 9).isEmpty)
        #expect(try await store.logState().hasMore)
        if !isInserted { try late.run(insert) }
        try late.commit()
        for _ in 0..<2 { _ = try await store.appendLog(limit: 100, Self.addition) }
        let leaves = try await store.logLeaves(from: 0, limit: 9)
        let all = try await store.logSources(.release, after: 0, through: .max)
        #expect(all.map(\.detail) == ["late", "test"])
        #expect(leaves.map(\.row) == all.map(\.row))
        await store.close()
    }

    /// A database with one consent to a token that is never redeemed.
    private func withConsent() async throws -> TemporaryDatabase {
        let database = try await TemporaryDatabase()
        let session = try ReadySession.make(database.parameters, insistsOnDurability: false)
        let consent = ConsentEvidence(
            appID: Scene.app, trace: Scene.trace,
            subscription: SubscriptionReference(subscription: 1, epoch: 1, simGeneration: 1), contentDigest: "digest",
            record: "record", receivedAt: Scene.now)
        session.begin()
        try ConsentRows.insert([consent], of: Scene.hash(1, "token"), session)
        try session.commit()
        return database
    }

    /// Deletes that consent as a sweep does, if it need not wait. Whether it did.
    @Sendable private static func sweep(_ parameters: ConnectionParameters) throws -> Bool {
        let session = try ReadySession.make(parameters, insistsOnDurability: false)
        session.begin()
        try session.run("SET LOCAL lock_timeout = '1ms'")
        do {
            try ConsentRows.deletePending(
                of: [(hash: Scene.hash(1, "token"), trace: Scene.trace)], at: Scene.now, session)
        } catch let error as ServerFailure where error.state == "55P03" {
            session.rollBack()
            return false
        }
        try session.commit()
        return true
    }

    @Test("A consent that is deleted while its leaf is written takes what was hashed with it")
    func deletedMeanwhile() async throws {
        let database = try await withConsent()
        let parameters = try database.parameters
        let store = try Scene.open(database)
        _ = try await store.appendLog(limit: 100) { batch throws(StoreError) in
            do {
                if try Self.sweep(parameters) { throw StoreError(.corrupt, "the sweep passed the log's writer") }
            } catch { throw StoreError(error, during: "sweep") }
            return try Self.addition(batch)
        }
        #expect(try await store.logLeaves(from: 0, limit: 9).map(\.input) == ["input"])
        #expect(try Self.sweep(parameters))
        #expect(try await store.logLeaves(from: 0, limit: 9).map(\.input) == [nil])
        await store.close()

        // The double reads consents and holds none.
        let other = try await withConsent()
        let naive = try ReadySession.make(other.parameters, insistsOnDurability: false)
        naive.begin()
        try naive.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        let reach = try LogRows.reach(.consent, after: 0, settled: .max, limit: 9, naive)
        #expect(try Self.sweep(other.parameters))
        let addition = try Self.addition(LogBatch(sources: reach.sources, head: nil, frontier: []))
        try LogRows.insert(try #require(addition), naive)
        try naive.commit()
        #expect(try await other.sql("SELECT count(*) FROM benji.consent") == "0\n")
        #expect(try await other.sql("SELECT input FROM benji.log_leaf") == "input\n", "the double must fall")
    }

    @Test("A transaction that is taken back holds nothing up for good")
    func takenBack() async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let scene = try await Scene(store)
        try await scene.issue(1)
        let late = try ReadySession.make(database.parameters, insistsOnDurability: false)
        late.begin()
        try late.run(
            "INSERT INTO ledger (app, trace, interface, result, at, day) VALUES ('a', 't', 'late', 'released', 1, "
                + "20261118)"
        )
        #expect(try await Scene.redeem(1, on: store, message: "m"))
        _ = try await store.appendLog(limit: 100, Self.addition)
        late.rollBack()
        for _ in 0..<2 { _ = try await store.appendLog(limit: 100, Self.addition) }
        #expect(try await store.logLeaves(from: 0, limit: 9).count == 1)
        await store.close()
    }
}
