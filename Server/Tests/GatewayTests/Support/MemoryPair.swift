@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings

@testable import Gateway

/// A pair's record in memory, as an authority keeps it, and one gateway's access to it.
final class MemoryPair: Sendable {
    struct Failure: Error {}
    struct State {
        var standing = PairStanding()
        var entries: [(entry: PairEntry, sequence: Int64)] = []
        var isFailing = false
        /// Whether the next write is kept and its answer lost.
        var losesNextAnswer = false
        /// Whether everything fails once the pair has been taken over.
        var failsAfterClaim = false
        var records = 0
    }

    let state = NIOLockedValueBox(State())
    /// How long everything has run, for both gateways.
    let uptime = NIOLockedValueBox(Duration.zero)

    var standing: PairStanding { state.withLockedValue { $0.standing } }
    func setFailing(_ isFailing: Bool) { state.withLockedValue { $0.isFailing = isFailing } }

    /// Which of the changes the record holds.
    var changes: [DirectoryChange] {
        get throws { try state.withLockedValue { try $0.entries.map { try $0.entry.change } } }
    }

    func service(of gateway: String) -> Records { Records(pair: self, gateway: gateway) }

    struct Records: PairService {
        let pair: MemoryPair
        let gateway: String

        func news(after sequence: Int64) async throws -> PairUpdates {
            try pair.state.withLockedValue { state in
                if state.isFailing { throw Failure() }
                // In small parts, so that reading takes several.
                let found = state.entries.filter { $0.sequence > sequence }.prefix(3)
                let until = found.count < 3 ? state.standing.sequence : found.last?.sequence ?? sequence
                return PairUpdates(standing: state.standing, entries: found.map(\.entry), readUntil: until)
            }
        }

        func claim(seen: PairStanding) async throws -> PairStanding {
            try pair.state.withLockedValue { state in
                if state.isFailing { throw Failure() }
                if state.standing.fence == seen.fence, state.standing.sequence == seen.sequence {
                    state.standing.owner = gateway
                    state.standing.fence += 1
                    state.standing.sequence += 1
                    state.isFailing = state.failsAfterClaim
                }
                return state.standing
            }
        }

        func record(_ entries: [PairEntry], fence: Int64, after sequence: Int64) async throws -> PairRecording {
            try pair.state.withLockedValue { state in
                if state.isFailing { throw Failure() }
                guard state.standing.owner == gateway, state.standing.fence == fence else { return .replaced }
                guard state.standing.sequence == sequence else {
                    return .overtaken(sequence: state.standing.sequence)
                }
                state.records += 1
                if entries.isEmpty { state.standing.sequence += 1 }
                for entry in entries {
                    state.standing.sequence += 1
                    state.entries.removeAll { $0.entry.key == entry.key }
                    state.entries.append((entry, state.standing.sequence))
                }
                if state.losesNextAnswer {
                    state.losesNextAnswer = false
                    throw Failure()
                }
                return .recorded(sequence: state.standing.sequence)
            }
        }

        func release(fence: Int64) async throws {
            pair.state.withLockedValue { state in
                guard state.standing.owner == gateway, state.standing.fence == fence else { return }
                state.standing.owner = nil
                state.standing.sequence += 1
            }
        }
    }
}

/// Both gateways of a pair, with one register and one clock.
final class PairOfNetworks {
    let pair: MemoryPair
    let clock: TestClock
    let first: Network
    let second: Network

    /// - Parameter repeats: the seconds for which the packet core promises to repeat an unanswered packet.
    init(repeats: Int64 = 0) throws {
        let (pair, clock, register) = (MemoryPair(), TestClock(seconds: Network.start), MemoryRegister())
        var server = Network.server
        server.repeats = .seconds(repeats)
        func network(_ name: String, seed: UInt64) throws -> Network {
            var configuration = Network.configuration([server])
            configuration.name = name
            configuration.isPaired = true
            let membership = PairMembership(service: pair.service(of: name), random: SeededRandom(seed: seed)) {
                pair.uptime.withLockedValue { $0 }
            }
            return try Network(configuration, register: register, clock: clock, pair: membership)
        }
        first = try network("gateway-1", seed: 11)
        second = try network("gateway-2", seed: 12)
        (self.pair, self.clock) = (pair, clock)
    }

    /// Lets time pass in which only these gateways have their turns, each second.
    func pass(_ seconds: Int, _ networks: Network...) async {
        for _ in 0..<seconds {
            clock.advance(by: 1)
            pair.uptime.withLockedValue { $0 += .seconds(1) }
            for network in networks { await network.turn() }
        }
    }

    /// Lets the first gateway take over, and the second one follow.
    func begin() async {
        await pass(1, first)
        await pass(1, first, second)
    }
}

extension Network {
    /// Does the work of a gateway of a pair for each second, and for each batch.
    func turn() async {
        guard let pair = gateway.processor.pair else { return }
        if pair.owned == nil { await gateway.processor.follow(pair) }
        if pair.owned != nil { _ = await gateway.processor.process([]) }
    }
}

extension PairOfNetworks {
    /// The first gateway receives a's session and dies. The second one takes over, and learns that the address is b's.
    func handOver() async throws {
        try await first.start("a")
        await pass(2, first, second)
        await pass(8, second)
        try await second.send(second.request(.stop, "a"))
        await pass(1, second)
        try await second.start("b", number: "8613800000002")
    }

    /// The first gateway receives a's session, which the second one reads, and then b's, which it does not.
    func moveOnUnread() async throws {
        try await first.start("a")
        await pass(1, first, second)
        try await first.send(first.request(.stop, "a"))
        await pass(1, first)
        try await first.start("b", number: "8613800000002")
    }
}

extension Network {
    /// Something comes from the packet core that is about no address of a test.
    func hearSomething() async throws {
        try await start("z", address: "10.0.9.9", number: "8613800000009")
    }
}
