@_spi(Server) import BenjiProtocol
import CoreMetrics
import NIOConcurrencyHelpers
import Sightings
import Testing

@testable import Gateway

/// The state of one gateway about the other of its pair, without a directory.
struct PairMembershipTests {
    private let pair = MemoryPair()

    private func membership() -> PairMembership {
        let pair = pair
        return PairMembership(service: pair.service(of: "gateway-1"), random: SeededRandom(seed: 3)) {
            pair.uptime.withLockedValue { $0 }
        }
    }

    private func pass(_ time: Duration) { pair.uptime.withLockedValue { $0 += time } }

    private func news(
        fence: Int64 = 3, sequence: Int64, readUntil: Int64 = 0, forgottenUntil: Int64 = 0
    ) -> PairUpdates {
        let standing = PairStanding(
            owner: "gateway-2", fence: fence, sequence: sequence, forgottenUntil: forgottenUntil)
        return PairUpdates(standing: standing, entries: [], readUntil: readUntil)
    }

    @Test("an owner answers four seconds after its last record, and another one takes over after six, not sooner")
    func times() {
        #expect(PairMembership.validity == .seconds(4) && PairMembership.interval == .seconds(1))
        #expect(PairMembership.recordSize == 196_608 && PairEntry.recordLimit == 1000)
        #expect(PairWatch.patience == .seconds(6) && PairWatch.longestGap == .seconds(4))
        let membership = membership()
        pass(.seconds(7))
        #expect(membership.owned == nil && membership.fence == nil)
        membership.own(PairStanding(owner: "gateway-1", fence: 3, sequence: 10))
        #expect(membership.owned == .init(fence: 3, sequence: 10, since: .seconds(7), validUntil: nil))
        #expect(membership.fence == nil, "nothing has been recorded yet")
        membership.didRecord(2, sequence: 12)
        membership.didRecordAll(begun: .seconds(6))
        #expect(membership.owned == .init(fence: 3, sequence: 12, since: .seconds(7), validUntil: .seconds(10)))
        pass(.milliseconds(2999))
        #expect(membership.fence == 3)
        pass(.milliseconds(1))
        #expect(membership.fence == nil)
        membership.correct(sequence: 15)
        membership.didRecordAll(begun: .seconds(9))
        #expect(membership.fence == 3 && membership.owned?.sequence == 15)
        membership.lose()
        #expect(membership.owned == nil && membership.fence == nil && membership.seen == nil)
        // Nothing is recorded any more, and nothing counts.
        membership.didRecordAll(begun: .seconds(9))
        #expect(membership.fence == nil)
    }

    @Test("metrics say who owns the pair, under which fence, and how many entries were recorded and read")
    func metrics() async throws {
        let meters = Meters()
        try await withMetricsFactory(meters) {
            let membership = membership()
            func measured() -> [String: Double] { meters.values(of: "benji_gateway_pair_") }
            #expect(measured()["owner"] == 0)
            var news = news(sequence: 5, readUntil: 5)
            news.entries = [4, 5].map { PairEntry(key: [$0], content: [], isEnd: false) }
            #expect(membership.take(news))
            #expect(measured() == ["owner": 0, "fence": 3, "read_total": 2])
            membership.own(PairStanding(owner: "gateway-1", fence: 4, sequence: 5))
            membership.didRecord(3, sequence: 8)
            #expect(measured() == ["owner": 1, "fence": 4, "read_total": 2, "recorded_total": 3])
            membership.lose()
            #expect(measured()["owner"] == 0)
            membership.own(try await membership.service.claim(seen: PairStanding()))
            try await membership.release()
            #expect(measured()["owner"] == 0)
        }
    }

    @Test("a gateway that ends gives back what it owns, once")
    func release() async throws {
        let membership = membership()
        let standing = try await membership.service.claim(seen: PairStanding())
        membership.own(standing)
        try await membership.release()
        #expect(pair.standing == PairStanding(owner: nil, fence: 1, sequence: 2))
        #expect(membership.owned == nil)
        try await membership.release()
        #expect(pair.standing.sequence == 2)
    }

    @Test(
        "news fit what was read unless the record has gone back, in its sequence or in its fence",
        arguments: [
            (3, 10, true), (3, 11, true), (4, 10, true), (4, 11, true), (3, 9, false), (2, 10, false), (2, 11, false),
            (4, 9, false),
        ] as [(Int64, Int64, Bool)])
    func setBack(fence: Int64, sequence: Int64, fits: Bool) {
        let membership = membership()
        #expect(membership.readUntil == 0)
        #expect(membership.take(news(sequence: 10, readUntil: 10)))
        #expect(membership.readUntil == 10 && membership.seen?.sequence == 10)
        #expect(membership.take(news(fence: fence, sequence: sequence, readUntil: 12)) == fits)
        #expect(membership.readUntil == (fits ? 12 : 0))
        #expect((membership.seen == nil) == !fits)
    }

    @Test("ends that were forgotten matter only if they lie behind what was read, and behind the beginning of reading")
    func forgotten() {
        let membership = membership()
        #expect(membership.take(news(sequence: 10, readUntil: 3, forgottenUntil: 10)))
        #expect(membership.take(news(sequence: 14, readUntil: 13, forgottenUntil: 10)))
        #expect(membership.take(news(sequence: 15, readUntil: 14, forgottenUntil: 13)))
        #expect(!membership.take(news(sequence: 17, readUntil: 16, forgottenUntil: 15)))
        #expect(membership.readUntil == 0 && membership.seen?.sequence == 17)
        // It reads from the start again, up to the present sequence of the record.
        #expect(membership.take(news(sequence: 18, readUntil: 5, forgottenUntil: 18)))
        #expect(!membership.take(news(sequence: 20, readUntil: 6, forgottenUntil: 19)))
        #expect(membership.readUntil == 0)
    }

    @Test("a gateway has claimed a standing if it is its own under the fence that it got")
    func claimed() {
        let membership = membership()
        let own = PairStanding(owner: "gateway-1", fence: 3, sequence: 10)
        #expect(!membership.hasClaimed(own, as: "gateway-1") && !membership.hasClaimed(nil, as: "gateway-1"))
        membership.didClaim(own)
        #expect(membership.seen == own && membership.aliveAt == nil)
        #expect(membership.hasClaimed(own, as: "gateway-1") && !membership.hasClaimed(own, as: "gateway-2"))
        var later = own
        later.fence = 4
        #expect(!membership.hasClaimed(later, as: "gateway-1") && !membership.hasClaimed(nil, as: "gateway-1"))
        membership.lose()
        #expect(!membership.hasClaimed(own, as: "gateway-1"))
    }

    @Test("looks four seconds apart watch without a gap, and longer apart they do not", arguments: [4000, 4001])
    func gaps(milliseconds: Int64) {
        let alive = PairStanding(owner: "gateway-2", fence: 3, sequence: 10)
        var watch = PairWatch()
        for look in 0...2 { watch.saw(alive, at: .milliseconds(milliseconds * Int64(look))) }
        #expect((watch.claimable(at: .milliseconds(2 * milliseconds)) == nil) == (milliseconds > 4000))
        #expect(watch.claimable(at: .milliseconds(2 * milliseconds) + .seconds(6)) == alive)
        watch.lost()
        #expect(watch.claimable(at: .milliseconds(2 * milliseconds) + .seconds(6)) == nil)
    }
}
