@_spi(Server) import BenjiProtocol
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

@Suite("Packets that show that somebody has left an address")
struct DepartureTests {
    /// Outside the pools: a packet that names it is refused.
    private static let foreignPrefix = IPPrefix("2001:db9:1:2::/64")!
    private let first = "8613800000001"
    private let second = "8613800000002"

    /// A network whose clock is at second 60.
    private func network() throws -> Network {
        let network = try Network()
        network.clock.advance(by: 60)
        return network
    }

    private func refused(_ request: AccountingRequest) -> AccountingRequest {
        var request = request
        request.framedPrefix = Self.foreignPrefix
        return request
    }

    // MARK: Late packets

    @Test(
        """
        A late packet of another session takes an address from who was there before, and from who says later that he was
        """,
        arguments: [AccountingStatus.start, .interimUpdate])
    func lateClaim(status: AccountingStatus) async throws {
        for isHeld in [true, false] {
            let network = try network()
            let old = network.request(.start, "a", at: 10, address: "10.0.0.1", number: first)
            if isHeld { try await network.send(old) }
            for (status, time, address) in [(.interimUpdate, 40, "10.0.0.2"), (status, 20, "10.0.0.1")]
                as [(AccountingStatus, Int64, String)]
            {
                try await network.send(network.request(status, "b", at: time, address: address, number: second))
            }
            if !isHeld { try await network.send(old) }
            #expect(network.holder() == .failure(.unknownAddress))
            #expect(network.holder("10.0.0.2") == .success(isHeld ? 2 : 1))
            try await network.start("c", at: 21, number: "8613800000003")
            #expect(network.holder() == .success(3))
        }
    }

    @Test(
        "A late Start of a session that has ended takes its address from who was there before, and gives it to nobody")
    func endedClaim() async throws {
        let network = try network()
        try await network.send(network.request(.stop, "b", at: 40))
        try await network.send(network.request(.start, "b", at: 20, address: "10.0.0.1", number: second))
        try await network.start("a", at: 10)
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test(
        "After a late Start or Stop in its life a session is nobody's until a packet names its subscriber and address")
    func lateInLife() async throws {
        for isStart in [true, false] {
            let network = try network()
            try await network.start("a", at: 10)
            try await network.send(network.request(.interimUpdate, "a", at: 30))
            let late =
                isStart
                ? network.request(.start, "a", at: 20, address: "10.0.0.2", number: second)
                : network.request(.stop, "a", at: 20)
            try await network.send(late)
            for time in [Int64(30), 40] {
                #expect(network.holder() != .success(1), "\(isStart)")
                try await network.send(network.request(.interimUpdate, "a", at: time + 10, address: "10.0.0.1"))
            }
            try await network.send(network.request(.interimUpdate, "a", at: 55, address: "10.0.0.1", number: first))
            #expect(network.holder() == .success(1), "\(isStart)")
        }
    }

    @Test("A late Interim-Update that names another address than its session has puts it in doubt until the next one")
    func lateMove() async throws {
        let network = try network()
        try await network.start("a", at: 10)
        try await network.send(network.request(.interimUpdate, "a", at: 30))
        try await network.send(network.request(.interimUpdate, "a", at: 20, address: "10.0.0.2", number: first))
        #expect(network.holder() == .failure(.ambiguousAddress))
        try await network.send(network.request(.interimUpdate, "a", at: 40))
        #expect(network.holder() == .failure(.ambiguousAddress), "it does not say where the session is")
        try await network.send(network.request(.interimUpdate, "a", at: 50, address: "10.0.0.2"))
        #expect(network.holder("10.0.0.2") == .success(1))
    }

    @Test("A session that begins again with a prefix of another length has left the one that it had")
    func otherLength() async throws {
        let network = try network()
        for (time, length) in [(Int64(10), 56), (20, 64)] {
            try await network.start("a", at: time, address: nil, prefix: "2001:db8:1::/\(length)")
        }
        try await network.send(
            network.request(.interimUpdate, "b", at: 15, prefix: "2001:db8:1::/56", number: second))
        #expect(network.holder("2001:db8:1:1::1") == .failure(.unknownAddress))
        #expect(network.holder("2001:db8:1::1") == .success(1))
    }

    @Test("An older end of a session does not take the place of a newer one in what a pair keeps")
    func olderEnd() throws {
        var directory = Directory(
            configuration: Network.configuration(), random: SeededRandom(seed: 1),
            now: Timestamp(seconds: Network.start))
        let names = SessionNames(nasIdentifier: Array("pgw-1".utf8), sessionID: Array("a".utf8))
        let scope = NASNames.scope(server: "pgw", names)
        let key = SessionKey(scope: scope, sessionID: names.sessionID)
        var kept: DirectoryChange?
        for time in [UInt32(20), 10] {
            let stop = AccountingEvent(
                kind: .stop, nas: 0, scope: scope, key: key, names: names, time: UInt32(Network.start) + time,
                endsSession: true)
            let now = Timestamp(seconds: Network.start + 60)
            kept = directory.apply(stop, identified: .unchanged, at: now).changes.last
        }
        #expect(kept == .removed(key, at: UInt32(Network.start) + 20))
    }

    // MARK: One second

    @Test(
        "A session that begins in the second of its NAS's Accounting-Off is unknown until its next Interim-Update",
        arguments: [true, false])
    func beginsWithOff(isFirst: Bool) async throws {
        let network = try network()
        let off = network.request(.accountingOff, "")
        if isFirst { try await network.send(off) }
        try await network.start("a")
        if !isFirst { try await network.send(off) }
        #expect(network.holder() != .success(1))
        network.clock.advance(by: 10)
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1"))
        #expect(network.holder() != .success(1), "the id may be another subscriber's by now")
        network.clock.advance(by: 10)
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1", number: first))
        #expect(network.holder() == .success(1))
    }

    @Test("An Interim-Update of the second in which its address became free gives it to nobody; a Start does")
    func freeInOneSecond() async throws {
        let network = try network()
        try await network.send(network.request(.stop, "b", at: 20, address: "10.0.0.1"))
        try await network.send(network.request(.interimUpdate, "a", at: 20, address: "10.0.0.1", number: first))
        #expect(network.holder() == .failure(.unknownAddress))
        try await network.start("c", at: 20, number: second)
        #expect(network.holder() == .success(2))
    }

    @Test("A session that names two addresses in one second has neither for certain until its next Interim-Update")
    func movesInOneSecond() async throws {
        let network = try network()
        for address in ["10.0.0.1", "10.0.0.2"] {
            try await network.send(network.request(.interimUpdate, "a", at: 20, address: address, number: first))
        }
        #expect(network.holder("10.0.0.2") == .failure(.ambiguousAddress))
        #expect(network.holder() == .failure(.unknownAddress))
        try await network.send(network.request(.interimUpdate, "a", at: 30, address: "10.0.0.2"))
        #expect(network.holder("10.0.0.2") == .success(1))
    }

    // MARK: Bearers

    private func bearer(
        _ network: Network, _ status: AccountingStatus, _ session: String, at time: Int64, address: String? = nil,
        number: String? = nil, ends: Bool = false
    ) -> AccountingRequest {
        var request = network.request(
            status, session, at: time, address: address, number: number,
            imsi: number.map { "46000000000000" + $0.suffix(1) })
        request.isMobile = true
        request.endsSession = ends
        if request.imsi == nil { request.servingNetwork = "46000" }
        return request
    }

    @Test(
        "The id of a further bearer that comes with another subscriber is another session's",
        arguments: [AccountingStatus.start, .interimUpdate])
    func reusedBearer(status: AccountingStatus) async throws {
        let network = try network()
        try await network.send(bearer(network, .start, "a", at: 10, address: "10.0.0.1", number: first))
        try await network.send(bearer(network, .start, "b", at: 12, address: "10.0.0.1", number: first))
        try await network.send(
            bearer(network, .start, "c", at: 12, address: "10.0.0.2", number: "8613800000003"))
        try await network.send(bearer(network, status, "b", at: 20, address: "10.0.0.2", number: second))
        #expect(network.holder("10.0.0.2") != .success(2), "the former holder has left")
        try await network.send(bearer(network, .interimUpdate, "a", at: 30, address: "10.0.0.1", number: first))
        try await network.send(bearer(network, .interimUpdate, "b", at: 30, address: "10.0.0.2", number: second))
        #expect(network.holder() == .success(1))
        #expect(network.holder("10.0.0.2") == .success(3))
    }

    @Test("The end of a session reaches it by a bearer that only an Interim-Update has named, or that begins later")
    func endByBearer() async throws {
        for isInterim in [true, false] {
            let network = try network()
            try await network.send(bearer(network, .start, "a", at: 17, address: "10.0.0.1", number: first))
            let packets = [
                bearer(
                    network, isInterim ? .interimUpdate : .start, "b", at: 15, address: "10.0.0.1", number: first),
                bearer(network, .stop, "b", at: 20, ends: true),
            ]
            for packet in isInterim ? packets : packets.reversed() { try await network.send(packet) }
            #expect(network.holder() != .success(1), "\(isInterim)")
        }
    }

    // MARK: Port blocks

    private let publicAddress = InternetAddress("203.0.113.1")!

    private func port(_ network: Network) -> Result<Int64, SightingRefusal> {
        network.holder("203.0.113.1", port: 1030, domain: "internet")
    }

    private func block(_ request: AccountingRequest, isAllocated: Bool = true) -> AccountingRequest {
        var request = request
        request.portBlocks = [PortBlock(address: publicAddress, ports: 1024...1535, isAllocated: isAllocated)]
        return request
    }

    private func report(_ network: Network, at time: Int64, inside: String, isAllocated: Bool = true)
        -> AccountingRequest
    {
        var report = block(network.request(.start, "nat-\(time)", at: time, nas: "nat"), isAllocated: isAllocated)
        report.internalAddress = InternetAddress(inside)!
        return report
    }

    @Test("A port block that was given back, or was another's later, is not given by an older report")
    func olderBlock() async throws {
        let network = try network()
        try await network.start("a", at: 5)
        try await network.send(report(network, at: 20, inside: "10.0.0.1", isAllocated: false))
        try await network.send(report(network, at: 10, inside: "10.0.0.1"))
        #expect(port(network) == .failure(.unknownAddress))
        try await network.send(block(network.request(.start, "b", at: 30, address: "10.0.0.2", number: second)))
        try await network.send(network.request(.stop, "b", at: 50))
        try await network.send(report(network, at: 25, inside: "10.0.0.1"))
        #expect(port(network) == .failure(.unknownAddress))
        try await network.send(report(network, at: 51, inside: "10.0.0.1"))
        #expect(port(network) == .success(1))
    }

    @Test("A late packet that gives a port block back, or names another's, ends it")
    func lateBlock() async throws {
        for isOwn in [true, false] {
            let network = try network()
            try await network.send(block(network.request(.start, "a", at: 10, address: "10.0.0.1", number: first)))
            try await network.send(network.request(.interimUpdate, "a", at: 30))
            try await network.start("b", at: 30, address: "10.0.0.2", number: second)
            try await network.send(
                block(network.request(.interimUpdate, isOwn ? "a" : "b", at: 20), isAllocated: !isOwn))
            #expect(port(network) == .failure(.unknownAddress), "\(isOwn)")
            #expect(network.holder() == .success(1))
        }
    }

    @Test("A session that moves leaves the ports that a NAT gave to the address that it had")
    func movesBehindNAT() async throws {
        let network = try network()
        try await network.start("a", at: 10)
        try await network.send(report(network, at: 20, inside: "10.0.0.1"))
        #expect(port(network) == .success(1))
        try await network.send(network.request(.interimUpdate, "a", at: 30, address: "10.0.0.2", number: first))
        #expect(port(network) == .failure(.unknownAddress))
        // The NAT's report is from before the session had the address.
        try await network.send(report(network, at: 25, inside: "10.0.0.2"))
        #expect(port(network) == .failure(.unknownAddress))
    }

    @Test("When one of two ends that got a port block in one second, the other does not have it for certain")
    func tiedBlock() async throws {
        let network = try network()
        for (session, number) in [("a", first), ("b", second)] {
            try await network.send(
                block(network.request(.start, session, at: 10, address: "10.0.0.\(number.suffix(1))", number: number)))
        }
        try await network.send(network.request(.stop, "b", at: 10))
        #expect(port(network) == .failure(.unconfirmedAddress))
        try await network.send(block(network.request(.interimUpdate, "a", at: 20)))
        #expect(port(network) == .success(1))
    }

    // MARK: Refused packets

    @Test("A refused Interim-Update that names another address puts its session in doubt until a packet names one")
    func refusedMove() async throws {
        let network = try network()
        try await network.start("a", at: 10)
        let move = network.request(.interimUpdate, "a", at: 20, address: "10.0.0.2", number: first)
        #expect(try await network.send(refused(move)) == 0)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        try await network.send(network.request(.interimUpdate, "a", at: 30))
        #expect(network.holder() == .failure(.unconfirmedAddress), "it does not say where the session is")
        try await network.send(network.request(.interimUpdate, "a", at: 40, address: "10.0.0.1"))
        #expect(network.holder() == .success(1))
    }

    @Test("A refused Start or Stop counts against older packets that come after it, and not against its repetition")
    func refusedBefore() async throws {
        for status in [AccountingStatus.start, .interimUpdate, .stop] {
            let network = try network()
            let other = network.request(
                status, status == .stop ? "a" : "b", at: 20, address: "10.0.0.1", number: second)
            #expect(try await network.send(refused(other)) == 0)
            try await network.start("a", at: 10)
            #expect(network.holder() == .failure(.unknownAddress), "\(status)")
            guard status != .stop else { continue }
            try await network.send(other)
            #expect(network.holder() == .success(2))
        }
    }

    @Test("After a refused Stop a session is nobody's until a packet names its subscriber")
    func refusedStop() async throws {
        for time in [Int64(20), 40] {
            let network = try network()
            try await network.start("a", at: 10)
            try await network.send(network.request(.interimUpdate, "a", at: 30))
            // It names nothing but its session.
            #expect(try await network.send(refused(network.request(.stop, "a", at: time))) == 0)
            #expect(network.holder() == .failure(.unconfirmedAddress))
            try await network.send(network.request(.interimUpdate, "a", at: 50, address: "10.0.0.1"))
            #expect(network.holder() == .failure(.unconfirmedAddress))
            try await network.send(network.request(.interimUpdate, "a", at: 55, address: "10.0.0.1", number: first))
            #expect(network.holder() == .success(1))
        }
    }

    @Test("A refused Accounting-On or -Off puts its NAS's sessions in doubt", arguments: [true, false])
    func refusedReset(isOff: Bool) async throws {
        let network = try network()
        try await network.start("a", at: 10)
        let reset = network.request(isOff ? .accountingOff : .accountingOn, "", at: 20)
        // Two values of an attribute that may have one.
        let attributes = try ["a", "b"].map { try Attribute(.callingStationID, Array($0.utf8)) }
        let bytes = try Packet.accountingRequest(
            identifier: 99, attributes: reset.attributes() + attributes, secret: Network.secret)
        let packet = Datagram(bytes: bytes, source: Network.source, port: 40_000)
        #expect(await network.gateway.processor.process([packet]).isEmpty)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        try await network.send(network.request(.interimUpdate, "a", at: 30, address: "10.0.0.1", number: first))
        #expect(network.holder() == .success(1))
    }

    @Test(
        """
        A refused packet that gives a port block back, or names another's, puts the block in doubt until it is given \
        again
        """
    )
    func refusedBlock() async throws {
        for isOwn in [true, false] {
            let network = try network()
            try await network.send(block(network.request(.start, "a", at: 10, address: "10.0.0.1", number: first)))
            try await network.start("b", at: 10, address: "10.0.0.2", number: second)
            let other = network.request(.interimUpdate, isOwn ? "a" : "b", at: 20)
            #expect(try await network.send(refused(block(other, isAllocated: !isOwn))) == 0)
            try await network.send(network.request(.interimUpdate, "a", at: 30, address: "10.0.0.1"))
            #expect(network.holder() == .success(1))
            #expect(port(network) == .failure(.unconfirmedAddress), "\(isOwn)")
            try await network.send(block(network.request(.interimUpdate, "a", at: 40, address: "10.0.0.1")))
            #expect(port(network) == .success(1))
        }
    }
}
