import Authority
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

/// Somebody behind the phone's own address, with the app key out of the package, against the phone.
@Suite("Whoever shares a phone's address does not shut it out") struct PrefetchLimitTests {
    private static let limit = 10

    /// The order of checks as it was: one count for app and number, before anything is judged.
    private final class NaiveCount {
        var calls = 0
        func admits() -> Bool {
            calls += 1
            return calls <= PrefetchLimitTests.limit
        }
    }

    /// A guest asks with a new key each time.
    private func flood(_ world: AuthorityWorld, _ count: Int) async throws -> [Situation?] {
        var answers: [Situation?] = []
        for _ in 0..<count {
            answers.append(
                try await refusal { _ = try await world.prefetch(try world.call(SoftwareDeviceSigner())) })
        }
        return answers
    }

    @Test("Prefetches that earn too little are not counted: the attested phone is served, with any of its keys")
    func judgedBeforeCounted() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: Self.limit) { $0.leastAssurance = .netApp }
        let naive = NaiveCount()
        for answer in try await flood(world, 60) {
            _ = naive.admits()
            #expect(answer == .assuranceTooLow)
        }
        #expect(!naive.admits(), "the double must fall")
        #expect(try await world.prefetch(try world.call(attested: true)).scripLifetime == 3600)
        await world.end()
    }

    @Test("What is not attested never counts against what is, where the app takes both")
    func assurancesApart() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: Self.limit)
        #expect(try await flood(world, 60).allSatisfy { $0 == nil })
        #expect(try await world.prefetch(try world.call(attested: true)).scripLifetime == 3600)
        await world.end()
    }

    @Test("A phone that has logged in before does not notice a guest, also after a restart")
    func familiar() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: Self.limit)
        let naive = NaiveCount()
        _ = try await world.redeem(nil, try await world.token().token)
        for _ in try await flood(world, 60) { _ = naive.admits() }
        #expect(!naive.admits(), "the double must fall")
        let served = try await world.prefetch()
        #expect(served.scripLifetime == 3600)
        #expect(try await world.authority.traceEvents(served.trace).map(\.step) == ["sighting", "prefetch"])
        let restarted = world.restarted()
        #expect(try await flood(restarted, 60).allSatisfy { $0 == nil })
        #expect(try await restarted.prefetch().scripLifetime == 3600)
        await world.end()
    }

    @Test("A phone that logs in for the first time while a guest floods gets its login all the same")
    func firstLogin() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: Self.limit)
        #expect(try await flood(world, 60).allSatisfy { $0 == nil })
        let response = try await world.prefetch()
        #expect(response.scripLifetime == 120)
        // More guests come while the person reads the page.
        _ = try await flood(world, 60)
        world.clock.advance(by: .seconds(60))
        let token = try await world.authorize(response.scrip, consent: try world.consent(to: response))
        #expect(token.scrip == nil, "a brief scrip buys one token")
        #expect(try await world.redeem(nil, token.token).number == AuthorityWorld.number)
        #expect(try await world.prefetch().scripLifetime == 3600, "familiar now")
        await world.end()
    }

    @Test("A flood is slowed and never stopped, and leaves no lines and no lasting scrips")
    func slowed() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: Self.limit)
        _ = try await flood(world, Self.limit)
        let before = try await world.rows()
        let burst = try await flood(world, 400)
        #expect(burst.count { $0 == nil } == 300 && burst.count { $0 == .tooManyRequests } == 100)
        world.clock.advance(by: .seconds(1))
        #expect(try await flood(world, 30).count { $0 == nil } == 20, "one second later some are served again")
        #expect(try await world.rows().traces == before.traces)
        world.clock.advance(by: .seconds(721))
        try await world.authority.deleteExpired()
        #expect(try await world.rows().scrips == before.scrips, "two minutes and ten are all that they last")
        await world.end()
    }

    @Test("One key can ask so often, and then has to wait; others do not")
    func ownBudget() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: Self.limit)
        for _ in 0..<Self.limit { _ = try await world.prefetch() }
        #expect(try await refusal { _ = try await world.prefetch() } == .tooManyRequests)
        #expect(try await flood(world, 5).allSatisfy { $0 == nil })
        world.clock.advance(by: .seconds(600))
        #expect(try await world.prefetch().scripLifetime == 3600)
        await world.end()
    }

    @Test("A proof that is shown again is not counted")
    func replayedBeforeCounted() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: Self.limit)
        let recorded = try world.call()
        _ = try await world.prefetch(recorded)
        for _ in 0..<60 {
            #expect(try await refusal { _ = try await world.prefetch(recorded) } == .proofReplayed)
        }
        #expect(try await world.prefetch().scripLifetime == 3600)
        await world.end()
    }

    @Test("Unused tokens of a guest put none of the person's out and stop no login of theirs, whatever his keys")
    func hoarding() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: 10_000)
        let mine = try await world.token()
        for _ in 0..<150 {
            let guest = SoftwareDeviceSigner()
            let response = try await world.prefetch(try world.call(guest))
            _ = try await world.authorize(
                response.scrip, purpose: .verification, consent: nil, device: try world.call(guest))
        }
        #expect(try await world.redeem(nil, mine.token).number == AuthorityWorld.number)
        #expect(try await world.redeem(nil, try await world.token().token).number == AuthorityWorld.number)
        await world.end()
    }
}
