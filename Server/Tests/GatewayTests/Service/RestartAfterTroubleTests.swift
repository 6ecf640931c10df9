@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// The sessions that a gateway believes after it was killed while its register or its disk was in trouble.
struct RestartAfterTroubleTests {
    private static func configuration() -> GatewayConfiguration {
        var server = Network.server
        server.repeats = .seconds(60)
        var configuration = Network.configuration([server])
        configuration.journalPath = "journal"
        return configuration
    }

    private func killed(
        _ network: Network, _ disk: MemoryDisk, after seconds: Int64,
        _ configuration: GatewayConfiguration = configuration()
    ) throws -> Network {
        network.clock.advance(by: seconds)
        return try Network(
            configuration, register: network.register, clock: network.clock, disk: disk.afterPowerCut())
    }

    /// The cause for which the journal is rewritten while a revocation waits.
    enum Rewriting: CaseIterable { case compaction, failedDisk }

    private func rewrite(_ network: Network, _ disk: MemoryDisk, _ rewriting: Rewriting) async throws {
        switch rewriting {
        case .compaction: network.gateway.processor.journal?.askForCompaction()
        case .failedDisk:
            disk.isFailing = true
            network.clock.advance(by: 6)
            try await network.send()
            disk.isFailing = false
        }
        for _ in 0..<3 { try await network.send() }
    }

    @Test(
        """
        a journal that is written anew keeps no end of a session whose revocation waits, so that a restart makes it up
        """,
        arguments: Rewriting.allCases)
    func lateStop(_ rewriting: Rewriting) async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a")
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 100)
        network.register.setFailing(true)
        let stop = network.request(.stop, "a", at: 10)
        #expect(try await network.send(stop) == 0)
        try await rewrite(network, disk, rewriting)
        network = try killed(network, disk, after: 1)
        network.register.setFailing(false)
        #expect(try await network.send(stop) == 1)
        #expect(network.register.revoked == [binding])
    }

    @Test(
        """
        a journal that is written anew keeps no late Accounting-On whose revocations wait, so that a restart makes \
        them up
        """,
        arguments: Rewriting.allCases)
    func lateReset(_ rewriting: Rewriting) async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        let bindings = try await startMany(network)
        network.clock.advance(by: 100)
        network.register.setFailing(true)
        let on = network.request(.accountingOn, "", at: 10)
        #expect(try await network.send(on) == 0)
        try await rewrite(network, disk, rewriting)
        network = try killed(network, disk, after: 1)
        network.register.setFailing(false)
        for _ in 0..<3 { try await network.send(on) }
        #expect(Set(network.register.revoked) == bindings)
        #expect(try await network.send(on) == 1)
    }

    @Test("once its revocations are made, a late Accounting-On is kept, and the journal is written anew again")
    func lateResetInTheEnd() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        _ = try await startMany(network)
        network.clock.advance(by: 100)
        network.register.setFailing(true)
        let on = network.request(.accountingOn, "", at: 10)
        try await network.send(on)
        try await rewrite(network, disk, .failedDisk)
        network.register.setFailing(false)
        for _ in 0..<3 { try await network.send() }
        #expect(network.gateway.problem == nil)
        #expect(try await network.send(on) == 1)
        network = try killed(network, disk, after: 1)
        network.clock.advance(by: 60)
        #expect(network.holder("10.1.0.1") == .failure(.unknownAddress))
    }

    /// The event of a NAS's first session after a late Accounting-On, while revocations of others are still made.
    enum Doing: CaseIterable { case begins, isAnother, stops }

    @Test(
        """
        whatever a session does while the revocations of a late Accounting-On are made, a restart in between leaves \
        none of them out
        """,
        arguments: Doing.allCases)
    func duringLateReset(_ doing: Doing) async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        let bindings = try await startMany(network, slices: 4)
        let first = try network.sighting("10.1.0.0").get().binding
        network.clock.advance(by: 100)
        let on = network.request(.accountingOn, "", at: 10)
        try await network.send(on)
        switch doing {
        case .begins: try await network.start("s0", address: "10.1.0.0")
        case .isAnother: try await network.start("another", address: "10.1.0.0")
        case .stops: try await network.send(network.request(.stop, "s0"))
        }
        #expect(Set(network.register.revoked).count < bindings.count)
        network = try killed(network, disk, after: 1)
        for _ in 0..<6 { try await network.send(on) }
        #expect(try await network.send(on) == 1)
        #expect(Set(network.register.revoked).isSuperset(of: bindings))
        #expect(network.register.revoked.contains(first))
    }

    /// The report about a session behind a restarted NAT, while revocations of others are still made.
    enum Telling: CaseIterable { case itMoves, itStops, itGetsPorts }

    @Test(
        """
        whatever is said of a session while a NAT's late Accounting-On is worked off, a restart then or later leaves \
        no revocation out, and no session where it was
        """,
        arguments: Telling.allCases, [true, false])
    func duringLateResetOfNAT(_ telling: Telling, isKilledThen: Bool) async throws {
        let natAddress = InternetAddress("192.0.2.2")!
        var (core, nat) = (Network.server, Network.server)
        (nat.name, nat.sources) = ("nat", [IPPrefix(address: natAddress, length: 32)!])
        (core.repeats, nat.repeats) = (.seconds(60), .seconds(60))
        var configuration = Network.configuration([core, nat])
        configuration.journalPath = "journal"
        func report(_ index: Int) -> AccountingRequest {
            var report = network.request(.interimUpdate, "nat-\(index)", nas: "nat-1")
            report.internalAddress = InternetAddress(address(index))
            let first = UInt16(index % 64) * 1000 + 1000
            report.portBlocks = [
                PortBlock(address: InternetAddress("203.0.113.\(index / 64)")!, ports: first...first + 999)
            ]
            return report
        }
        let disk = MemoryDisk()
        var network = try Network(configuration, disk: disk)
        let bindings = try await startMany(network, slices: 4)
        try await send(0...bindings.count - 1, to: network, from: natAddress, report)
        network.clock.advance(by: 100)
        let on = network.request(.accountingOn, "", at: 50, nas: "nat-1")
        try await network.send(on, from: natAddress)
        switch telling {
        case .itMoves:
            try await network.send(
                network.request(.interimUpdate, "s0", address: "10.9.0.1", number: "8613800000001"))
        case .itStops: try await network.send(network.request(.stop, "s0"))
        case .itGetsPorts: try await network.send(report(0), from: natAddress)
        }
        #expect(Set(network.register.revoked).count < bindings.count)
        if isKilledThen { network = try killed(network, disk, after: 1, configuration) }
        for _ in 0..<6 { try await network.send(on, from: natAddress) }
        #expect(try await network.send(on, from: natAddress) == 1)
        #expect(Set(network.register.revoked).isSuperset(of: bindings))
        guard !isKilledThen else { return }
        network = try killed(network, disk, after: 1, configuration)
        network.clock.advance(by: 61)
        #expect((network.holder("10.1.0.0") == .success(1)) == (telling == .itGetsPorts))
        #expect(network.holder("10.1.0.1") == .success(2))
    }

    private func startMany(_ network: Network, slices: Int = 1) async throws -> Set<BindingID> {
        let indices = 0...slices * AccountingProcessor.revocationSlice
        try await send(indices, to: network) {
            network.request(.start, "s\($0)", address: address($0), number: "\(8_613_800_000_001 + $0)")
        }
        return Set(try indices.map { try network.sighting(address($0)).get().binding })
    }

    private func address(_ index: Int) -> String { "10.1.\(index / 256).\(index % 256)" }

    /// Sends many requests in batches.
    private func send(
        _ indices: ClosedRange<Int>, to network: Network, from source: InternetAddress = Network.source,
        _ request: (Int) -> AccountingRequest
    ) async throws {
        for first in stride(from: indices.lowerBound, through: indices.upperBound, by: 250) {
            let batch = try (first...min(first + 249, indices.upperBound)).map {
                try network.datagram(request($0), from: source)
            }
            #expect(await network.gateway.processor.process(batch).count == batch.count)
        }
    }

    @Test("while the revocations of a late Accounting-On fail, a written heartbeat does not say that they work again")
    func heartbeat() async throws {
        let book = LogBook()
        let network = try Network(Self.configuration(), disk: MemoryDisk(), logger: book.logger)
        _ = try await startMany(network)
        network.clock.advance(by: 100)
        network.register.setFailing(true)
        try await network.send(network.request(.accountingOn, "", at: 10))
        for _ in 0..<3 {
            network.clock.advance(by: 6)
            try await network.send()
            #expect(network.gateway.problem?.hasPrefix(AccountingProcessor.Failure.revoking.rawValue) == true)
        }
        #expect(!book.text.contains("works again"))
        network.register.setFailing(false)
        try await network.send()
        #expect(book.text.contains("works again"))
        #expect(network.gateway.problem == nil)
    }

    /// A session whose Stop was answered; and the byte of the journal from which on its end is kept.
    private func stopped() async throws -> (network: Network, disk: MemoryDisk, end: Int) {
        let disk = MemoryDisk()
        let network = try Network(Self.configuration(), disk: disk)
        try await network.start("a")
        network.clock.advance(by: 6)
        try await network.send()
        let end = try #require(disk.contents("journal")).count
        #expect(try await network.send(network.request(.stop, "a")) == 1)
        return (network, disk, end)
    }

    @Test(
        "where a journal is damaged, the promise of a packet core to repeat brings back nobody whose end was answered",
        arguments: [1, 2])
    func damage(starts: Int) async throws {
        var (network, disk, end) = try await stopped()
        var bytes = try #require(disk.contents("journal"))
        bytes[end + 10] ^= 1
        disk = disk.afterPowerCut()
        disk.setContents("journal", bytes)
        for _ in 0..<starts {
            network.clock.advance(by: 1)
            // Killed before it does anything: only what opening the journal wrote is left.
            disk = disk.afterPowerCut()
            network = try Network(Self.configuration(), register: network.register, clock: network.clock, disk: disk)
        }
        network.clock.advance(by: 61)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        try await network.send(
            network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
        #expect(network.holder() == .success(1))
    }

    @Test("a kill while the damaged end of a journal is cut off leaves the damage to be found by the next start")
    func killedWhileCutting() async throws {
        let (network, disk, end) = try await stopped()
        var bytes = try #require(disk.contents("journal"))
        bytes[end + 10] ^= 1
        let damaged = disk.afterPowerCut()
        damaged.setContents("journal", bytes)
        damaged.failNextMove()
        #expect(throws: JournalError.self) {
            try Network(Self.configuration(), register: network.register, clock: network.clock, disk: damaged)
        }
        let next = try killed(network, damaged, after: 1)
        next.clock.advance(by: 61)
        #expect(next.holder() == .failure(.unconfirmedAddress))
    }

    @Test("a loss that is noted while the journal is being synced is kept with the next batch")
    func lossDuringSync() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a")
        network.clock.advance(by: 6)
        let processor = network.gateway.processor
        disk.duringSync { processor.didLose() }
        try await network.send()
        disk.duringSync(nil)
        try await network.send()
        network = try killed(network, disk, after: 1)
        network.clock.advance(by: 61)
        #expect(network.holder() == .failure(.unconfirmedAddress))
    }

    @Test("a session that stopped and started again under its name lives on when the journal is written anew")
    func namedAgain() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a", imsi: "460000000000001")
        try await network.start("second", imsi: "460000000000001")
        for session in ["second", "a"] {
            network.clock.advance(by: 5)
            try await network.send(network.request(.stop, session, imsi: "460000000000001"))
        }
        network.clock.advance(by: 5)
        try await network.start("a", imsi: "460000000000001")
        network.clock.advance(by: 1)
        try await network.start("second", imsi: "460000000000001")
        try await rewrite(network, disk, .compaction)
        network = try killed(network, disk, after: 1)
        network.clock.advance(by: 61)
        #expect(network.holder() == .success(1))
        // The further bearer is known too: its update is the session's.
        let sessions = network.gateway.counts.sessions
        try await network.send(network.request(.interimUpdate, "second", imsi: "460000000000001"))
        #expect(network.gateway.counts.sessions == sessions)
        #expect(network.gateway.directory.withLockedValue { $0.aliases.count } == 1)
    }

    @Test("a session that began and ended in the second of its NAS's Accounting-On stays ended after a restart")
    func endedInTheSecondOfAReset() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.send(network.request(.accountingOn, ""))
        try await network.start("a")
        #expect(network.holder() == .success(1))
        try await network.send(network.request(.stop, "a"))
        #expect(network.holder() == .failure(.unknownAddress))
        network = try killed(network, disk, after: 1)
        network.clock.advance(by: 61)
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test("a session that began anew on an address which it did not get does not come back on the first one")
    func beganElsewhere() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.configuration(), disk: disk)
        try await network.start("a", at: 0)
        network.clock.advance(by: 10)
        try await network.start("b", at: 1, address: "10.0.0.2", number: "8613800000002")
        try await network.send(
            network.request(.interimUpdate, "b", at: 6, address: "10.0.0.2", number: "8613800000002"))
        try await network.start("a", at: 4, address: "10.0.0.2")
        #expect(network.holder() == .failure(.unknownAddress))
        network = try killed(network, disk, after: 1)
        network.clock.advance(by: 61)
        #expect(network.holder() == .failure(.unknownAddress))
    }
}
