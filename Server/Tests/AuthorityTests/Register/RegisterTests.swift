import Authority
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import Testing

@testable import Requests

@Suite struct RegisterTests {
    private func observe(_ world: AuthorityWorld, imsi: String?, after seconds: Int64 = 1) async throws
        -> SubscriptionReference?
    {
        world.clock.advance(by: .seconds(seconds))
        return try await world.register.observe([
            SubscriberObservation(
                number: AuthorityWorld.number, imsi: imsi, carrier: .mobile, eventTime: world.clock.now)
        ])[0]
    }

    @Test("The same SIM is the same generation; a feed that names no SIM changes nothing")
    func same() async throws {
        let world = try await AuthorityWorld()
        #expect(try await observe(world, imsi: "460000000000001") == world.subscription)
        #expect(try await observe(world, imsi: nil, after: 86400) == world.subscription)
        await world.end()
    }

    @Test("A new SIM is a new generation of the same person, and openIds stay")
    func newSIM() async throws {
        let world = try await AuthorityWorld()
        let before = try await world.token().openID
        let reference = try #require(try await observe(world, imsi: "460000000000099"))
        #expect(reference.epoch == 1)
        #expect(reference.simGeneration == 2)
        let response = try await world.prefetch(try world.call(sighting: .success(world.sighting(reference))))
        let token = try await world.authorize(
            response.scrip, consent: try world.consent(to: response),
            device: try world.call(sighting: .success(world.sighting(reference))))
        #expect(token.openID == before)
        await world.end()
    }

    @Test(
        """
        A number silent longer than the quarantine that comes back with another SIM is another person; up to it, the \
        same
        """,
        arguments: [7_776_000, 7_776_001] as [Int64])
    func quarantine(_ silence: Int64) async throws {
        let world = try await AuthorityWorld()
        #expect(
            try await observe(world, imsi: "460000000000099", after: silence)?.epoch == (silence > 7_776_000 ? 2 : 1))
        await world.end()
    }

    @Test(
        "A new holder's time begins with the epoch, by the feed or by the operator's order; a new SIM changes nothing")
    func holderSince() async throws {
        let world = try await AuthorityWorld()
        func startedAt() async throws -> Timestamp? {
            try await world.register.subscription(of: AuthorityWorld.number)?.epochStartedAt
        }
        let begun = world.clock.now
        _ = try await observe(world, imsi: "460000000000099")
        #expect(try await startedAt() == begun)
        _ = try await observe(world, imsi: "460000000000055", after: 7_776_001)
        #expect(try await startedAt() == world.clock.now)
        world.clock.advance(by: .seconds(1))
        _ = try await world.register.reassign(AuthorityWorld.number, at: world.clock.now)
        #expect(try await startedAt() == world.clock.now)
        await world.end()
    }

    @Test("Of two cards at one instant the first that was heard stays: neither feed is the later one")
    func twoCardsAtOnce() async throws {
        let world = try await AuthorityWorld()
        let first = try #require(try await observe(world, imsi: "460000000000099"))
        #expect(first.simGeneration == 2)
        #expect(try await observe(world, imsi: "460000000000055", after: 0) == nil)
        let row = try await world.register.subscription(of: AuthorityWorld.number)
        #expect(row?.reference == first)
        // The first card goes on, the other one counts from the next moment.
        #expect(try await observe(world, imsi: "460000000000099", after: 0) == first)
        world.clock.advance(by: .milliseconds(1))
        #expect(try await observe(world, imsi: "460000000000055", after: 0)?.simGeneration == 3)
        await world.end()
    }

    @Test("The operator's order makes another person at once: every app sees a new openId")
    func reassignment() async throws {
        let world = try await AuthorityWorld()
        let before = try await world.token().openID
        world.clock.advance(by: .seconds(1))
        let reference = try #require(try await world.register.reassign(AuthorityWorld.number, at: world.clock.now))
        #expect(reference.epoch == 2)
        let next = try #require(try await observe(world, imsi: "460000000000055"))
        #expect(next.epoch == 2)
        let sighting = world.sighting(next)
        let response = try await world.prefetch(try world.call(sighting: .success(sighting)))
        let token = try await world.authorize(
            response.scrip, consent: try world.consent(to: response),
            device: try world.call(sighting: .success(sighting)))
        #expect(token.openID != before)
        #expect(try await world.register.reassign(AuthorityWorld.otherNumber, at: world.clock.now) == nil)
        await world.end()
    }

    @Test("News of a card that was replaced since names nobody and changes nothing")
    func lateNews() async throws {
        let world = try await AuthorityWorld()
        let before = world.clock.now
        let reference = try await observe(world, imsi: "460000000000099")
        let late = try await world.register.observe([
            SubscriberObservation(
                number: AuthorityWorld.number, imsi: "460000000000001", carrier: .mobile, eventTime: before)
        ])
        #expect(late == [nil])
        #expect(try await world.register.subscription(of: AuthorityWorld.number)?.reference == reference)
        await world.end()
    }

    @Test("A session that merely goes on brings back neither a replaced SIM nor a former owner")
    func lingeringSession() async throws {
        let world = try await AuthorityWorld()
        func goesOn(_ imsi: String) async throws -> SubscriptionReference? {
            world.clock.advance(by: .seconds(1))
            return try await world.register.observe([
                SubscriberObservation(
                    number: AuthorityWorld.number, imsi: imsi, carrier: .mobile, eventTime: world.clock.now,
                    startsSession: false)
            ])[0]
        }
        let swapped = try await observe(world, imsi: "460000000000099")
        #expect(try await goesOn("460000000000001") == nil)
        #expect(try await goesOn("460000000000099") == swapped)
        world.clock.advance(by: .seconds(1))
        _ = try await world.register.reassign(AuthorityWorld.number, at: world.clock.now)
        #expect(try await goesOn("460000000000099") == nil)
        #expect(try await observe(world, imsi: "460000000000055")?.epoch == 2)
        await world.end()
    }

    @Test("A feed cannot take a number over from another carrier; the operator's order can, and the person stays")
    func porting() async throws {
        let world = try await AuthorityWorld()
        let openID = try await world.token().openID
        world.clock.advance(by: .seconds(1))
        // With a card of its own, the known card or none, the claim yields no subscription.
        for imsi in ["460010000000009", "460000000000001", nil] {
            let claim = SubscriberObservation(
                number: AuthorityWorld.number, imsi: imsi, carrier: .unicom, eventTime: world.clock.now)
            #expect(try await world.register.observe([claim]) == [nil], "\(imsi ?? "no card")")
        }
        #expect(try await world.register.subscription(of: AuthorityWorld.number)?.carrier == .mobile)
        #expect(
            try await world.register.port(AuthorityWorld.number, to: .unicom, at: world.clock.now)?.simGeneration == 2)
        world.clock.advance(by: .seconds(1))
        let later = SubscriberObservation(
            number: AuthorityWorld.number, imsi: "460010000000009", carrier: .unicom, eventTime: world.clock.now)
        let reference = try #require(try await world.register.observe([later])[0])
        #expect(reference.simGeneration == 2, "the new carrier's card is the one that came with the order")
        let sighting = world.sighting(reference, carrier: .unicom)
        let response = try await world.prefetch(try world.call(sighting: .success(sighting)))
        let token = try await world.authorize(
            response.scrip, consent: try world.consent(to: response),
            device: try world.call(sighting: .success(sighting)))
        #expect(token.openID == openID)
        await world.end()
    }

    @Test("Two apps see the same person under names that cannot be matched")
    func pairwise() async throws {
        let one = try await AuthorityWorld()
        let first = try await one.token().openID
        let again = try await one.token().openID
        #expect(first == again)
        var registration = Apps.Registration(name: "Other")
        registration.bundleIDs = [AuthorityWorld.bundle]
        let other = try await one.authority.apps.register(registration)
        let device = try one.call()
        let response = try await one.authority.prefetch(
            PrefetchRequest(
                appID: other.record.id, bundleID: AuthorityWorld.bundle,
                appKeyProof: AppKeyProof.make(
                    appKey: other.key.reveal(), appID: other.record.id, proofID: device.proof.id,
                    keyThumbprint: device.proof.key.thumbprint), dialect: .device), from: device)
        let token = try await one.authority.authorize(
            AuthorizeRequest(
                appID: other.record.id, scrip: response.scrip, purpose: .login,
                consent: try one.consent(to: response) { $0.appID = other.record.id }), from: try one.call())
        #expect(token.openID != first)
        await one.end()
    }
}
