@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// How a gateway acts on the answers to its records for the pair.
struct PairRecordingTests {
    /// Answers as it is told, and keeps what it is asked.
    private final class ScriptedService: PairService {
        struct Failure: Error {}
        struct Call: Equatable {
            var entries: Int
            var fence: Int64
            var sequence: Int64
        }

        private let answers: NIOLockedValueBox<[PairRecording?]>
        private let calls = NIOLockedValueBox<[Call]>([])
        private let claims: NIOLockedValueBox<[PairStanding]>
        private let shown: NIOLockedValueBox<PairUpdates>

        init(_ answers: [PairRecording?] = [], claims: [PairStanding] = [], shown: PairStanding = PairStanding()) {
            self.answers = NIOLockedValueBox(answers)
            self.claims = NIOLockedValueBox(claims)
            self.shown = NIOLockedValueBox(PairUpdates(standing: shown, entries: [], readUntil: shown.sequence))
        }

        var called: [Call] { calls.withLockedValue { $0 } }

        private func show(_ standing: PairStanding) {
            shown.withLockedValue { $0 = PairUpdates(standing: standing, entries: [], readUntil: standing.sequence) }
        }

        func news(after sequence: Int64) async throws -> PairUpdates { shown.withLockedValue { $0 } }

        func claim(seen: PairStanding) async throws -> PairStanding {
            try claims.withLockedValue { claims in
                if claims.isEmpty { throw Failure() }
                let standing = claims.removeFirst()
                show(standing)
                return standing
            }
        }

        func record(_ entries: [PairEntry], fence: Int64, after sequence: Int64) async throws -> PairRecording {
            calls.withLockedValue { $0.append(Call(entries: entries.count, fence: fence, sequence: sequence)) }
            let answer = answers.withLockedValue { answers -> PairRecording? in
                answers.isEmpty ? .recorded(sequence: sequence + Int64(max(entries.count, 1))) : answers.removeFirst()
            }
            guard let answer else { throw Failure() }
            return answer
        }

        func release(fence: Int64) async throws {}
    }

    private func network(_ service: ScriptedService) throws -> (Network, PairMembership) {
        var configuration = Network.configuration()
        configuration.isPaired = true
        let membership = PairMembership(service: service, random: SeededRandom(seed: 3)) { .seconds(100) }
        return (try Network(configuration, pair: membership), membership)
    }

    private static let change = DirectoryChange.missed(domain: "cmnet", at: 1)
    private static let owned = PairStanding(owner: "gateway-1", fence: 3, sequence: 10)

    @Test("changes are durable when all are recorded, and not when the service fails, is ahead twice, or is another's")
    func outcomes() async throws {
        let lost = "recorded"
        for (answers, isDurable, sequences, sequence, problem) in [
            ([.recorded(sequence: 11)], true, [10], 11, nil),
            ([.overtaken(sequence: 12), .recorded(sequence: 13)], true, [10, 12], 13, nil),
            // It also writes again if the sequence has not changed.
            ([.overtaken(sequence: 10), .recorded(sequence: 11)], true, [10, 10], 11, nil),
            ([.overtaken(sequence: 12), .overtaken(sequence: 14)], false, [10, 12], 14, lost),
            ([.overtaken(sequence: 9)], false, [10], nil, nil), ([.replaced], false, [10], nil, nil),
            ([nil], false, [10], 10, lost),
        ] as [([PairRecording?], Bool, [Int64], Int64?, String?)] {
            let service = ScriptedService(answers)
            let (network, membership) = try network(service)
            #expect(await !network.gateway.processor.record([Self.change], in: membership))
            #expect(service.called.isEmpty, "it does not own the pair")
            membership.own(Self.owned)
            #expect(await network.gateway.processor.record([Self.change], in: membership) == isDurable, "\(answers)")
            #expect(service.called == sequences.map { .init(entries: 1, fence: 3, sequence: $0) }, "\(answers)")
            #expect(membership.owned?.sequence == sequence, "\(answers)")
            #expect(membership.fence == (isDurable ? 3 : nil), "\(answers)")
            let told = network.gateway.processor.problem
            #expect(problem.map { told?.contains($0) == true } ?? (told == nil), "\(told ?? "")")
        }
    }

    /// A change whose entry has so many bytes: an even number, 18 at least.
    private func change(bytes: Int) -> DirectoryChange {
        .missed(domain: String(repeating: "d", count: (bytes - 18) / 2), at: 1)
    }

    @Test("one call carries 192 KiB of entries and a thousand of them at most, and one that is larger alone")
    func parts() async throws {
        let key = SessionKey(a: 1, b: 2, c: 3)
        let block = DirectoryChange.Block(address: 1, first: 1024, last: 2047, time: 150, scope: nil)
        let large = DirectoryChange.put(
            .init(
                key: key, scope: "pgw", subscription: 1, epoch: 1, simGeneration: 1, binding: 1, address: 1, prefix: 0,
                prefixLength: 0, startedAt: 1, heardAt: 1, flags: 0, aliases: [],
                blocks: Array(repeating: block, count: 20_000)))
        let small = change(bytes: 20)
        for (changes, parts) in [
            ([], [0]), ([small], [1]), (Array(repeating: small, count: 1000), [1000]),
            (Array(repeating: small, count: 1001), [1000, 1]),
            ([change(bytes: 98_304), change(bytes: 98_304)], [2]),
            ([change(bytes: 98_304), change(bytes: 98_306)], [1, 1]),
            ([change(bytes: 98_304), small, change(bytes: 98_304), small], [2, 2]),
            ([large], [1]), ([large, small], [1, 1]), ([small, large, small], [1, 1, 1]),
        ] as [([DirectoryChange], [Int])] {
            let service = ScriptedService()
            let (network, membership) = try network(service)
            membership.own(Self.owned)
            #expect(await network.gateway.processor.record(changes, in: membership))
            #expect(service.called.map(\.entries) == parts)
            #expect(membership.owned?.sequence == 10 + Int64(max(changes.count, 1)))
        }
    }

    @Test("a gateway takes over only under the fence behind the one that it saw, in its own name")
    func claims() async throws {
        for (owner, fence, isTaken) in [
            ("gateway-1", 4, true), ("gateway-2", 4, false), ("gateway-1", 5, false), ("gateway-1", 3, false),
            (nil, 4, false),
        ] as [(String?, Int64, Bool)] {
            let standing = PairStanding(owner: owner, fence: fence, sequence: 11)
            let service = ScriptedService(claims: [standing], shown: PairStanding(owner: nil, fence: 3, sequence: 10))
            let (network, membership) = try network(service)
            await network.gateway.processor.follow(membership)
            #expect((membership.owned != nil) == isTaken, "\(owner ?? "nobody") \(fence)")
            #expect(network.gateway.processor.problem == nil)
        }
    }

    @Test("a gateway that could not read on after it had taken over does so later, under the same fence")
    func readsOn() async throws {
        let both = try PairOfNetworks()
        both.pair.state.withLockedValue { $0.failsAfterClaim = true }
        await both.pass(1, both.first)
        let pair = try #require(both.first.gateway.processor.pair)
        #expect(pair.owned == nil && both.pair.standing == PairStanding(owner: "gateway-1", fence: 1, sequence: 1))
        #expect(both.first.gateway.problem == "the pair's record cannot be read: Failure()")
        await both.pass(10, both.first)
        #expect(pair.owned == nil)
        both.pair.state.withLockedValue { ($0.isFailing, $0.failsAfterClaim) = (false, false) }
        await both.pass(1, both.first)
        #expect(pair.owned?.fence == 1 && both.pair.standing.fence == 1)
        #expect(both.first.gateway.problem == nil)
    }

    @Test("time in which the record cannot be read does not count as silence, however short", arguments: [true, false])
    func shortOutage(isUnreadable: Bool) async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.first.start("a")
        await both.pass(2, both.first, both.second)
        await both.pass(3, both.second)
        let good = both.pair.state.withLockedValue { $0 }
        if isUnreadable {
            // The last entry before the owner died is of a newer version.
            both.pair.state.withLockedValue { state in
                state.standing.sequence += 1
                state.entries.append((.init(key: [9], content: [9], isEnd: false), state.standing.sequence))
            }
        } else {
            both.pair.setFailing(true)
        }
        await both.pass(2, both.second)
        #expect(both.second.gateway.problem?.contains("record") == true)
        both.pair.state.withLockedValue { $0 = good }
        await both.pass(6, both.second)
        #expect(both.second.gateway.processor.pair?.owned == nil)
        #expect(both.second.gateway.problem == "standby: gateway-1 owns the pair")
        await both.pass(1, both.second)
        #expect(both.second.gateway.processor.pair?.owned?.fence == 2)
    }
}
