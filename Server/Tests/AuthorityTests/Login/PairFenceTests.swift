import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import Testing

@testable import Authority
@testable import Requests

/// The replies to a gateway of a pair, and to one that was replaced.
@Suite("Phones that were seen by gateways of a pair")
struct PairFenceTests {
    private static let pair = "east"

    /// An authority of whose gateways two are a pair, which the first one owns.
    private func inPair(_ body: (AuthorityWorld) async throws -> Void) async throws {
        let world = try await AuthorityWorld()
        let paired = world.restarted { configuration in
            configuration.gateways["gateway-2"] = [.mobile]
            configuration.pairs = ["gateway-1": Self.pair, "gateway-2": Self.pair]
        }
        try await claim(paired, "gateway-1")
        do {
            try await body(paired)
        } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private func claim(_ world: AuthorityWorld, _ gateway: String) async throws {
        let seen = try await world.authority.store.standing(ofPair: Self.pair)
        _ = try await world.authority.store.claimPair(Self.pair, by: gateway, seen: seen)
    }

    private func seen(_ world: AuthorityWorld, by gateway: String = "gateway-1", _ fence: Int64?) throws -> DeviceCall {
        var sighting = world.sighting(gateway: gateway)
        sighting.fence = fence
        return try world.call(sighting: .success(sighting))
    }

    @Test("the owner's phones log in, and what it saw buys nothing once the other one has taken over")
    func replaced() async throws {
        try await inPair { world in
            let response = try await world.prefetch(seen(world, 1))
            let scrips = try await world.rows().scrips
            try await claim(world, "gateway-2")
            // As of a gateway that was stopped, and wakes: it neither learns a number nor buys a token.
            #expect(try await refusal { _ = try await world.prefetch(seen(world, 1)) } == .addressStale)
            let consent = try world.consent(to: response)
            #expect(
                try await refusal {
                    _ = try await world.authorize(response.scrip, consent: consent, device: seen(world, 1))
                } == .addressStale)
            #expect(try await world.rows().scrips == scrips)
            #expect(try await world.rows().tokens == 0)
            let issued = try await world.authorize(
                response.scrip, consent: consent, device: seen(world, by: "gateway-2", 2))
            #expect(issued.token.count == 56)
        }
    }

    @Test("a sighting under another gateway's fence, under none, or before anybody owns the pair is refused")
    func wrongFences() async throws {
        try await inPair { world in
            #expect(
                try await refusal { _ = try await world.prefetch(seen(world, by: "gateway-2", 1)) } == .addressStale)
            #expect(try await refusal { _ = try await world.prefetch(seen(world, 2)) } == .addressStale)
            #expect(try await refusal { _ = try await world.prefetch(seen(world, nil)) } == .gatewayNotTrusted)
            try await world.authority.store.releasePair(PairFence(pair: Self.pair, owner: "gateway-1", fence: 1))
            #expect(try await refusal { _ = try await world.prefetch(seen(world, 1)) } == .addressStale)
        }
    }

    @Test("a sighting under a fence is refused by a node that was not told of the pair")
    func untoldNode() async throws {
        try await inPair { world in
            let untold = world.restarted { $0.pairs = [:] }
            let call = try seen(untold, 1)
            #expect(try await refusal { _ = try await untold.prefetch(call) } == .gatewayNotTrusted)
        }
    }

    @Test("a gateway that is of no pair needs no fence")
    func alone() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch(seen(world, nil))
        #expect(!response.scrip.isEmpty)
        await world.end()
    }

    @Test("a gateway reads and records in its own pair and its own name alone")
    func pairs() async throws {
        try await inPair { world in
            let pairs = GatewayPairs(
                store: world.authority.store, pairs: world.authority.configuration.pairs, clock: world.clock)
            let entry = PairEntry(key: [1], content: [2], isEnd: false)
            let standing = try await pairs.news(after: 0, for: "gateway-2").standing
            #expect(standing.owner == "gateway-1" && standing.fence == 1)
            #expect(
                try await pairs.record([entry], fence: 1, after: standing.sequence, by: "gateway-2") == .replaced)
            let outcome = try await pairs.record([entry], fence: 1, after: standing.sequence, by: "gateway-1")
            #expect(outcome == .recorded(sequence: standing.sequence + 1))
            #expect(try await pairs.news(after: standing.sequence, for: "gateway-2").entries == [entry])
            await #expect(throws: Refusal.self) { _ = try await pairs.news(after: 0, for: "gateway-3") }
            await #expect(throws: Refusal.self) { _ = try await pairs.claim(seen: standing, by: "gateway-3") }
        }
    }

    @Test("an answer holds no more than a message of the link may, and goes on where it ended")
    func largeRecord() async throws {
        try await inPair { world in
            let pairs = GatewayPairs(
                store: world.authority.store, pairs: world.authority.configuration.pairs, clock: world.clock)
            let begin = try await pairs.news(after: 0, for: "gateway-1").standing.sequence
            let entries = (0..<20).map {
                PairEntry(key: [UInt8($0)], content: Array(repeating: 0, count: 60_000), isEnd: false)
            }
            _ = try await pairs.record(entries, fence: 1, after: begin, by: "gateway-1")
            var (read, position, turns): ([PairEntry], Int64, Int) = ([], 0, 0)
            while turns < 50 {
                let news = try await pairs.news(after: position, for: "gateway-2")
                #expect(news.entries.reduce(0) { $0 + $1.content.count } <= GatewayPairs.newsSize)
                read += news.entries
                position = news.readUntil
                turns += 1
                if news.isComplete { break }
            }
            #expect(read == entries && (2...10).contains(turns), "as much at once as there is room for")
        }
    }
}
