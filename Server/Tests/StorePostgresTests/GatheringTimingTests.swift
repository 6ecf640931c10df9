import Store
import Testing

@testable import StorePostgres

@Suite("What is gathered is done in time or refused", .serialized)
struct GatheringTimingTests {
    @Test("What has waited for so long that nobody waits for its answer any more is refused, and not done afterwards")
    func tooLate() async throws {
        let database = try await TemporaryDatabase()
        let patient = try Scene.open(database)
        let scene = try await Scene(patient)
        // The first one, a whole group and a part of another one.
        let numbers = 0...300
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers { group.addTask { try await scene.issue(number) } }
            try await group.waitForAll()
        }
        let store = try Scene.open(database, connections: 1, deadlines: PostgresDeadlines())
        // Long enough for two groups to wait for a lock in vain.
        try await GatheringTests.during("LOCK TABLE benji.token IN EXCLUSIVE MODE", for: 13, database) {
            #expect(await GatheringTests.redeem(numbers, on: store) == [])
        }
        #expect(try await database.sql("SELECT count(*) FROM benji.token WHERE spent_at IS NOT NULL") == "0\n")
        #expect(try await Scene.redeem(1, on: patient, message: "again"))
        await store.close()
        await patient.close()
    }
}
