import BenjiProtocol
import Sightings
import Store
import StoreRows
import Testing

@testable import StorePostgres

@Suite("Two PostgreSQL stores race for one token")
struct RaceTests {
    @Test(
        """
        Of eight redemptions of each of 200 tokens, in two stores at once, one each wins, and the ledger has one line \
        each
        """
    )
    func race() async throws {
        let database = try await TemporaryDatabase()
        let stores = [try Scene.open(database), try Scene.open(database)]
        let scene = try await Scene(stores[0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { try await scene.issue(number) } }
            try await group.waitForAll()
        }
        let winners = try await withThrowingTaskGroup(of: Int?.self) { group in
            for attempt in 0..<8 {
                for number in 0..<200 {
                    group.addTask {
                        let isSpent = try await Scene.redeem(
                            number, on: stores[attempt % 2], message: "\(number)-\(attempt)")
                        return isSpent ? number : nil
                    }
                }
            }
            return try await group.reduce(into: [Int]()) { winners, winner in winners += [winner].compactMap { $0 } }
        }
        #expect(winners.sorted() == Array(0..<200))
        #expect(try await database.sql("SELECT count(*), count(DISTINCT id) FROM benji.ledger") == "200|200\n")
        for store in stores { await store.close() }
    }

    @Test(
        "A sweep beside a redemption deletes neither what is being redeemed nor its consent",
        arguments: ["openid_credential", "token"])
    func sweep(table: String) async throws {
        let database = try await TemporaryDatabase()
        let store = try Scene.open(database)
        let hash = Scene.hash(1, "token")
        let end = Scene.now + .seconds(120)
        if table == "token" {
            try await Scene(store).issue(1)
        } else {
            try await store.insertOpenIDCredential(
                OpenIDCredential(
                    hash: hash, kind: .code, family: 1, appID: Scene.app, subject: nil, trace: Scene.trace,
                    details: "{}", issuedAt: Scene.now, expiresAt: end))
        }
        let (redemption, naive) = (
            try ReadySession.make(database.parameters, insistsOnDurability: false),
            try ReadySession.make(database.parameters, insistsOnDurability: false)
        )
        let consent = ConsentEvidence(
            appID: Scene.app, trace: Scene.trace,
            subscription: SubscriptionReference(subscription: 1, epoch: 1, simGeneration: 1), contentDigest: "digest",
            record: "record", receivedAt: Scene.now)
        redemption.begin()
        try ConsentRows.insert([consent], of: hash, redemption)
        try redemption.commit()
        func deleteExpired() async throws {
            if table == "token" {
                _ = try await store.deleteExpiredCredentials(before: end + .seconds(1), limit: 9)
            } else {
                _ = try await store.deleteExpiredPages(Scene.now..<end + .seconds(1), limit: 9)
            }
        }
        func left() async throws -> String {
            try await database.sql(
                "SELECT (SELECT count(*) FROM benji.\(table) WHERE spent_at IS NULL), (SELECT count(*) FROM "
                    + "benji.consent)"
            )
        }

        // As a redemption begins: it locks the row and decides.
        redemption.begin()
        try redemption.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        #expect(try redemption.hasRow("SELECT 1 FROM \(table) WHERE hash = $1 FOR UPDATE", hash.bytes))
        // The double selects an unspent row, and deletes it afterwards.
        let isUnspent = try naive.hasRow("SELECT 1 FROM \(table) WHERE hash = $1 AND spent_at IS NULL", hash.bytes)
        try await deleteExpired()
        #expect(try await left() == "1|1\n")
        try redemption.run("UPDATE \(table) SET spent_at = $2 WHERE hash = $1", hash.bytes, Scene.now.milliseconds)
        try redemption.commit()
        try await deleteExpired()
        #expect(try await left() == "0|1\n", "it is spent, and its consent is there")
        if table != "token" {
            #expect(try await database.sql("SELECT count(*) FROM benji.\(table)") == "1\n", "so is the code")
        }

        naive.begin()
        if isUnspent {
            try naive.run("DELETE FROM \(table) WHERE hash = $1", hash.bytes)
            try ConsentRows.deletePending(of: [(hash: hash, trace: Scene.trace)], at: Scene.now, naive)
        }
        try naive.commit()
        #expect(try await left() == "0|0\n", "the double must fall")
        await store.close()
    }
}
