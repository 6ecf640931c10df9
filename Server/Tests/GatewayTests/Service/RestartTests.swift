@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// The sessions that a gateway believes after it was killed.
struct RestartTests {
    /// - Parameter repeats: the seconds for which the packet core promises to repeat an unanswered packet.
    private static func configuration(repeats: Int64 = 60) -> GatewayConfiguration {
        var server = Network.server
        server.repeats = .seconds(repeats)
        var configuration = Network.configuration([server])
        configuration.journalPath = "journal"
        return configuration
    }

    private func killed(
        _ network: Network, _ disk: MemoryDisk, after seconds: Int64, _ configuration: GatewayConfiguration? = nil
    ) throws -> (Network, MemoryDisk) {
        network.clock.advance(by: seconds)
        let left = disk.afterPowerCut()
        let next = try Network(
            configuration ?? Self.configuration(), register: network.register, clock: network.clock, disk: left)
        return (next, left)
    }

    private func interim(_ network: Network, at time: Int64? = nil) -> AccountingRequest {
        network.request(.interimUpdate, "a", at: time, address: "10.0.0.1", number: "8613800000001")
    }

    /// Killed, and down for so long that a packet core which tries three times gives the Stop of a and the Start of b
    /// up.
    private func changedHandsUnheard(repeats: Int64 = 0) async throws -> Network {
        let disk = MemoryDisk()
        let configuration = Self.configuration(repeats: repeats)
        let network = try Network(configuration, disk: disk)
        try await network.start("a")
        return try killed(network, disk, after: 9, configuration).0
    }

    @Test("16: after a downtime, however short, a session answers when something newer is heard of it, and not before")
    func shortDowntime() async throws {
        let network = try await changedHandsUnheard()
        for wait in [0, 30, 5, 200] as [Int64] {
            network.clock.advance(by: wait)
            #expect(network.holder() == .failure(.unconfirmedAddress))
        }
        #expect(network.gateway.warnings.count == 1 && network.gateway.warnings[0].contains("started anew"))
        // Packets sent during the downtime, or in the second in which it ended, may have been followed by b's Start.
        for time in [5, 9] as [Int64] {
            try await network.send(interim(network, at: time))
            #expect(network.holder() == .failure(.unconfirmedAddress))
        }
        try await network.send(interim(network, at: 10))
        #expect(network.holder() == .success(1))
    }

    @Test("16: a gateway that believes its journal half a minute after a short downtime names the previous holder")
    func naiveDouble() async throws {
        let network = try await changedHandsUnheard()
        network.gateway.directory.withLockedValue { directory in
            for domain in directory.settlesAt.indices { directory.settlesAt[domain] = directory.deafUntil + 30 }
        }
        #expect(network.holder() == .failure(.unconfirmedAddress))
        network.clock.advance(by: 30)
        #expect(network.holder() == .success(1))
    }

    @Test(
        "16: the Start of somebody who left while nobody listened, replayed to the new run, names nobody",
        arguments: [false, true])
    func replayedStart(hasJournal: Bool) async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(repeats: 0), disk: disk)
        try await network.start("other", address: "10.0.0.9", number: "8613800000009")
        (network, _) = try killed(
            network, hasJournal ? disk : MemoryDisk(), after: 100, Self.configuration(repeats: 0))
        try await network.start("a", at: 50)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        network.clock.advance(by: 1)
        try await network.send(interim(network))
        #expect(network.holder().map { _ in true } == .success(true))
    }

    @Test("16: what was dated before the first run began is believed by no later run either")
    func datedBeforeTheFirstRun() async throws {
        let disk = MemoryDisk()
        var network = try Network(
            Self.configuration(), clock: TestClock(seconds: Network.start + 100), disk: disk)
        try await network.start("a", at: 50)
        (network, _) = try killed(network, disk, after: 5)
        network.clock.advance(by: 60)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        try await network.send(interim(network))
        #expect(network.holder() == .success(1))
    }

    @Test("16: where a packet core promises to repeat, a session answers again after a short downtime and that time")
    func promise() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a", prefix: "2001:db8:1:2::/64", imsi: "460000000000001")
        let before = try network.sighting().get()
        (network, _) = try killed(network, disk, after: 30)
        for wait in [0, 59] as [Int64] {
            network.clock.advance(by: wait)
            #expect(network.holder() == .failure(.unconfirmedAddress))
        }
        network.clock.advance(by: 1)
        let after = try network.sighting().get()
        #expect(after.subscription == before.subscription && after.binding == before.binding)
        #expect(network.holder("2001:db8:1:2::9") == .success(1))
        #expect(network.gateway.warnings.isEmpty)
    }

    @Test(
        "16: after a long downtime it answers nothing until it is heard of, whatever was promised",
        arguments: [31, 3600])
    func longDowntime(seconds: Int64) async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a")
        (network, _) = try killed(network, disk, after: seconds)
        network.clock.advance(by: 100)
        #expect(network.holder() == .failure(seconds == 31 ? .unconfirmedAddress : .staleAddress))
        try await network.send(interim(network))
        #expect(network.holder() == .success(1))
    }

    @Test("16: one packet core's promise is not another's of the same domain")
    func promiseOfOne() async throws {
        var (one, other) = (Network.server, Network.server)
        one.repeats = .seconds(60)
        (other.name, other.sources) = ("pgw-2", [IPPrefix("192.0.2.2")!])
        for repeats in [0, 60] as [Int64] {
            other.repeats = .seconds(repeats)
            var configuration = Network.configuration([one, other])
            configuration.journalPath = "journal"
            let disk = MemoryDisk()
            var network = try Network(configuration, disk: disk)
            try await network.start("a")
            (network, _) = try killed(network, disk, after: 5, configuration)
            network.clock.advance(by: 60)
            #expect(network.holder() == (repeats == 0 ? .failure(.unconfirmedAddress) : .success(1)))
        }
    }

    @Test("16: a long downtime is not forgotten when a short one follows it, nor are two that are long together")
    func downtimesInARow() async throws {
        for (first, run, second) in [(100, 70, 1), (20, 15, 1)] as [(Int64, Int64, Int64)] {
            var disk = MemoryDisk()
            var network = try Network(Self.configuration(), disk: disk)
            try await network.start("a")
            (network, disk) = try killed(network, disk, after: first)
            for _ in 0..<run {
                network.clock.advance(by: 1)
                _ = await network.gateway.processor.process([])
            }
            (network, disk) = try killed(network, disk, after: second)
            network.clock.advance(by: 60)
            #expect(network.holder() == .failure(.unconfirmedAddress), "\(first) s down, \(run) s up, \(second) s down")
            try await network.send(interim(network))
            #expect(network.holder() == .success(1))
        }
    }

    @Test("16: what a NAS whose clock is ahead sent while nobody listened confirms nothing")
    func clockAhead() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(repeats: 0), disk: disk)
        try await network.start("a", at: 20)
        (network, _) = try killed(network, disk, after: 10, Self.configuration(repeats: 0))
        // By our clock it was sent five seconds before we listened again.
        try await network.send(interim(network, at: 25))
        #expect(network.holder() == .failure(.unconfirmedAddress))
        try await network.send(interim(network, at: 31))
        #expect(network.holder() == .success(1))
    }

    @Test("16: a clock that is set back, while the gateway is down or while it runs, makes nothing of before believed")
    func clockSetBack() async throws {
        for repeats in [0, 60] as [Int64] {
            let disk = MemoryDisk()
            var network = try Network(Self.configuration(repeats: repeats), disk: disk)
            network.clock.advance(by: 3600)
            try await network.start("a")
            (network, _) = try killed(network, disk, after: -1800, Self.configuration(repeats: repeats))
            for _ in 0..<3 {
                _ = await network.gateway.processor.process([])
                network.clock.advance(by: 60)
                #expect(network.holder() == .failure(.unconfirmedAddress))
            }
        }
        // Started with a clock that was five minutes ahead: packets that come after its correction count.
        let network = try Network(clock: TestClock(seconds: Network.start + 300))
        network.clock.advance(by: -300)
        _ = await network.gateway.processor.process([])
        network.clock.advance(by: 1)
        try await network.start("a")
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
        network.clock.advance(by: 60)
        #expect(network.holder() == .success(2))
        // The old session's Start, replayed against the new process.
        try await network.start("old", at: 0)
        #expect(network.holder() == .success(2))
    }

    @Test(
        """
        16: killed between taking a Start in and keeping it, the gateway names nobody until the new holder is heard of \
        again
        """
    )
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
        // It was sent during the downtime: the new holder may have left again.
        #expect(network.holder() == .failure(.unconfirmedAddress))
        network.clock.advance(by: 1)
        try await network.send(network.request(.interimUpdate, "new", address: "10.0.0.1", number: "8613800000002"))
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
        network.clock.advance(by: 60)
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
        after.clock.advance(by: 60)
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
        var network = try Network(Self.configuration(), disk: disk, minimumJournalSize: 20_000)
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
        network.clock.advance(by: 60)
        #expect((1...10).allSatisfy { network.holder("10.0.1.\($0)") == .success(Int64($0)) })
    }
}
