@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// Many subscribers behind one public address.
struct PortBlockTests {
    private let publicAddress = "203.0.113.1"

    private func start(
        _ network: Network, _ session: String, address: String, number: String, ports: ClosedRange<UInt16>,
        at time: Int64? = nil
    ) async throws {
        var request = network.request(.start, session, at: time, address: address, number: number)
        request.portBlocks = [PortBlock(address: InternetAddress(publicAddress)!, ports: ports)]
        try await network.send(request)
    }

    private func holder(_ network: Network, _ port: UInt16) -> Result<Int64, SightingRefusal> {
        network.holder(publicAddress, port: port, domain: "internet")
    }

    @Test("10: the port tells two subscribers behind one address apart; without it nobody is named")
    func twoSubscribers() async throws {
        let network = try Network()
        try await start(network, "a", address: "10.0.0.1", number: "8613800000001", ports: 1024...1535)
        try await start(network, "b", address: "10.0.0.2", number: "8613800000002", ports: 1536...2047)
        #expect(holder(network, 1024) == .success(1))
        #expect(holder(network, 1535) == .success(1))
        #expect(holder(network, 1536) == .success(2))
        #expect(holder(network, 2048) == .failure(.unknownAddress))
        #expect(holder(network, 0) == .failure(.ambiguousAddress))
        #expect(network.holder(publicAddress, port: 1024, domain: "cmnet") == .failure(.unknownAddress))
    }

    @Test("10: a NAT's report from before a session began is about the address's previous holder and gives it no block")
    func reportFromBefore() async throws {
        let network = try Network()
        network.clock.advance(by: 60)
        try await network.start("a", at: 50)
        func report(at time: Int64) async throws {
            var report = network.request(.start, "nat-\(time)", at: time, nas: "nat")
            report.internalAddress = InternetAddress("10.0.0.1")!
            report.portBlocks = [PortBlock(address: InternetAddress(publicAddress)!, ports: 1024...1535)]
            try await network.send(report)
        }
        try await report(at: 49)
        #expect(holder(network, 1030) == .failure(.unknownAddress))
        try await report(at: 50)
        #expect(holder(network, 1030) == .success(1))
    }

    @Test("10: who lost one of his blocks at an address leaves the others there when he ends")
    func losesOneOfTwo() async throws {
        let network = try Network()
        var request = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        request.portBlocks = [1024...1535, 2048...2559].map {
            PortBlock(address: InternetAddress(publicAddress)!, ports: $0)
        }
        try await network.send(request)
        network.clock.advance(by: 10)
        try await start(network, "b", address: "10.0.0.2", number: "8613800000002", ports: 1024...1535)
        #expect(holder(network, 1030) == .success(2))
        #expect(holder(network, 2050) == .success(1))
        network.clock.advance(by: 10)
        try await network.send(network.request(.stop, "a"))
        #expect(holder(network, 1030) == .success(2))
        #expect(holder(network, 2050) == .failure(.unknownAddress))
        // The next session in his place in the table is not found there either.
        try await network.start("c", address: "10.0.0.3", number: "8613800000003")
        #expect(holder(network, 2050) == .failure(.unknownAddress))
    }

    @Test("10: behind the NAT the phone is confirmed by its Framed-IP-Address")
    func localAddress() async throws {
        let network = try Network()
        try await start(network, "a", address: "10.0.0.1", number: "8613800000001", ports: 1024...1535)
        func confirmed(_ claimed: String) throws -> Bool {
            try network.sighting(publicAddress, port: 1030, domain: "internet", claimed: claimed).get()
                .localAddressConfirmed
        }
        #expect(try confirmed("10.0.0.1"))
        #expect(try !confirmed("10.0.0.2"))
        #expect(try !confirmed(publicAddress))
    }

    @Test("10: a phone whose IPv6 the carrier translates to IPv4 is confirmed by its session's prefix, and by no other")
    func translatedByTheCarrier() async throws {
        let network = try Network()
        for (index, length) in [64, 56].enumerated() {
            let session = "v6-\(length)"
            let ports = UInt16(1024 + 512 * index)
            var request = network.request(
                .start, session, prefix: "2001:db8:\(index + 1)::/\(length)", number: "861380000000\(index + 1)")
            request.portBlocks = [PortBlock(address: InternetAddress(publicAddress)!, ports: ports...ports + 511)]
            try await network.send(request)
            func confirmed(_ claimed: String) throws -> Bool {
                try network.sighting(publicAddress, port: ports, domain: "internet", claimed: claimed).get()
                    .localAddressConfirmed
            }
            #expect(try confirmed("2001:db8:\(index + 1)::7"))
            #expect(try confirmed("2001:db8:\(index + 1):1::7") == (length == 56))
            #expect(try !confirmed("2001:db8:\(2 - index)::7"))
            // The IPv4 address of Android and iOS there (RFC 7335), and the address that the gateway sees.
            #expect(try !confirmed("192.0.0.4"))
            #expect(try !confirmed(publicAddress))
        }
    }

    @Test("10: nobody is confirmed by an address of his own translator, even where a packet core reports it")
    func ownTranslator() async throws {
        var server = Network.server
        server.pools.append(IPPrefix("192.0.0.0/29")!)
        let network = try Network(Network.configuration([server]))
        try await start(network, "a", address: "192.0.0.4", number: "8613800000001", ports: 1024...1535)
        let sighting = try network.sighting(publicAddress, port: 1030, domain: "internet", claimed: "192.0.0.4").get()
        #expect(!sighting.localAddressConfirmed)
    }

    @Test("10: a block given to another takes it from the first, and revokes what the first's ports earned")
    func reuse() async throws {
        let network = try Network()
        try await start(network, "a", address: "10.0.0.1", number: "8613800000001", ports: 1024...1535)
        let binding = try network.sighting(publicAddress, port: 1030, domain: "internet").get().binding
        network.clock.advance(by: 10)
        try await start(network, "b", address: "10.0.0.2", number: "8613800000002", ports: 1500...1600)
        #expect(holder(network, 1500) == .success(2))
        #expect(holder(network, 1030) == .failure(.unknownAddress))
        #expect(network.register.revoked == [binding])
        #expect(network.holder("10.0.0.1") == .success(1))
        // A third session's claim from before the second one's comes late.
        try await start(network, "c", address: "10.0.0.3", number: "8613800000003", ports: 1500...1600, at: 5)
        #expect(holder(network, 1500) == .success(2))
    }

    @Test("10: two that got one block in the same second are both refused")
    func tie() async throws {
        let network = try Network()
        try await start(network, "a", address: "10.0.0.1", number: "8613800000001", ports: 1024...1535)
        try await start(network, "b", address: "10.0.0.2", number: "8613800000002", ports: 1024...1535)
        #expect(holder(network, 1030) == .failure(.ambiguousAddress))
    }

    @Test("7: an Interim-Update adds a block, takes one back, and on another public address too")
    func change() async throws {
        let network = try Network()
        try await start(network, "a", address: "10.0.0.1", number: "8613800000001", ports: 1024...1535)
        network.clock.advance(by: 10)
        var update = network.request(.interimUpdate, "a")
        update.portBlocks = [
            PortBlock(address: InternetAddress(publicAddress)!, ports: 1024...1535, isAllocated: false),
            PortBlock(address: InternetAddress(publicAddress)!, ports: 4096...4607),
            PortBlock(address: InternetAddress("203.0.113.2")!, ports: 4096...4607),
        ]
        try await network.send(update)
        #expect(holder(network, 1030) == .failure(.unknownAddress))
        #expect(holder(network, 4100) == .success(1))
        #expect(network.holder("203.0.113.2", port: 4100, domain: "internet") == .success(1))
        network.clock.advance(by: 10)
        try await network.send(network.request(.stop, "a"))
        #expect(holder(network, 4100) == .failure(.unknownAddress))
        #expect(network.holder("203.0.113.2", port: 4100, domain: "internet") == .failure(.unknownAddress))
        #expect(network.gateway.directory.withLockedValue { $0.ports.count } == 0)
    }

    @Test("7: a session that gives a block back takes none from another that holds the same ports")
    func foreignReturn() async throws {
        let network = try Network()
        try await start(network, "a", address: "10.0.0.1", number: "8613800000001", ports: 1024...1535)
        try await start(network, "b", address: "10.0.0.2", number: "8613800000002", ports: 2048...2559)
        network.clock.advance(by: 10)
        var update = network.request(.interimUpdate, "b")
        update.portBlocks = [
            PortBlock(address: InternetAddress(publicAddress)!, ports: 1024...1535, isAllocated: false)
        ]
        try await network.send(update)
        #expect(holder(network, 1030) == .success(1))
        #expect(holder(network, 2050) == .success(2))
    }

    @Test("10: a late Start tells since when a session is there, so that a NAT's report from then on counts")
    func lateStart() async throws {
        let network = try Network()
        network.clock.advance(by: 60)
        try await network.send(
            network.request(.interimUpdate, "a", at: 50, address: "10.0.0.1", number: "8613800000001"))
        func report() async throws {
            var report = network.request(.start, "nat-1", at: 40, nas: "nat")
            report.internalAddress = InternetAddress("10.0.0.1")!
            report.portBlocks = [PortBlock(address: InternetAddress(publicAddress)!, ports: 1024...1535)]
            try await network.send(report)
        }
        try await network.start("a", at: 30)
        try await report()
        #expect(holder(network, 1030) == .success(1))
    }

    @Test("10: a NAT's own report joins a block to the session that another NAS announced, and ends with it")
    func separateNAT() async throws {
        var nat = Network.server
        nat.name = "nat"
        nat.sources = [IPPrefix("192.0.2.2")!]
        let network = try Network(Network.configuration([Network.server, nat]))
        try await network.start("a")
        network.clock.advance(by: 10)
        var report = network.request(.start, "nat-1", nas: "nat-1")
        report.internalAddress = InternetAddress("10.0.0.1")
        report.portBlocks = [PortBlock(address: InternetAddress(publicAddress)!, ports: 2000...2999)]
        try await network.send(report, from: InternetAddress("192.0.2.2")!)
        #expect(holder(network, 2500) == .success(1))
        network.clock.advance(by: 10)
        try await network.start("b", number: "8613800000002")
        #expect(holder(network, 2500) == .failure(.unknownAddress))
    }

    // MARK: Blocks that a NAT of its own gives

    private static let nat = InternetAddress("192.0.2.2")!

    /// A packet core and a NAT, which both promise to repeat or do not.
    private func withNAT(
        repeats: Int64 = 0, silence: Int64 = 10_000, journal: String? = nil
    ) -> GatewayConfiguration {
        var (core, nat) = (Network.server, Network.server)
        (nat.name, nat.sources, nat.silence) = ("nat", [IPPrefix("192.0.2.2")!], .seconds(silence))
        (core.repeats, nat.repeats) = (.seconds(repeats), .seconds(repeats))
        var configuration = Network.configuration([core, nat])
        configuration.journalPath = journal
        return configuration
    }

    /// The NAT says that it has given ports to an inside address.
    @discardableResult
    private func report(
        _ network: Network, _ inside: String = "10.0.0.1", _ ports: ClosedRange<UInt16> = 2000...2999,
        at time: Int64? = nil
    ) async throws -> Int {
        var report = network.request(
            .interimUpdate, "nat-\(inside)-\(network.identifier)", at: time, nas: "nat-1")
        report.internalAddress = InternetAddress(inside)
        report.portBlocks = [PortBlock(address: InternetAddress(publicAddress)!, ports: ports)]
        return try await network.send(report, from: Self.nat)
    }

    /// Sends an Interim-Update that does not name the block.
    private func goesOn(_ network: Network) async throws {
        try await network.send(
            network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
        #expect(network.holder() == .success(1))
    }

    @Test(
        "10: after a restart a block is in doubt until it is reported again, not until its session is heard of",
        arguments: [false, true])
    func afterRestart(isOwn: Bool) async throws {
        let disk = MemoryDisk()
        let configuration = withNAT(journal: "journal")
        var network = try Network(configuration, disk: disk)
        if isOwn {
            try await start(network, "a", address: "10.0.0.1", number: "8613800000001", ports: 2000...2999)
        } else {
            try await network.start("a")
            try await report(network)
        }
        #expect(holder(network, 2500) == .success(1))
        // The block passes to another session, unreported.
        network.clock.advance(by: 8)
        network = try Network(
            configuration, register: network.register, clock: network.clock, disk: disk.afterPowerCut())
        for wait in [1, 60, 500] as [Int64] {
            network.clock.advance(by: wait)
            try await goesOn(network)
            #expect(holder(network, 2500) == .failure(.unconfirmedAddress))
        }
        // A report that the NAT sent meanwhile proves nothing either.
        try await report(network, at: 5)
        #expect(holder(network, 2500) == .failure(.unconfirmedAddress))
        try await report(network)
        #expect(holder(network, 2500) == .success(1))
    }

    @Test("10: a NAT that starts anew has taken back all blocks that it gave to others' sessions")
    func resetOfNAT() async throws {
        let network = try Network(withNAT())
        try await network.start("a")
        try await report(network)
        network.clock.advance(by: 5)
        try await network.send(network.request(.accountingOn, "", nas: "nat-1"), from: Self.nat)
        for wait in [0, 1, 500] as [Int64] {
            network.clock.advance(by: wait)
            try await goesOn(network)
            #expect(holder(network, 2500) == .failure(.unconfirmedAddress))
        }
        try await report(network)
        #expect(holder(network, 2500) == .success(1))
        // A block of the reset's own second came after it.
        try await network.send(network.request(.accountingOn, "", nas: "nat-1"), from: Self.nat)
        try await report(network, "10.0.0.1", 4000...4999)
        #expect(holder(network, 4500) == .success(1))
        #expect(network.register.revoked.isEmpty)
    }

    @Test(
        "10: a NAT that starts again or reports under another of its names is the NAT that gave the blocks",
        arguments: [AccountingStatus.accountingOn, .accountingOff], [false, true])
    func otherNameOfNAT(status: AccountingStatus, beginsWithAddress: Bool) async throws {
        let network = try Network(withNAT())
        try await network.start("a")
        func send(
            _ status: AccountingStatus, ports: ClosedRange<UInt16>?, isAllocated: Bool = true, byAddress: Bool
        ) async throws {
            var request = network.request(status, "nat-\(network.identifier)", nas: "nat-1")
            if byAddress { (request.nasIdentifier, request.nasIPAddress) = (nil, InternetAddress("10.1.1.2")) }
            if let ports {
                request.internalAddress = InternetAddress("10.0.0.1")
                request.portBlocks = [
                    PortBlock(address: InternetAddress(publicAddress)!, ports: ports, isAllocated: isAllocated)
                ]
            }
            try await network.send(request, from: Self.nat)
        }
        try await send(.interimUpdate, ports: 2000...2999, byAddress: beginsWithAddress)
        #expect(holder(network, 2500) == .success(1))
        network.clock.advance(by: 5)
        try await send(status, ports: nil, byAddress: !beginsWithAddress)
        try await goesOn(network)
        #expect(holder(network, 2500) == .failure(.unconfirmedAddress))
        network.clock.advance(by: 5)
        try await send(.interimUpdate, ports: 2000...2999, byAddress: !beginsWithAddress)
        #expect(holder(network, 2500) == .success(1))
        network.clock.advance(by: 5)
        try await send(.interimUpdate, ports: 2000...2999, isAllocated: false, byAddress: beginsWithAddress)
        #expect(holder(network, 2500) == .failure(.unknownAddress))
    }

    @Test(
        "10: ports that a session gave back, learned late, revoke what it has earned; in time they do not",
        arguments: [5, 60])
    func lateReturn(seconds: Int64) async throws {
        let network = try Network(withNAT())
        try await network.start("a")
        try await report(network)
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 100)
        var back = network.request(.interimUpdate, "nat-back", at: 100 - seconds, nas: "nat-1")
        back.internalAddress = InternetAddress("10.0.0.1")
        back.portBlocks = [PortBlock(address: InternetAddress(publicAddress)!, ports: 2000...2999, isAllocated: false)]
        try await network.send(back, from: Self.nat)
        #expect(holder(network, 2500) == .failure(.unknownAddress))
        #expect(network.register.revoked == (seconds == 60 ? [binding] : []))
        #expect(try (network.sighting().get().binding == binding) == (seconds == 5))
    }

    @Test("10: heard of late, a NAT's new start revokes what its blocks have earned since, and no other session's")
    func lateResetOfNAT() async throws {
        let network = try Network(withNAT())
        try await network.start("a")
        try await network.start("b", address: "10.0.0.2", number: "8613800000002")
        try await report(network)
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 60)
        try await network.send(network.request(.accountingOn, "", at: 20, nas: "nat-1"), from: Self.nat)
        #expect(network.register.revoked == [binding])
        #expect(try network.sighting().get().binding != binding)
        #expect(network.holder("10.0.0.2") == .success(2))
    }

    @Test("10: a NAT that is silent for too long puts its blocks in doubt, and the operator is told")
    func silentNAT() async throws {
        let network = try Network(withNAT(silence: 100))
        try await network.start("a")
        try await report(network)
        network.clock.advance(by: 100)
        try await goesOn(network)
        #expect(holder(network, 2500) == .success(1) && network.gateway.warnings.isEmpty)
        network.clock.advance(by: 1)
        try await goesOn(network)
        #expect(holder(network, 2500) == .failure(.unconfirmedAddress))
        #expect(network.gateway.warnings == ["nothing is heard of NAS nat"])
        // It speaks again, of another block.
        try await report(network, "10.0.0.1", 4000...4999)
        #expect(holder(network, 4500) == .success(1))
        #expect(holder(network, 2500) == .failure(.unconfirmedAddress))
        try await report(network)
        #expect(holder(network, 2500) == .success(1))
        #expect(network.gateway.warnings.isEmpty)
        // A NAT without blocks causes no warning.
        network.clock.advance(by: 50)
        try await network.send(network.request(.stop, "a", address: "10.0.0.1"))
        network.clock.advance(by: 100)
        #expect(network.gateway.warnings.isEmpty)
    }

    @Test(
        "10: who gave a block is known after a restart that was trusted: his reset and his silence count",
        arguments: [false, true])
    func giverAfterRestart(isReset: Bool) async throws {
        let disk = MemoryDisk()
        let configuration = withNAT(repeats: 60, silence: 400, journal: "journal")
        var network = try Network(configuration, disk: disk)
        try await network.start("a")
        try await report(network)
        network.clock.advance(by: 5)
        network = try Network(
            configuration, register: network.register, clock: network.clock, disk: disk.afterPowerCut())
        network.clock.advance(by: 60)
        #expect(holder(network, 2500) == .success(1))
        if isReset {
            try await network.send(network.request(.accountingOn, "", nas: "nat-1"), from: Self.nat)
        } else {
            network.clock.advance(by: 341)
        }
        try await goesOn(network)
        #expect(holder(network, 2500) == .failure(.unconfirmedAddress))
    }

    @Test("10: nobody knows who gave a block that a journal of version 1 kept, so it waits until it is given again")
    func versionOne() async throws {
        let disk = MemoryDisk()
        let configuration = withNAT(repeats: 60, journal: "journal")
        var network = try Network(configuration, disk: disk)
        try await network.start("a")
        try await report(network)
        let state = network.gateway.directory.withLockedValue { directory in
            var state = directory.state(of: 0)
            for index in state.blocks.indices { state.blocks[index].scope = nil }
            return state
        }
        var journal = Array("BENJIGW1".utf8)
        JournalCoding.append(.change(.put(state)), to: &journal)
        JournalCoding.append(.heartbeat(network.clock.now), to: &journal)
        let old = MemoryDisk()
        old.setContents("journal", journal)
        network.clock.advance(by: 5)
        network = try Network(configuration, register: network.register, clock: network.clock, disk: old)
        network.clock.advance(by: 60)
        #expect(network.holder() == .success(1))
        #expect(holder(network, 2500) == .failure(.unconfirmedAddress))
        try await report(network)
        #expect(holder(network, 2500) == .success(1))
    }

    @Test("10: a block that a NAT gives to an address of which nothing is known is no longer its former holder's")
    func unknownInside() async throws {
        let network = try Network(withNAT())
        try await network.start("a")
        try await report(network)
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 5)
        try await report(network, "10.0.0.7", 2500...3499, at: -1)
        #expect(holder(network, 2500) == .success(1))
        try await report(network, "10.0.0.7", 2500...3499)
        #expect(holder(network, 2500) == .failure(.unknownAddress))
        #expect(network.register.revoked == [binding])
        #expect(network.holder() == .success(1))
    }

    @Test("10: a NAT's old report, sent again, does not undo a newer one")
    func oldReport() async throws {
        let network = try Network(withNAT())
        try await network.start("a")
        network.clock.advance(by: 60)
        try await report(network)
        try await report(network, "10.0.0.1", 1500...2499, at: 10)
        #expect(holder(network, 2900) == .success(1))
        #expect(holder(network, 1600) == .failure(.unknownAddress))
        network.gateway.processor.didLose()
        network.clock.advance(by: 1)
        try await report(network)
        try await report(network, at: 20)
        #expect(try await report(network, at: 60) == 1)
        try await goesOn(network)
        #expect(holder(network, 2900) == .success(1))
    }
}
