@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import Testing

@_spi(Server) @testable import Gateway

/// Edge case 16: what a gateway believes after it was killed.
struct RestartTests {
    private static func configuration() -> GatewayConfiguration {
        var configuration = Network.configuration()
        configuration.journalPath = "journal"
        return configuration
    }

    private func killed(_ network: Network, _ disk: MemoryDisk, after seconds: Int64) throws -> (Network, MemoryDisk) {
        network.clock.advance(by: seconds)
        let left = disk.afterPowerCut()
        return (try Network(Self.configuration(), register: network.register, clock: network.clock, disk: left), left)
    }

    @Test("16: after a short downtime a remembered session answers once the settling time has passed")
    func shortDowntime() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a", prefix: "2001:db8:1:2::/64", imsi: "460000000000001")
        let before = try network.sighting().get()
        (network, _) = try killed(network, disk, after: 10)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        network.clock.advance(by: 30)
        let after = try network.sighting().get()
        #expect(after.subscription == before.subscription && after.binding == before.binding)
        #expect(network.holder("2001:db8:1:2::9") == .success(1))
    }

    @Test("16: after a long downtime it answers nothing until it is heard of", arguments: [31, 3600])
    func longDowntime(seconds: Int64) async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a")
        (network, _) = try killed(network, disk, after: seconds)
        network.clock.advance(by: 100)
        #expect(network.holder() == .failure(seconds == 31 ? .unconfirmedAddress : .staleAddress))
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
        #expect(network.holder() == .success(1))
    }

    @Test("16: an address that was answered for never comes back with its previous owner")
    func previousOwner() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("old")
        network.clock.advance(by: 5)
        try await network.start("new", number: "8613800000002")
        (network, _) = try killed(network, disk, after: 1)
        network.clock.advance(by: 30)
        #expect(network.holder() == .success(2))
        // The old session's Start, replayed against the new process.
        try await network.start("old", at: 0)
        #expect(network.holder() == .success(2))
    }

    @Test("16: killed between taking a Start in and keeping it, the gateway names nobody until the NAS repeats it")
    func killedBeforeSync() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("old")
        network.clock.advance(by: 5)
        disk.isFailing = true
        let start = network.request(.start, "new", address: "10.0.0.1", number: "8613800000002")
        #expect(try await network.send(start) == 0)
        (network, _) = try killed(network, disk, after: 1)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        #expect(try await network.send(start) == 1)
        #expect(network.holder() == .success(2))
    }

    @Test("16: ended sessions, resets, port blocks and further bearers are remembered too")
    func everything() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a", imsi: "460000000000001")
        var blocks = network.request(.start, "b", address: "10.0.0.2", number: "8613800000002")
        blocks.portBlocks = [PortBlock(address: InternetAddress("203.0.113.1")!, ports: 1024...2047)]
        try await network.send(blocks)
        network.clock.advance(by: 2)
        try await network.start("a2", imsi: "460000000000001")
        try await network.start("gone", address: "10.0.0.3", number: "8613800000003")
        network.clock.advance(by: 2)
        try await network.send(network.request(.stop, "gone"))
        try await network.send(network.request(.accountingOn, "", at: 4, nas: "pgw-2"))
        (network, _) = try killed(network, disk, after: 1)
        network.clock.advance(by: 30)
        #expect(network.holder("203.0.113.1", port: 1500, domain: "internet") == .success(2))
        try await network.start("gone", at: 2, address: "10.0.0.3", number: "8613800000003")
        #expect(network.holder("10.0.0.3") == .failure(.unknownAddress))
        try await network.send(
            network.request(.start, "x", at: 3, address: "10.0.0.4", number: "8613800000004", nas: "pgw-2"))
        #expect(network.holder("10.0.0.4") == .failure(.unknownAddress))
        var stop = network.request(.stop, "a2", imsi: "460000000000001")
        stop.endsSession = true
        try await network.send(stop)
        #expect(network.holder("10.0.0.1") == .failure(.unknownAddress))
    }

    @Test("16: a full resync as Interim-Updates restores every session")
    func resync() async throws {
        let network = try Network(Self.configuration(), disk: MemoryDisk())
        for index in 1...200 {
            try await network.send(
                network.request(
                    .interimUpdate, "s\(index)", address: "10.0.1.\(index)", number: "8613800000\(100 + index)"))
        }
        #expect((1...200).allSatisfy { network.holder("10.0.1.\($0)") == .success(Int64($0)) })
    }

    @Test(
        "a journal that cannot be written: no answers, no sightings of what changed, and recovery when it works again")
    func failingDisk() async throws {
        let disk = MemoryDisk()
        let network = try Network(Self.configuration(), disk: disk)
        try await network.start("a")
        try await network.start("b", address: "10.0.0.2", number: "8613800000002")
        disk.isFailing = true
        network.clock.advance(by: 10)
        let start = network.request(.start, "c", address: "10.0.0.1", number: "8613800000003")
        #expect(try await network.send(start) == 0)
        #expect(network.holder("10.0.0.1") == .failure(.unconfirmedAddress))
        #expect(network.holder("10.0.0.2") == .success(2))
        #expect(network.gateway.counts.packets["unavailable"] == 1)
        disk.isFailing = false
        // Upkeep alone brings it back; then the NAS's repetition is answered.
        _ = await network.gateway.processor.process([])
        #expect(network.holder("10.0.0.1") == .success(3))
        #expect(try await network.send(start) == 1)
        let (after, _) = try killed(network, disk, after: 1)
        after.clock.advance(by: 30)
        #expect(after.holder("10.0.0.1") == .success(3))
        #expect(after.holder("10.0.0.2") == .success(2))
    }

    @Test("neither number nor IMSI nor session name is in the journal")
    func secrets() async throws {
        let disk = MemoryDisk()
        let network = try Network(Self.configuration(), disk: disk)
        try await network.start("session-name", imsi: "460000000000001")
        let journal = try #require(disk.contents("journal"))
        for secret in ["13800000001", "46000000", "session-name"] {
            let bytes = Array(secret.utf8)
            #expect(!journal.indices.contains { journal[$0...].starts(with: bytes) })
        }
    }

    @Test("a journal that has grown is compacted between batches and loses nothing")
    func compaction() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk, leastJournalSize: 20_000)
        for round in 0..<40 {
            for index in 1...10 {
                try await network.send(
                    network.request(
                        .interimUpdate, "s\(index)", address: "10.0.1.\(index)", number: "8613800000\(100 + index)"))
            }
            network.clock.advance(by: 1)
            _ = round
        }
        #expect(try #require(disk.contents("journal")).count < 30_000)
        (network, _) = try killed(network, disk, after: 1)
        network.clock.advance(by: 30)
        #expect((1...10).allSatisfy { network.holder("10.0.1.\($0)") == .success(Int64($0)) })
    }
}
