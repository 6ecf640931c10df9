import Authority
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@Suite("What the register writes of an observation and of an order")
struct RegisterBoundTests {
    private static let day: Int64 = 86_400

    private func observe(
        _ world: AuthorityWorld, _ imsi: String?, at moment: Timestamp, of number: PhoneNumber = AuthorityWorld.number
    ) async throws -> SubscriptionReference? {
        try await world.register.observe([
            SubscriberObservation(number: number, imsi: imsi, carrier: .mobile, eventTime: moment)
        ])[0]
    }

    private func row(
        _ world: AuthorityWorld, of number: PhoneNumber = AuthorityWorld.number
    ) async throws -> SubscriptionRecord {
        try #require(try await world.register.subscription(of: number))
    }

    @Test("when a number was seen last is written again once it is six hours old, and never goes back")
    func lastSeen() async throws {
        try await withWorld { world async throws in
            let begin = world.clock.now
            for (seconds, isWritten) in [(1, false), (21_599, false), (21_600, true)] as [(Int64, Bool)] {
                #expect(
                    try await observe(world, "460000000000001", at: begin + .seconds(seconds)) == world.subscription)
                #expect(try await row(world).lastSeenAt == (isWritten ? begin + .seconds(seconds) : begin))
            }
            #expect(try await observe(world, nil, at: begin + .seconds(2 * 21_600)) == world.subscription)
            #expect(try await row(world).lastSeenAt == begin + .seconds(2 * 21_600))
            // A new card, heard of late.
            let swap = try await observe(world, "460000000000099", at: begin + .seconds(60))
            let swapped = try await row(world)
            #expect(swap?.simGeneration == 2 && swapped.simChangedAt == begin + .seconds(60))
            #expect(swapped.lastSeenAt == begin + .seconds(2 * 21_600))
        }
    }

    @Test("a row begins with its first epoch and card; a card that is named first later is no new one")
    func newRows() async throws {
        try await withWorld { world async throws in
            let (begin, number) = (world.clock.now, AuthorityWorld.otherNumber)
            let first = try #require(try await observe(world, nil, at: begin, of: number))
            #expect(first.epoch == 1 && first.simGeneration == 1)
            let bare = try await row(world, of: number)
            #expect(bare.epochKey.count == 16 && bare.sealedSIM == nil && bare.carrier == .mobile)
            #expect([bare.simChangedAt, bare.epochStartedAt, bare.lastSeenAt] == [begin, begin, begin])
            let later = begin + .seconds(Self.day)
            #expect(try await observe(world, "460000000000002", at: later, of: number) == first)
            let named = try await row(world, of: number)
            #expect(named.sealedSIM != nil && named.simChangedAt == begin && named.lastSeenAt == later)
            #expect(
                try await observe(world, "460000000000003", at: later + .seconds(1), of: number)?.simGeneration == 2)
        }
    }

    @Test("a new holder has a key, an epoch and a first card of their own, by the feed and by an order")
    func newHolders() async throws {
        try await withWorld { world async throws in
            let begin = world.clock.now
            _ = try await observe(world, "460000000000099", at: begin + .seconds(1))
            let before = try await row(world)
            #expect(before.simGeneration == 2 && before.epochKey.count == 16)
            let order = begin + .seconds(2)
            let reassigned = try await world.register.reassign(AuthorityWorld.number, at: order)
            let second = try await row(world)
            #expect(reassigned == second.reference && second.epoch == 2 && second.simGeneration == 1)
            #expect(second.epochKey.count == 16 && second.epochKey != before.epochKey && second.sealedSIM == nil)
            #expect([second.simChangedAt, second.epochStartedAt, second.lastSeenAt] == [order, order, order])
            _ = try await observe(world, "460000000000055", at: begin + .seconds(3))
            let silent = begin + .seconds(4 + 90 * Self.day)
            #expect(try await observe(world, "460000000000077", at: silent)?.epoch == 3)
            let third = try await row(world)
            #expect(third.epochKey.count == 16 && third.epochKey != second.epochKey && third.simGeneration == 1)
            #expect([third.simChangedAt, third.epochStartedAt, third.lastSeenAt] == [silent, silent, silent])
            // An order that is dated before the last news takes nothing back.
            _ = try await world.register.reassign(AuthorityWorld.number, at: order)
            #expect(try await row(world).lastSeenAt == silent)
        }
    }

    @Test("a ported number keeps its holder, begins with a new card, and its order's line says from where to where")
    func porting() async throws {
        try await withWorld { world async throws in
            let before = try await row(world)
            let moment = world.clock.now + .seconds(5)
            #expect(try await world.register.port(AuthorityWorld.otherNumber, to: .unicom, at: moment) == nil)
            let ported = try await world.register.port(AuthorityWorld.number, to: .unicom, at: moment)
            let after = try await row(world)
            #expect(ported == after.reference && after.carrier == .unicom && after.simGeneration == 2)
            #expect(after.epoch == 1 && after.epochKey == before.epochKey && after.sealedSIM == nil)
            #expect(after.simChangedAt == moment && after.epochStartedAt == before.epochStartedAt)
            #expect(after.lastSeenAt == before.lastSeenAt)
            _ = try await world.register.reassign(AuthorityWorld.number, at: moment)
            let lines = try await (world.store as any Store).auditEntries(
                AuditFilter(order: "test"), before: nil, limit: 2)
            #expect(lines.map(\.subject) == ["subscription \(before.id)", "subscription \(before.id)"])
            #expect(lines.map(\.before) == [nil, #"{"carrier":"mobile"}"#])
            #expect(lines.map(\.after) == [nil, #"{"carrier":"unicom"}"#])
        }
    }

    @Test("rows of erased numbers are named for thirty days")
    func erased() async throws {
        try await withWorld { world async throws in
            let row = try await row(world)
            let moment = world.clock.now
            _ = try await (world.store as any Store).eraseSubscriber(
                SubscriberErasure(
                    of: row, openIDs: [], mark: world.vault.erasureMark(of: AuthorityWorld.number), at: moment
                ) { _ in AuditEntry(at: moment, actor: "a", role: "operator", origin: "o", order: "subscriber.erase") })
            #expect(try await world.register.erasedSubscriptions() == [row.id])
            world.clock.advance(by: .seconds(30 * Self.day))
            #expect(try await world.register.erasedSubscriptions() == [row.id])
            world.clock.advance(by: .milliseconds(1))
            #expect(try await world.register.erasedSubscriptions() == [])
        }
    }

    @Test(
        "an answer has a thousand entries or 384 KiB of a pair's news, and a larger entry comes alone and whole",
        arguments: [
            (Array(repeating: 10, count: 1001), [1000, 1]), ([192 << 10, 192 << 10], [2]),
            ([192 << 10, 192 << 10 + 1], [1, 1]), (Array(repeating: 100 << 10, count: 6), [3, 3]),
            ([400 << 10, 400 << 10, 400 << 10], [1, 1, 1]),
        ] as [([Int], [Int])])
    func news(sizes: [Int], counts: [Int]) async throws {
        try await withWorld { world async throws in
            let pairs = GatewayPairs(
                store: world.store, pairs: ["gateway-1": "east", "gateway-2": "east"], clock: world.clock)
            let seen = try await pairs.news(after: 0, for: "gateway-1").standing
            let owned = try await pairs.claim(seen: seen, by: "gateway-1")
            #expect(owned.owner == "gateway-1")
            let entries = sizes.enumerated().map { number, size in
                PairEntry(
                    key: [UInt8(number >> 8), UInt8(number & 255)], content: Array(repeating: 0, count: size - 2),
                    isEnd: false)
            }
            _ = try await pairs.record(entries, fence: owned.fence, after: owned.sequence, by: "gateway-1")
            var (read, position): ([PairEntry], Int64) = ([], owned.sequence)
            for count in counts {
                let news = try await pairs.news(after: position, for: "gateway-2")
                #expect(news.entries.count == count)
                read += news.entries
                position = news.readUntil
            }
            #expect(read == entries)
            try await pairs.release(fence: owned.fence, by: "gateway-1")
            #expect(try await pairs.news(after: position, for: "gateway-2").standing.owner == nil)
        }
    }
}
