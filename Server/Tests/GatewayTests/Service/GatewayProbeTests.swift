@_spi(Server) import BenjiProtocol
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// Measurements fill a gateway with sessions that are found, and with packets about them that need no register.
struct GatewayProbeTests {
    private static let moment = Timestamp(seconds: Network.start)

    private func network() throws -> Network {
        var server = Network.server
        server.name = "probe"
        return try Network(Network.configuration([server]))
    }

    private func sources(
        _ range: Range<Int>, _ holding: GatewayProbe.Holding
    ) -> [(address: InternetAddress, port: UInt16)] {
        range.map { GatewayProbe.source($0, holding: holding) }
    }

    @Test(
        "each session that was filled in is found where it is said to be, and no other",
        arguments: [GatewayProbe.Holding.v4, .dualStack, .portBlock])
    func found(holding: GatewayProbe.Holding) throws {
        let probe = GatewayProbe(try network().gateway)
        probe.start(0..<130, holding: holding, at: Self.moment)
        let domain = holding == .portBlock ? "internet" : "cmnet"
        func found(_ range: Range<Int>, _ holding: GatewayProbe.Holding, _ domain: String) -> Int {
            probe.find(sources(range, holding), domain: domain, at: Self.moment)
        }
        #expect(found(0..<130, holding, domain) == 130 && found(130..<200, holding, domain) == 0)
        #expect(found(0..<130, .v4, "cmnet") == 130)
        #expect(probe.find((0..<130).map { GatewayProbe.strangeSource($0) }, domain: "cmnet", at: Self.moment) == 0)
        // Each has an address of its own, or with others its own thousand ports.
        let distinct = Set(sources(0..<130, holding).map { "\($0.address) \($0.port)" })
        #expect(distinct.count == 130)
        let first = probe.service.directory.withLockedValue { $0.state(of: 0) }
        switch holding {
        case .v4: #expect(first.prefixLength == 0 && first.blocks.isEmpty)
        case .dualStack: #expect(first.prefixLength == 64 && first.prefix == 0x2001_0db8_0000_0000)
        case .portBlock: #expect(first.blocks.map(\.first) == [2000] && first.blocks.map(\.last) == [2999])
        }
        #expect(first.address == 0x0a00_0000 && first.subscription == 1 && first.epoch == 1)
        #expect(first.simGeneration == 1)
        #expect(probe.memory > 130 * 52)
    }

    @Test("sixty sessions share a public address, and the one beyond has the next")
    func sharing() {
        let sources = (0..<61).map { GatewayProbe.source($0, holding: .portBlock) }
        #expect(sources[0].address == InternetAddress("100.0.0.0") && sources[0].port == 2017)
        #expect(sources[59].address == InternetAddress("100.0.0.0") && sources[59].port == 61_017)
        #expect(sources[60].address == InternetAddress("100.0.0.1") && sources[60].port == 2017)
        #expect(GatewayProbe.source(300, holding: .v4).address == InternetAddress("10.0.1.44"))
        #expect(GatewayProbe.source(300, holding: .dualStack).address == InternetAddress("2001:db8:0:12c::"))
        #expect(GatewayProbe.strangeSource(300).address == InternetAddress("172.0.1.44"))
        #expect(GatewayProbe.strangeSource(300).port == 40_000 && GatewayProbe.source(0, holding: .v4).port == 40_000)
        #expect(GatewayProbe.source(0, holding: .dualStack).port == 40_000)
    }

    @Test("updates are heard, so that what would be stale is not")
    func updates() throws {
        let probe = GatewayProbe(try network().gateway)
        probe.start(0..<3, holding: .v4, at: Self.moment)
        let later = Self.moment + .seconds(1201)
        let all = sources(0..<3, .v4)
        #expect(probe.find(all, domain: "cmnet", at: later) == 0)
        probe.update([0, 2], at: later)
        #expect(probe.find(all, domain: "cmnet", at: later) == 2)
    }

    @Test("packets about announced sessions are answered, and the register is not asked")
    func packets() async throws {
        let network = try network()
        let probe = GatewayProbe(network.gateway)
        probe.announce(0..<5, at: Self.moment)
        network.clock.advance(by: 1)
        let packets = try (0..<5).map { index in
            try GatewayProbe.interimUpdate(of: index, at: network.clock.now).packet(
                identifier: UInt8(index), secret: Network.secret)
        }
        #expect(await probe.answers(to: packets, from: Network.source) == 5)
        #expect(network.register.observed == 0 && network.gateway.counts.sessions == 5)
        #expect(network.holder("10.0.0.0") == .success(1) && network.holder("10.0.0.4") == .success(5))
        let whose = try network.sighting("10.0.0.4").get().subscription
        #expect(whose == SubscriptionReference(subscription: 5, epoch: 1, simGeneration: 1))
        #expect(network.gateway.feeds.first?.counts.faults.isEmpty == true)
        let heardAt = network.gateway.directory.withLockedValue { $0.sessions[4].heardAt }
        #expect(heardAt == UInt32(Network.start + 1))
        // The attributes that a packet core reports of a session, without roaming.
        let request = GatewayProbe.interimUpdate(of: 2, at: Self.moment)
        #expect(request.sessionID == Array("CB007107100000002".utf8) && request.nasIdentifier == Array("probe".utf8))
        #expect(request.framedAddress == InternetAddress("10.0.0.2") && request.callingStation == "8613000000002")
        #expect(request.calledStation == "cmnet" && request.imsi == "460001000000002" && request.isMobile)
        #expect(request.homeNetwork == "46000" && request.servingNetwork == "46000" && request.radioAccess == 6)
        #expect(request.eventTimestamp == UInt32(Network.start))
    }
}
