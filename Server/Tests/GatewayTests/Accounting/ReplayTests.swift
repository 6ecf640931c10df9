@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// Recorded packets that somebody sends again from the NAS's address.
struct ReplayTests {
    private let row1: Result<Int64, SightingRefusal> = .success(1)
    private let row2: Result<Int64, SightingRefusal> = .success(2)

    /// A packet without Event-Timestamp, as a NAS that leaves it out has signed it once.
    private static func untimed(_ network: Network, _ status: AccountingStatus, _ session: String) -> AccountingRequest
    {
        var request = network.request(
            status, session, address: status == .accountingOn ? nil : "10.0.0.1", number: "8613800000001")
        request.eventTimestamp = nil
        return request
    }

    private static func network(_ policy: NetworkAccessServer.EventTimestamp) throws -> Network {
        var server = Network.server
        server.eventTimestamp = policy
        var configuration = Network.configuration([server])
        // Makes the gateway forget the recorded packets, so that they are not known as repetitions.
        configuration.duplicateLimit = 2
        return try Network(configuration)
    }

    @Test("a packet is the same from whatever port it comes: a replayer cannot make it new")
    func port() async throws {
        let network = try Network()
        let packet = try network.datagram(network.request(.start, "a", address: "10.0.0.1", number: "8613800000001"))
        let first = await network.gateway.processor.process([packet])
        let replayed = Datagram(bytes: packet.bytes, source: packet.source, port: packet.port + 1)
        #expect(await network.gateway.processor.process([replayed]).map(\.bytes) == first.map(\.bytes))
        #expect(network.gateway.counts.packets["repeated"] == 1)
    }

    @Test(
        "what was recorded without a time names nobody, revives nothing and empties nothing; it leaves a doubt at most",
        arguments: NetworkAccessServer.EventTimestamp.allCases,
        [AccountingStatus.start, .interimUpdate, .stop, .accountingOn])
    func recording(policy: NetworkAccessServer.EventTimestamp, status: AccountingStatus) async throws {
        let network = try Self.network(policy)
        let recorded = Self.untimed(network, status, "a")
        try await network.start("a")
        network.clock.advance(by: 60)
        try await network.send(network.request(.stop, "a", address: "10.0.0.1"))
        // The address is free: nothing brings a back, now or when its end is forgotten.
        for wait in [1, 700, 7200] as [Int64] {
            network.clock.advance(by: wait)
            #expect(try await network.send(recorded) == (policy == .optional ? 1 : 0))
            #expect(network.holder() == .failure(.unknownAddress))
        }
        network.clock.advance(by: 1)
        try await network.start("b", number: "8613800000002")
        #expect(network.holder() == row2)
        network.clock.advance(by: 1)
        try await network.send(recorded)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        #expect(network.gateway.counts.sessions == 1 && network.register.revoked.isEmpty)
        network.clock.advance(by: 1)
        try await network.send(
            network.request(.interimUpdate, "b", address: "10.0.0.1", number: "8613800000002"))
        #expect(network.holder() == row2)
        let counted = network.gateway.counts.packets["no_event_timestamp"]
        #expect(counted == (policy == .required ? 4 : 0))
    }

    @Test("a gateway that takes the time of arrival for the time of the event names the previous holder")
    func naiveDouble() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 60)
        try await network.send(network.request(.stop, "a", address: "10.0.0.1"))
        network.clock.advance(by: 60)
        try await network.start("b", number: "8613800000002")
        network.clock.advance(by: 60)
        // a's Start, dated as such a gateway dates it.
        try await network.start("a")
        #expect(network.holder() == row1)
    }

    @Test("without a time an Interim-Update that says nothing new leaves no doubt, and keeps no session alive")
    func lease() async throws {
        let network = try Self.network(.optional)
        try await network.start("a")
        for _ in 0..<4 {
            network.clock.advance(by: 200)
            #expect(network.holder() == row1)
            try await network.send(Self.untimed(network, .interimUpdate, "a"))
        }
        network.clock.advance(by: 401)
        #expect(network.holder() == .failure(.staleAddress))
    }

    @Test("without a time an Interim-Update ends no doubt")
    func doubt() async throws {
        let network = try Self.network(.optional)
        try await network.start("a")
        network.clock.advance(by: 1)
        network.gateway.processor.didLose()
        network.clock.advance(by: 1)
        try await network.send(Self.untimed(network, .interimUpdate, "a"))
        #expect(network.holder() == .failure(.unconfirmedAddress))
    }

    @Test("without a time an Interim-Update that names its own prefix leaves no doubt; one of another length does")
    func prefixLength() async throws {
        let network = try Self.network(.optional)
        try await network.start("a", address: nil, prefix: "2001:db8:1:200::/56")
        let holder = { network.holder("2001:db8:1:2ff::1") }
        for (length, verdict) in [(56, row1), (64, .failure(.unconfirmedAddress))] {
            network.clock.advance(by: 1)
            var update = Self.untimed(network, .interimUpdate, "a")
            update.framedAddress = nil
            update.framedPrefix = IPPrefix("2001:db8:1:200::/\(length)")!
            try await network.send(update)
            #expect(holder() == verdict, "/\(length)")
        }
    }

    @Test("without a time an Interim-Update that moves its session, or names another, leaves both in doubt")
    func moved() async throws {
        let network = try Self.network(.optional)
        try await network.start("a", address: "10.0.0.2")
        try await network.start("b", number: "8613800000002")
        network.clock.advance(by: 1)
        try await network.send(Self.untimed(network, .interimUpdate, "a"))
        #expect(network.holder("10.0.0.1") == .failure(.unconfirmedAddress))
        #expect(network.holder("10.0.0.2") == .failure(.unconfirmedAddress))
    }

    /// A recorded packet is sent again and again, from whatever port, and a's Interim-Updates come as they should.
    private func replayed(_ packet: Datagram, _ network: Network) async throws -> [Bool] {
        try await network.start("a")
        var answers: [Bool] = []
        for round in 0..<4 {
            network.clock.advance(by: 60)
            try await network.send(
                network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
            let replay = Datagram(bytes: packet.bytes, source: packet.source, port: packet.port + UInt16(round))
            _ = await network.gateway.processor.process([replay])
            answers.append(network.holder() == row1)
        }
        return answers
    }

    @Test(
        "one recorded packet without a time puts phones in doubt once, however often it is sent again",
        arguments: NetworkAccessServer.EventTimestamp.allCases, [AccountingStatus.start, .stop, .accountingOn])
    func replayedWithoutTime(policy: NetworkAccessServer.EventTimestamp, status: AccountingStatus) async throws {
        var server = Network.server
        server.eventTimestamp = policy
        let network = try Network(Network.configuration([server]))
        var recorded = Self.untimed(network, status, "x")
        if status == .stop { recorded = Self.untimed(network, status, "a") }
        #expect(try await replayed(network.datagram(recorded), network) == [false, true, true, true])
    }

    @Test("one recorded packet that is ahead of the clock puts phones in doubt once, and counts when its time has come")
    func replayedAhead() async throws {
        let network = try Network()
        let recorded = network.request(.start, "b", at: 320, address: "10.0.0.1", number: "8613800000002")
        let packet = try network.datagram(recorded)
        #expect(try await replayed(packet, network) == [false, true, true, true])
        network.clock.advance(by: 80)
        #expect(await network.gateway.processor.process([packet]).count == 1)
        #expect(network.holder() == row2)
    }

    @Test("a recorded packet that is older than what the gateway remembers puts phones in doubt once more")
    func olderThanMemory() async throws {
        let network = try Self.network(.required)
        let packet = try network.datagram(Self.untimed(network, .accountingOn, ""))
        try await network.start("a")
        for _ in 0..<2 {
            _ = await network.gateway.processor.process([packet])
            #expect(network.holder() == .failure(.unconfirmedAddress))
            network.clock.advance(by: 1)
            for index in 0..<8 {
                try await network.start(
                    "o\(index)-\(network.identifier)", address: "10.0.1.\(index)",
                    number: "8613800000\(100 + index)")
            }
            try await network.send(
                network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
            #expect(network.holder() == row1)
        }
    }
}
