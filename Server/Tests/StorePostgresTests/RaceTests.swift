import Store
import Testing

@testable import StorePostgres

@Suite("Two PostgreSQL stores race for one token")
struct RaceTests {
    @Test(
        "Of eight redemptions of each of 200 tokens, in two stores at once, one each wins, and the ledger has one line each"
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
}
