import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// The sessions of a subscriber whose row of the register was erased.
struct ErasedSubscriberTests {
    private static let number = "8613800000001"

    /// Two people with a session each, and the first one erased.
    private func erased(_ disk: MemoryDisk) async throws -> (network: Network, binding: BindingID) {
        var configuration = Network.configuration()
        configuration.journalPath = "journal"
        let network = try Network(configuration, disk: disk)
        try await network.start("a", number: Self.number, imsi: "460000000000001")
        try await network.start("b", address: "10.0.0.2", number: "8613800000002")
        let binding = try network.sighting().get().binding
        network.register.erase(Self.number)
        network.gateway.forget([1])
        network.clock.advance(by: 1)
        try await network.send()
        return (network, binding)
    }

    @Test("the session of somebody erased names nobody at once, and what was earned through it is dead")
    func nobody() async throws {
        let (network, binding) = try await erased(MemoryDisk())
        #expect(network.holder() == .failure(.unconfirmedAddress))
        #expect(network.holder("10.0.0.2") == .success(2), "others are who they were")
        #expect(network.register.revoked == [binding])
    }

    @Test("with the session's next packet the number has a row again, a new one")
    func comesBack() async throws {
        let (network, _) = try await erased(MemoryDisk())
        try await network.send(
            network.request(
                .interimUpdate, "a", address: "10.0.0.1", number: Self.number, imsi: "460000000000001"))
        #expect(network.holder() == .success(3))
        try await network.send(network.request(.stop, "a"))
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test("a packet of the erased one's session that names no number ends the doubt, and names nobody")
    func namesNobody() async throws {
        let disk = MemoryDisk()
        let (network, _) = try await erased(disk)
        let observed = network.register.observed
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1"))
        #expect(network.register.observed == observed)
        #expect(network.holder() == .failure(.unsupportedSubscriber))
        var configuration = Network.configuration()
        configuration.journalPath = "journal"
        network.clock.advance(by: 1)
        let next = try Network(
            configuration, register: network.register, clock: network.clock, disk: disk.afterPowerCut())
        next.clock.advance(by: 1)
        try await next.send(next.request(.interimUpdate, "a", address: "10.0.0.1"))
        #expect(next.holder() == .failure(.unsupportedSubscriber))
    }

    @Test("a journal of before, whose erased session is not marked as nobody's, brings nobody back either")
    func unmarked() async throws {
        let (network, _) = try await erased(MemoryDisk())
        network.gateway.directory.withLockedValue { directory in
            var state = directory.state(of: 0)
            #expect(state.subscription == 0)
            state.flags = 0
            directory.restore(.put(state), now: UInt32(Network.start))
        }
        network.clock.advance(by: 1)
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1"))
        #expect(network.holder() == .failure(.unsupportedSubscriber))
    }

    @Test("the journal is written anew without the erased row, so that no restart brings it back")
    func journal() async throws {
        let disk = MemoryDisk()
        let (network, _) = try await erased(disk)
        // Upkeep writes it in slices, with the batches that follow.
        for _ in 0..<3 { try await network.send() }
        func subscriptions() throws -> [Int64] {
            var rows: [Int64] = []
            var reader = JournalReader()
            reader.read(try #require(disk.contents("journal"))) { record in
                if case .change(.put(let state)) = record { rows.append(state.subscription) }
            }
            return rows.sorted()
        }
        let rows = try subscriptions()
        #expect(rows == [0, 2])
        var configuration = Network.configuration()
        configuration.journalPath = "journal"
        network.clock.advance(by: 1)
        let next = try Network(
            configuration, register: network.register, clock: network.clock, disk: disk.afterPowerCut())
        #expect(next.holder() == .failure(.ambiguousAddress))
    }
}
