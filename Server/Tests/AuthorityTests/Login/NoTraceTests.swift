import Authority
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import Testing

/// The rows that a caller leaves in the store.
@Suite("Whoever is not a subscriber leaves nothing behind") struct NoTraceTests {
    /// As it was: a line for the sighting and one for the refusal, before anything else.
    private struct NaiveTracer {
        var lines = 0
        mutating func refuse() { lines += 2 }
    }

    @Test("A request that is shown 400 times from an address that is no subscriber's writes no row")
    func strangers() async throws {
        let world = try await AuthorityWorld()
        var naive = NaiveTracer()
        let before = try await world.rows()
        let recorded = try world.call(sighting: .failure(.unknownAddress))
        for index in 0..<400 {
            naive.refuse()
            let call = index % 2 == 0 ? recorded : try world.call(sighting: .failure(.unknownAddress))
            #expect(try await refusal { _ = try await world.prefetch(call) } == .addressUnknown)
        }
        #expect(naive.lines == 800, "the double must fall")
        #expect(try await world.rows() == before)
        _ = try await world.prefetch()
        #expect(try await world.rows().traces == before.traces + 2, "an honest one is traced")
        await world.end()
    }

    @Test("A subscriber's refusals are traced, but not without end, and a replay never")
    func subscribers() async throws {
        let world = try await AuthorityWorld { $0.leastAssurance = .netApp }
        for _ in 0..<200 {
            #expect(try await refusal { _ = try await world.prefetch() } == .assuranceTooLow)
        }
        let traced = try await world.rows().traces
        #expect(traced == 120, "two lines for each of sixty")
        let recorded = try world.call(attested: true)
        let response = try await world.prefetch(recorded)
        for _ in 0..<50 { #expect(try await refusal { _ = try await world.prefetch(recorded) } == .proofReplayed) }
        #expect(try await world.rows().traces == traced + 2)
        // With a scrip in hand, from elsewhere and from here.
        for _ in 0..<50 {
            let away = try world.call(sighting: .failure(.unknownAddress), attested: true)
            #expect(
                try await refusal { _ = try await world.authorize(response.scrip, consent: nil, device: away) }
                    == .addressUnknown)
        }
        #expect(try await world.rows().traces == traced + 2)
        for _ in 0..<100 {
            let here = try world.call(attested: true)
            #expect(
                try await refusal { _ = try await world.authorize(response.scrip, consent: nil, device: here) }
                    == .consentMissing)
        }
        #expect(try await world.rows().traces == traced + 62)
        await world.end()
    }

    @Test("Beyond the budget ending a scrip leaves no line, and neither do tokens that one scrip buys over and over")
    func budgets() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: 5)
        for _ in 0..<20 {
            let signer = SoftwareDeviceSigner()
            let page = try await world.prefetch(try world.call(signer))
            try await world.authority.forget(
                ForgetRequest(appID: world.app.record.id, scrip: page.scrip), from: try world.call(signer))
        }
        #expect(try await world.rows().traces == 15, "sighting, prefetch and end of five")
        world.clock.advance(by: .seconds(601))
        var page = try await world.prefetch()
        for _ in 0..<20 {
            let token = try await world.authorize(page.scrip, consent: try world.consent(to: page))
            page.scrip = try #require(token.scrip)
            page.nonce = try #require(token.nonce)
        }
        #expect(try await world.rows().traces == 15 + 2 + 10, "consent and token of five")
        #expect(try await world.rows().tokens == 20)
        // Without a consent, with a scrip of another key each time: sixty refusals, not sixty of each.
        world.clock.advance(by: .seconds(601))
        let before = try await world.rows().traces
        for _ in 0..<2 {
            let signer = SoftwareDeviceSigner()
            let refused = try await world.prefetch(try world.call(signer))
            for _ in 0..<60 {
                #expect(
                    try await refusal {
                        _ = try await world.authorize(refused.scrip, consent: nil, device: try world.call(signer))
                    } == .consentMissing)
            }
        }
        #expect(try await world.rows().traces == before + 4 + 60)
        await world.end()
    }
}
