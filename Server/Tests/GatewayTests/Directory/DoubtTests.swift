@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// A gateway that may have missed news of an address names no holder, and never the previous one.
struct DoubtTests {
    private static func interim(
        _ network: Network, _ session: String = "a", at time: Int64? = nil, address: String = "10.0.0.1",
        number: String = "8613800000001"
    ) -> AccountingRequest {
        network.request(.interimUpdate, session, at: time, address: address, number: number)
    }

    @Test("packets that the kernel dropped put every session in doubt, each until something newer is heard of it")
    func kernelDrops() async throws {
        let network = try Network()
        try await network.start("a")
        try await network.start("c", address: "10.0.0.3", prefix: "2001:db8:1:3::/64", number: "8613800000003")
        network.clock.advance(by: 60)
        // The Stop of a and the Start of b are among what the kernel dropped.
        network.gateway.processor.didLose()
        for address in ["10.0.0.1", "10.0.0.3", "2001:db8:1:3::1"] {
            #expect(network.holder(address) == .failure(.unconfirmedAddress))
        }
        // Packets sent before the loss, or in its very second, prove nothing about the time after it.
        for time in [10, 60] as [Int64] {
            try await network.send(Self.interim(network, at: time))
            #expect(network.holder() == .failure(.unconfirmedAddress))
        }
        network.clock.advance(by: 1)
        try await network.send(Self.interim(network, "c", address: "10.0.0.3", number: "8613800000003"))
        #expect(network.holder("10.0.0.3") == .success(2))
        #expect(network.holder("2001:db8:1:3::1") == .success(2))
        #expect(network.holder() == .failure(.unconfirmedAddress))
        try await network.start("b", number: "8613800000002")
        #expect(network.holder() == .success(3))
    }

    @Test("a gateway that is not told of the loss names the previous holder in the same history")
    func naiveDouble() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 60)
        #expect(network.holder() == .success(1))
    }

    @Test("no time ends a doubt: after the settling time the session is still in doubt, after its lease it is stale")
    func timeAlone() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 1)
        network.gateway.processor.didLose()
        for (wait, refusal) in [(30, .unconfirmedAddress), (600, .unconfirmedAddress), (600, .staleAddress)]
            as [(Int64, SightingRefusal)]
        {
            network.clock.advance(by: wait)
            #expect(network.holder() == .failure(refusal))
        }
    }

    @Test("a NAS whose clock is ahead ends no doubt with what it sent before the loss")
    func clockAhead() async throws {
        let network = try Network()
        try await network.start("a", at: 20)
        network.clock.advance(by: 60)
        network.gateway.processor.didLose()
        // By our clock it was sent ten seconds before the loss.
        try await network.send(Self.interim(network, at: 70))
        #expect(network.holder() == .failure(.unconfirmedAddress))
        network.clock.advance(by: 1)
        try await network.send(Self.interim(network, at: 81))
        #expect(network.holder() == .success(1))
    }

    @Test("packets that the queue shed put the domains of their NAS in doubt, and no others")
    func shed() async throws {
        var other = Network.server
        (other.name, other.sources, other.domain) = ("pgw-2", [IPPrefix("192.0.2.2")!], "enterprise")
        other.publicDomain = "elsewhere"
        let network = try Network(Network.configuration([Network.server, other]))
        try await network.start("a")
        let start = network.request(.start, "b", address: "10.0.0.1", number: "8613800000002")
        try await network.send(start, from: InternetAddress("192.0.2.2")!)
        network.gateway.processor.didShed([Network.source])
        #expect(network.holder() == .failure(.unconfirmedAddress))
        #expect(network.holder(domain: "enterprise") == .success(2))
        // Packets of an unknown sender affect no session.
        network.gateway.processor.didShed([InternetAddress("198.51.100.9")!])
        #expect(network.holder(domain: "enterprise") == .success(2))
    }

    @Test("behind a NAT a port block is in doubt when packets of another NAS with the same public side were lost")
    func besideNAT() async throws {
        var other = Network.server
        (other.name, other.sources, other.domain) = ("pgw-2", [IPPrefix("192.0.2.2")!], "enterprise")
        let network = try Network(Network.configuration([Network.server, other]))
        func request(_ status: AccountingStatus) -> AccountingRequest {
            var request = network.request(status, "a", address: "10.0.0.1", number: "8613800000001")
            request.portBlocks = [PortBlock(address: InternetAddress("203.0.113.1")!, ports: 1024...2047)]
            return request
        }
        func behindNAT() -> Result<Int64, SightingRefusal> {
            network.holder("203.0.113.1", port: 1030, domain: "internet")
        }
        try await network.send(request(.start))
        #expect(behindNAT() == .success(1))
        network.clock.advance(by: 1)
        network.gateway.processor.didShed([InternetAddress("192.0.2.2")!])
        #expect(behindNAT() == .failure(.unconfirmedAddress))
        // Its own domain had no loss.
        #expect(network.holder() == .success(1))
        network.clock.advance(by: 1)
        // A session that goes on may have lost its block.
        try await network.send(Self.interim(network))
        #expect(behindNAT() == .failure(.unconfirmedAddress))
        try await network.send(request(.interimUpdate))
        #expect(behindNAT() == .success(1))
    }

    @Test("a NAS with sessions that is silent for too long puts them in doubt, each until it is heard of")
    func silence() async throws {
        var server = Network.server
        server.silence = .seconds(100)
        let network = try Network(Network.configuration([server]))
        try await network.start("a")
        try await network.start("b", address: "10.0.0.2", number: "8613800000002")
        network.clock.advance(by: 100)
        #expect(network.holder() == .success(1) && network.gateway.warnings.isEmpty)
        network.clock.advance(by: 1)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        #expect(network.gateway.warnings == ["nothing is heard of NAS pgw"])
        #expect(network.gateway.feeds.map(\.isSilent) == [true] && network.gateway.feeds.first?.sessions == 2)
        try await network.send(Self.interim(network))
        #expect(network.holder() == .success(1))
        // Its Stop may have been sent meanwhile.
        #expect(network.holder("10.0.0.2") == .failure(.unconfirmedAddress))
        try await network.send(Self.interim(network, "b", address: "10.0.0.2", number: "8613800000002"))
        #expect(network.holder("10.0.0.2") == .success(2))
        #expect(network.gateway.warnings.isEmpty)
    }

    @Test(
        "after a silence a port block of before is in doubt though its session goes on, and a later block is not",
        arguments: [(100, true), (101, false)] as [(Int64, Bool)])
    func blockAndSilence(second: Int64, isDoubted: Bool) async throws {
        var server = Network.server
        server.silence = .seconds(100)
        let network = try Network(Network.configuration([server]))
        try await network.start("a")
        network.clock.advance(by: 101)
        var report = Self.interim(network, at: second)
        report.portBlocks = [PortBlock(address: InternetAddress("203.0.113.1")!, ports: 1024...2047)]
        try await network.send(report)
        network.clock.advance(by: 1)
        try await network.send(Self.interim(network))
        #expect(network.holder() == .success(1))
        let wanted: Result<Int64, SightingRefusal> = isDoubted ? .failure(.unconfirmedAddress) : .success(1)
        #expect(network.holder("203.0.113.1", port: 1030, domain: "internet") == wanted)
    }

    @Test("the operator hears of a loss for one interim interval, and of no silence of a NAS without sessions")
    func warnings() async throws {
        var server = Network.server
        server.silence = .seconds(1000)
        server.interimInterval = .seconds(100)
        let network = try Network(Network.configuration([server]))
        try await network.start("a")
        network.clock.advance(by: 60)
        network.gateway.processor.didLose()
        #expect(network.gateway.warnings.map { $0.prefix(19) } == ["accounting was lost"])
        network.clock.advance(by: 99)
        #expect(network.gateway.warnings.count == 1)
        network.clock.advance(by: 2)
        #expect(network.gateway.warnings.isEmpty)
        try await network.send(network.request(.stop, "a"))
        network.clock.advance(by: 2000)
        #expect(network.gateway.warnings.isEmpty)
    }

    @Test("one NAS's silence is not another's, also where a proxy speaks for both")
    func silenceOfOne() async throws {
        var server = Network.server
        server.silence = .seconds(100)
        let network = try Network(Network.configuration([server]))
        try await network.start("a")
        let start = network.request(.start, "b", address: "10.0.0.2", number: "8613800000002", nas: "pgw-2")
        try await network.send(start)
        network.clock.advance(by: 101)
        try await network.send(Self.interim(network))
        #expect(network.holder() == .success(1))
        #expect(network.holder("10.0.0.2") == .failure(.unconfirmedAddress))
    }

    @Test("a doubt that was left by contradiction is not ended by the same event said once more")
    func contradiction() async throws {
        var configuration = Network.configuration()
        configuration.duplicateLimit = 2
        let network = try Network(configuration)
        try await network.start("a")
        network.clock.advance(by: 20)
        let last = Self.interim(network)
        try await network.send(last)
        // Late, and from the middle of a's life.
        try await network.send(network.request(.start, "b", at: 10, address: "10.0.0.1", number: "8613800000002"))
        #expect(network.holder() == .failure(.ambiguousAddress))
        // Enough others that repetitions are no longer known as such.
        for index in 0..<8 {
            try await network.start("o\(index)", address: "10.0.1.\(index)", number: "8613800000\(100 + index)")
        }
        try await network.send(last)
        #expect(network.holder() == .failure(.ambiguousAddress))
        network.clock.advance(by: 1)
        try await network.send(Self.interim(network))
        #expect(network.holder() == .success(1))
    }

    private static var journalled: GatewayConfiguration {
        // With a promise, so that a restart alone leaves no doubt.
        var server = Network.server
        server.repeats = .seconds(60)
        var configuration = Network.configuration([server])
        configuration.journalPath = "journal"
        return configuration
    }

    private static func restarted(_ network: Network, _ disk: MemoryDisk, after seconds: Int64) throws -> Network {
        network.clock.advance(by: seconds)
        return try Network(
            journalled, register: network.register, clock: network.clock, disk: disk.afterPowerCut())
    }

    @Test("16: a loss, a suspicion and a silence are remembered over a restart")
    func restart() async throws {
        for cause in 0..<3 {
            let disk = MemoryDisk()
            var network = try Network(Self.journalled, disk: disk)
            try await network.start("a")
            network.clock.advance(by: 10)
            switch cause {
            case 0: network.gateway.processor.didLose()
            case 1:
                var untimed = network.request(.stop, "a")
                untimed.eventTimestamp = nil
                try await network.send(untimed)
            default:
                network.clock.advance(by: 895)
                try await network.start("b", address: "10.0.0.2", number: "8613800000002")
            }
            _ = await network.gateway.processor.process([])
            #expect(network.holder() != .success(1))
            network = try Self.restarted(network, disk, after: 5)
            network.clock.advance(by: 60)
            #expect(network.holder() != .success(1), "cause \(cause)")
            try await network.send(Self.interim(network))
            #expect(network.holder() == .success(1), "cause \(cause)")
        }
    }

    @Test("16: what a NAS had sent before the gateway was down confirms nothing afterwards")
    func replayAfterRestart() async throws {
        let disk = MemoryDisk()
        var network = try Network(Self.journalled, disk: disk)
        try await network.start("a")
        network.clock.advance(by: 10)
        let last = Self.interim(network)
        try await network.send(last)
        network = try Self.restarted(network, disk, after: 60)
        network.clock.advance(by: 60)
        // Session a may have left and another have come during the downtime.
        try await network.send(last)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        try await network.send(Self.interim(network))
        #expect(network.holder() == .success(1))
    }

    @Test(
        "16: a journal of an earlier version is read, and written anew as one that the earlier version does not touch",
        arguments: ["BENJIGW1", "BENJIGW2"])
    func earlierVersion(magic: String) async throws {
        let disk = MemoryDisk()
        let network = try Network(Self.journalled, disk: disk)
        try await network.start("a")
        let journal = try #require(disk.contents("journal"))
        #expect(journal.starts(with: Array("BENJIGW3".utf8)))
        disk.setContents("journal", Array(magic.utf8) + journal.dropFirst(8))
        let after = try Network(Self.journalled, register: network.register, clock: network.clock, disk: disk)
        #expect(disk.contents("journal") == journal)
        after.clock.advance(by: 60)
        #expect(after.holder() == .success(1))
    }

    @Test("when more NASes have spoken than can be told apart, an address that a further one names is nobody's")
    func tooManyScopes() async throws {
        let network = try Network()
        try await network.start("a")
        try await network.start("c", address: "10.0.0.3", number: "8613800000003")
        network.gateway.directory.withLockedValue { directory in
            for index in 0..<Int(UInt16.max) { _ = directory.scope("pgw\nid:\(index)", nas: 0) }
        }
        network.clock.advance(by: 1)
        let start = network.request(.start, "b", address: "10.0.0.1", number: "8613800000002", nas: "pgw-2")
        #expect(try await network.send(start) == 0)
        #expect(network.gateway.counts.packets["full"] == 1)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        #expect(network.holder("10.0.0.3") == .success(2))
        // A packet without a time has the same effect.
        network.clock.advance(by: 1)
        var untimed = network.request(.start, "d", address: "10.0.0.3", number: "8613800000004", nas: "pgw-2")
        untimed.eventTimestamp = nil
        #expect(try await network.send(untimed) == 0)
        #expect(network.holder("10.0.0.3") == .failure(.unconfirmedAddress))
        network.clock.advance(by: 1)
        try await network.send(Self.interim(network))
        #expect(network.holder() == .success(1))
    }

    @Test("when there is no room for a session, the block of ports that it was given is no longer its former holder's")
    func noRoom() async throws {
        var configuration = Network.configuration()
        configuration.sessionLimit = 1
        let network = try Network(configuration)
        func request(_ status: AccountingStatus, _ session: String, _ address: String) -> AccountingRequest {
            var request = network.request(status, session, address: address, number: "8613800000001")
            request.portBlocks = [PortBlock(address: InternetAddress("203.0.113.1")!, ports: 1024...2047)]
            return request
        }
        func behindNAT() -> Result<Int64, SightingRefusal> {
            network.holder("203.0.113.1", port: 1030, domain: "internet")
        }
        try await network.send(request(.start, "a", "10.0.0.1"))
        #expect(behindNAT() == .success(1))
        network.clock.advance(by: 1)
        #expect(try await network.send(request(.start, "b", "10.0.0.2")) == 0)
        #expect(behindNAT() == .failure(.unconfirmedAddress))
    }
}
