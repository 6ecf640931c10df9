import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority

@Suite("What is swept away, and what is not yet") struct SweepTests {
    @Test("A wrong guess is not forgotten as long as it counts")
    func guesses() async throws {
        let world = try await AuthorityWorld()
        func guess() async throws -> GuessOutcome {
            try await world.store.settle(
                Guess(
                    appID: world.app.record.id, subscription: world.subscription, isRight: false, now: world.clock.now,
                    limit: 1, window: .seconds(86400)))
        }
        #expect(try await guess() == .wrong)
        world.clock.advance(by: .seconds(86399))
        try await world.authority.deleteExpired()
        #expect(try await guess() == .tooMany)
        world.clock.advance(by: .seconds(2))
        try await world.authority.deleteExpired()
        #expect(try await guess() == .wrong)
        await world.end()
    }
}
