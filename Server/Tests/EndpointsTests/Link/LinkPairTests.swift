import ServerTestKit
import Sightings
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Link

@Suite("Pairs of gateways over the link", .serialized)
struct LinkPairTests {
    private static let entries = [
        PairEntry(key: [0, 1, 255], content: [7, 0, 9], isEnd: false), PairEntry(key: [2], content: [], isEnd: true),
    ]

    @Test("what a pair's gateways tell each other arrives as it was sent, and in the sender's name")
    func overTheLink() async throws {
        let world = try await AuthorityWorld()
        let pairs = GatewayPairs(
            store: world.authority.store, pairs: ["gateway-1": "east", "gateway-2": "east"], clock: world.clock)
        try await inLinkWorld(pairs: pairs) { link in
            try await link.asGateway(link.certificates.gateway("gateway-1").client) { remote in
                let seen = try await remote.news(after: 0).standing
                #expect(seen == PairStanding())
                let standing = try await remote.claim(seen: seen)
                #expect(standing.owner == "gateway-1" && standing.fence == 1)
                // Said a second time, because its answer was lost.
                #expect(try await remote.claim(seen: seen) == standing)
                let sequence = standing.sequence
                #expect(
                    try await remote.record(Self.entries, fence: 1, after: sequence)
                        == .recorded(sequence: sequence + 2))
                #expect(
                    try await remote.record(Self.entries, fence: 1, after: sequence)
                        == .overtaken(sequence: sequence + 2))
            }
            try await link.asGateway(link.certificates.gateway("gateway-2").client) { remote in
                let news = try await remote.news(after: 0)
                #expect(news.entries == Self.entries && news.isComplete)
                #expect(news.standing.owner == "gateway-1")
                #expect(
                    try await remote.record([], fence: 1, after: news.standing.sequence) == .replaced)
                // Not in the other one's name.
                try await remote.release(fence: 1)
                #expect(try await remote.news(after: 0).standing == news.standing)
            }
            try await link.asGateway(link.certificates.gateway("gateway-1").client) { remote in
                try await remote.release(fence: 1)
                #expect(try await remote.news(after: 0).standing.owner == nil)
            }
        }
        await world.end()
    }

    @Test("a gateway that is of no pair reads, takes over and records nothing, and is told where to name one")
    func noPair() async throws {
        let world = try await AuthorityWorld()
        let pairs = GatewayPairs(store: world.authority.store, pairs: ["gateway-2": "east"], clock: world.clock)
        try await inLinkWorld(pairs: pairs) { link in
            try await link.asGateway(link.certificates.gateway("gateway-1").client) { remote in
                let error = await #expect(throws: StoreError.self) { _ = try await remote.news(after: 0) }
                #expect(error?.detail.contains("name one in gateways.gateway-1.pair") == true, "\(error?.detail ?? "")")
                await #expect(throws: StoreError.self) { _ = try await remote.claim(seen: PairStanding()) }
                await #expect(throws: StoreError.self) { _ = try await remote.record([], fence: 1, after: 0) }
                await #expect(throws: StoreError.self) { try await remote.release(fence: 1) }
            }
        }
        await world.end()
    }

    @Test("a sighting says its fence over the link, and one without is one without")
    func fence() throws {
        for fence in [nil, 1, Int64.max] {
            var sighting = Sighting(
                subscription: SubscriptionReference(subscription: 4, epoch: 1, simGeneration: 1), carrier: .mobile,
                binding: BindingID(rawValue: 7), gateway: "gateway-1", time: Timestamp(seconds: 1_800_000_000),
                localAddressConfirmed: false, roaming: false)
            sighting.fence = fence
            #expect(try Sighting(JSON(parsing: sighting.json.serialized), path: "$") == sighting)
        }
    }

    @Test(
        "a message that is no pair's is refused",
        arguments: [
            #"{"fence":0,"after":1,"entries":[]}"#, #"{"fence":1,"after":-1,"entries":[]}"#, #"{"fence":1,"after":1}"#,
            #"{"fence":1,"after":1,"entries":[["AQ","AQ"]]}"#, #"{"fence":1,"after":1,"entries":[["","AQ",0]]}"#,
            #"{"fence":1,"after":1,"entries":[["AQ","AQ",2]]}"#, #"{"fence":1,"after":1,"entries":[["A","AQ",0]]}"#,
            #"{"fence":1,"after":1,"entries":[],"more":1}"#,
        ])
    func malformed(text: String) throws {
        let json = try JSON(parsing: Array(text.utf8))
        #expect(throws: JSONError.self) { try PairStatement(json) }
    }

    @Test("every outcome of a record is read back as it is")
    func outcomes() throws {
        for outcome in [PairRecording.recorded(sequence: 5), .overtaken(sequence: 0), .replaced] {
            #expect(try PairRecording(JSON(parsing: outcome.json.serialized)) == outcome)
        }
        #expect(throws: JSONError.self) {
            try PairRecording(JSON(parsing: Array(#"{"recorded":1,"overtaken":1}"#.utf8)))
        }
    }
}
