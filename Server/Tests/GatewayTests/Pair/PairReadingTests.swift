@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// A gateway that reads the record of its pair from the beginning.
struct PairReadingTests {
    /// Forgets an end before every third answer, as the authority does while a large record is read.
    private struct ForgettingService: PairService {
        let service: MemoryPair.Records
        let asked = NIOLockedValueBox(0)
        struct TooOften: Error {}

        func news(after sequence: Int64) async throws -> PairUpdates {
            let count = asked.withLockedValue { count in
                count += 1
                return count
            }
            guard count <= 500 else { throw TooOften() }
            if count % 3 == 0 {
                service.pair.state.withLockedValue { state in
                    guard let index = state.entries.firstIndex(where: { $0.entry.isEnd }) else { return }
                    state.standing.forgottenUntil = state.entries.remove(at: index).sequence
                }
            }
            return try await service.news(after: sequence)
        }
        func claim(seen: PairStanding) async throws -> PairStanding { try await service.claim(seen: seen) }
        func record(_ entries: [PairEntry], fence: Int64, after sequence: Int64) async throws -> PairRecording {
            try await service.record(entries, fence: fence, after: sequence)
        }
        func release(fence: Int64) async throws { try await service.release(fence: fence) }
    }

    @Test("a fresh gateway reads the record to its end though ends are forgotten meanwhile")
    func forgotten() async throws {
        let both = try PairOfNetworks()
        await both.pass(1, both.first)
        for index in 1...60 {
            try await both.first.start("s\(index)", address: "10.0.1.\(index)", number: "8613800000001")
        }
        for index in 1...150 {
            try await both.first.start("t\(index)", address: "10.0.2.\(index)", number: "8613800000001")
            await both.pass(1, both.first)
            try await both.first.send(both.first.request(.stop, "t\(index)"))
        }
        var configuration = Network.configuration([Network.server])
        (configuration.name, configuration.isPaired) = ("gateway-2", true)
        let pair = both.pair
        let membership = PairMembership(
            service: ForgettingService(service: pair.service(of: "gateway-2")), random: SeededRandom(seed: 13)
        ) { pair.uptime.withLockedValue { $0 } }
        let fresh = try Network(configuration, register: MemoryRegister(), clock: both.clock, pair: membership)
        await fresh.gateway.processor.follow(membership)
        #expect(fresh.gateway.problem == "standby: gateway-1 owns the pair")
        #expect(fresh.gateway.directory.withLockedValue { $0.sessions.count } == 60)
    }

    @Test("an entry's key begins with the kind of its change, so that changes of one name take no other's place")
    func kinds() {
        let changes: [DirectoryChange] = [
            .removed(SessionKey(a: 1, b: 2, c: 3), at: 9), .reset(scope: "pgw-1", at: 9),
            .missed(domain: "pgw-1", at: 9), .missedScope("pgw-1", at: 9), .named(scope: "pgw-1", restartedAt: 9),
        ]
        let keys = changes.map { PairEntry($0).key }
        #expect(keys.map { $0[0] } == [0, 1, 2, 3, 4])
        #expect(Set(keys.dropFirst().map { Array($0.dropFirst()) }).count == 1, "they differ by this byte alone")
        #expect(changes.map { PairEntry($0).isEnd } == [true, false, false, false, false])
        let state = DirectoryChange.SessionState(
            key: SessionKey(a: 1, b: 2, c: 3), scope: "pgw-1", subscription: 1, epoch: 1, simGeneration: 1, binding: 1,
            address: 1, prefix: 0, prefixLength: 0, startedAt: 1, heardAt: 1, flags: 0, aliases: [], blocks: [])
        #expect(PairEntry(.put(state)).key == keys[0] && !PairEntry(.put(state)).isEnd, "the end takes its place")
        #expect(keys[0] == [0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0])
    }

    @Test("an entry says one change, and nothing else")
    func contents() throws {
        let entry = PairEntry(.missed(domain: "cmnet", at: 9))
        #expect(try entry.change == .missed(domain: "cmnet", at: 9))
        var heartbeat: [UInt8] = []
        JournalCoding.append(.heartbeat(Timestamp(seconds: 1)), to: &heartbeat)
        for content in [
            [], heartbeat, entry.content + entry.content, entry.content + [0], entry.content.dropLast(),
            entry.content + [UInt8](repeating: 0xff, count: 8), heartbeat + [1],
        ] {
            let broken = PairEntry(key: entry.key, content: Array(content), isEnd: false)
            #expect(throws: UnreadableEntry.self) { try broken.change }
        }
        // A heartbeat in the same entry is ignored.
        let both = PairEntry(key: entry.key, content: heartbeat + entry.content, isEnd: false)
        #expect(try both.change == .missed(domain: "cmnet", at: 9))
    }

    @Test("since when a gateway owns its pair is told by the clock as it is now, also when that was put back")
    func clockPutBack() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        await both.pass(10, both.first, both.second)
        let since = try #require(both.first.gateway.ownedSince)
        #expect(both.clock.now == since + .seconds(11))
        both.clock.set(by: .seconds(-3600))
        #expect(both.first.gateway.ownedSince == since + .seconds(-3600))
    }
}
