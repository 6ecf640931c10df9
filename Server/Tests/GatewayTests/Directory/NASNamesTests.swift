@_spi(Server) import BenjiProtocol
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

@Suite("A NAS that uses its names in turn")
struct NASNamesTests {
    /// A NAS, and the names of it that a packet has.
    struct Box: Hashable {
        let identifier: String
        let address: String

        func naming(_ request: AccountingRequest, _ names: Names) -> AccountingRequest {
            var request = request
            request.nasIdentifier = names == .address ? nil : Array(identifier.utf8)
            let address = names == .identifier ? nil : InternetAddress(address)
            (request.nasIPAddress, request.nasIPv6Address) = address?.family == .v4 ? (address, nil) : (nil, address)
            return request
        }
    }

    enum Names: CaseIterable { case identifier, address, both }

    private let box = Box(identifier: "pgw1", address: "10.1.1.1")

    @Test(
        "A restart puts all sessions of its NAS in doubt, whatever name it has, until they are heard of again",
        arguments: Names.allCases, Names.allCases)
    func restart(began: Names, restarted: Names) async throws {
        for status in [AccountingStatus.accountingOn, .accountingOff] {
            let network = try Network()
            let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
            try await network.send(box.naming(start, began))
            network.clock.advance(by: 2)
            try await network.send(box.naming(network.request(status, ""), restarted))
            #expect(network.holder() != .success(1))
            network.clock.advance(by: 5)
            let update = network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001")
            try await network.send(box.naming(update, began))
            #expect(network.holder() == .success(1))
        }
    }

    @Test("A restart of another NAS behind the same proxy puts nothing in doubt", arguments: Names.allCases)
    func otherNAS(names: Names) async throws {
        let network = try Network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(start, .both))
        network.clock.advance(by: 2)
        let other = Box(identifier: "pgw2", address: "10.1.1.2")
        try await network.send(other.naming(network.request(.accountingOn, ""), names))
        #expect(network.holder() == .success(1))
    }

    @Test(
        "A NAS is found by NAS-IPv6-Address, and one with another address behind the same proxy is not taken for it",
        arguments: [AccountingStatus.accountingOn, .accountingOff, .stop], [true, false])
    func ipv6(status: AccountingStatus, isOther: Bool) async throws {
        let network = try Network()
        let own = Box(identifier: "pgw1", address: "2001:db8:ffff::1")
        let other = Box(identifier: "pgw2", address: "2001:db8:ffff::2")
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        try await network.send(own.naming(start, .both))
        network.clock.advance(by: 2)
        let end = network.request(status, status == .stop ? "a" : "")
        try await network.send((isOther ? other : own).naming(end, .address))
        #expect((network.holder() == .success(1)) == isOther)
    }

    @Test("A Stop that is refused puts its session in doubt, under any name of its NAS", arguments: Names.allCases)
    func refusedStop(stopped: Names) async throws {
        for (began, address) in Names.allCases.flatMap({ [($0, "10.1.1.1"), ($0, "2001:db8:ffff::1")] }) {
            let box = Box(identifier: "pgw1", address: address)
            let network = try Network()
            let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
            try await network.send(box.naming(start, began))
            network.clock.advance(by: 2)
            // It names another address than the session's, so that nothing but its names leads to the session.
            var stop = network.request(.stop, "a", address: "10.0.0.9")
            stop.framedPrefix = IPPrefix("2001:db9:1:2::/64")!
            #expect(try await network.send(box.naming(stop, stopped)) == 0)
            #expect(network.holder() == .failure(.unconfirmedAddress), "\(began), \(address)")
        }
    }

    @Test("A Stop under another name of its NAS ends the session, or leaves it in doubt", arguments: Names.allCases)
    func stop(stopped: Names) async throws {
        for began in Names.allCases {
            let network = try Network()
            let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
            try await network.send(box.naming(start, began))
            network.clock.advance(by: 2)
            try await network.send(box.naming(network.request(.stop, "a"), stopped))
            #expect(network.holder() != .success(1), "\(began)")
        }
    }

    @Test(
        "A Start after the Stop of its session brings nobody back, under any name", arguments: Names.allCases, [0, 40])
    func lateStart(stopped: Names, later: Int64) async throws {
        for began in Names.allCases {
            let network = try Network()
            network.clock.advance(by: 60)
            try await network.send(box.naming(network.request(.stop, "a", at: 10 + later), stopped))
            let start = network.request(.start, "a", at: 10, address: "10.0.0.1", number: "8613800000001")
            try await network.send(box.naming(start, began))
            #expect(network.holder() != .success(1), "\(began)")
        }
    }

    @Test("A restart holds for sessions that are heard of later and began before it, whatever name they have")
    func lateBeginning() async throws {
        for status in [AccountingStatus.start, .interimUpdate] {
            let network = try Network()
            network.clock.advance(by: 60)
            try await network.send(box.naming(network.request(.accountingOn, "", at: 20), .address))
            let late = network.request(status, "a", at: 10, address: "10.0.0.1", number: "8613800000001")
            try await network.send(box.naming(late, .identifier))
            #expect(network.holder() != .success(1))
        }
    }

    @Test("A late Interim-Update does not end the doubt that a Stop under another name left")
    func lateUpdate() async throws {
        let network = try Network()
        network.clock.advance(by: 60)
        let start = network.request(.start, "a", at: 10, address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(start, .address))
        try await network.send(box.naming(network.request(.stop, "a", at: 20), .identifier))
        let update = network.request(.interimUpdate, "a", at: 15, address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(update, .address))
        #expect(network.holder() != .success(1))
    }

    @Test("A Stop without a time puts the session in doubt, under any name", arguments: Names.allCases)
    func untimedStop(stopped: Names) async throws {
        for began in Names.allCases {
            let network = try Network()
            let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
            try await network.send(box.naming(start, began))
            network.clock.advance(by: 2)
            var stop = network.request(.stop, "a")
            stop.eventTimestamp = nil
            try await network.send(box.naming(stop, stopped))
            #expect(network.holder() != .success(1), "\(began)")
        }
    }

    @Test("A Stop under another name reaches its session also where more NASes cannot be told apart than are compared")
    func manyNASes() async throws {
        let network = try Network()
        for number in 0..<70 {
            let start = network.request(
                .start, "s\(number)", address: "10.0.1.\(number)", number: "861380000\(1000 + number)")
            try await network.send(Box(identifier: "pgw\(number)", address: "10.1.1.1").naming(start, .identifier))
        }
        network.clock.advance(by: 2)
        #expect(network.holder("10.0.1.3") == .success(4))
        try await network.send(box.naming(network.request(.stop, "s3"), .address))
        #expect(network.holder("10.0.1.3") != .success(4))
        #expect(network.holder("10.0.1.4") == .success(5))
    }

    @Test("Where two NASes share an address, a packet under the address alone is about no known session")
    func sharedAddress() async throws {
        let network = try Network()
        let boxes = [Box(identifier: "pgw1", address: "10.1.1.1"), Box(identifier: "pgw2", address: "10.1.1.1")]
        for (number, each) in boxes.enumerated() {
            let start = network.request(
                .start, "1", address: "10.0.0.\(number + 1)", number: "861380000000\(number + 1)")
            try await network.send(each.naming(start, .both))
        }
        for _ in 0..<3 {
            for (number, each) in boxes.enumerated() {
                network.clock.advance(by: 10)
                let update = network.request(.interimUpdate, "1", address: "10.0.0.\(number + 1)")
                try await network.send(each.naming(update, .address))
                #expect(network.holder("10.0.0.1") != .success(2))
                #expect(network.holder("10.0.0.2") != .success(1))
            }
        }
    }

    @Test("A restart puts sessions in doubt also where there is no room for its name")
    func noRoomForName() async throws {
        let network = try Network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(start, .identifier))
        network.gateway.directory.withLockedValue { directory in
            for index in 0..<Int(UInt16.max) { _ = directory.scope("pgw\nid:\(index)", nas: 0) }
        }
        network.clock.advance(by: 2)
        try await network.send(box.naming(network.request(.accountingOn, ""), .address))
        #expect(network.holder() != .success(1))
    }

    @Test(
        "After a restart that is not taken in as it is a session goes on only with a packet that names its subscriber",
        arguments: [(.address, 0), (.identifier, 600), (.identifier, nil)] as [(Names, Int64?)])
    func unnamedUpdate(restarted: Names, ahead: Int64?) async throws {
        let network = try Network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(start, .identifier))
        network.clock.advance(by: 10)
        var restart = network.request(.accountingOn, "", at: 10 + (ahead ?? 0))
        if ahead == nil { restart.eventTimestamp = nil }
        try await network.send(box.naming(restart, restarted))
        network.clock.advance(by: 10)
        // The NAS gives the session id to another subscriber, whose Start is lost.
        let update = network.request(.interimUpdate, "a", address: "10.0.0.1")
        try await network.send(box.naming(update, .identifier))
        #expect(network.holder() != .success(1))
    }

    @Test("After a restart under another name a further bearer keeps nothing that its first bearer had")
    func furtherBearer() async throws {
        let network = try Network()
        let first = network.request(
            .start, "a", address: "10.0.0.1", prefix: "2001:db8:0:1::/64", number: "8613800000001",
            imsi: "460000000000001")
        try await network.send(box.naming(first, .identifier))
        network.clock.advance(by: 10)
        try await network.send(box.naming(network.request(.accountingOn, ""), .address))
        network.clock.advance(by: 10)
        let second = network.request(
            .start, "b", address: "10.0.0.1", number: "8613800000001", imsi: "460000000000001")
        try await network.send(box.naming(second, .identifier))
        #expect(network.holder() == .success(1))
        #expect(network.holder("2001:db8:0:1::1") != .success(1))
    }

    @Test("Names are one NAS's through a packet that has both")
    func linkedNames() async throws {
        let network = try Network()
        let second = Box(identifier: "pgw1", address: "10.1.1.2")
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(start, .address))
        for (number, each) in [box, second].enumerated() {
            let other = network.request(
                .start, "b\(number)", address: "10.0.0.\(number + 2)", number: "861380000000\(number + 2)")
            try await network.send(each.naming(other, .both))
        }
        network.clock.advance(by: 10)
        try await network.send(second.naming(network.request(.accountingOn, ""), .address))
        #expect(network.holder() != .success(1))
    }

    @Test("A late restart under another name revokes once what was earned through a session")
    func revokedOnce() async throws {
        let network = try Network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(start, .identifier))
        network.clock.advance(by: 600)
        for time in [Int64(100), 101, 102] {
            try await network.send(box.naming(network.request(.accountingOn, "", at: time), .address))
        }
        #expect(network.register.revoked.count == 1)
    }

    @Test("A late packet under another name brings back no address that its session left when it began again")
    func lateAfterBeginning() async throws {
        let network = try Network()
        network.clock.advance(by: 60)
        for (number, time) in [Int64(10), 20].enumerated() {
            let start = network.request(
                .start, "a", at: time, address: "10.0.0.\(number + 1)", prefix: "2001:db8:0:\(number + 1)::/64",
                number: "861380000000\(number + 1)")
            try await network.send(box.naming(start, .both))
        }
        let late = network.request(
            .interimUpdate, "a", at: 15, address: "10.0.0.1", prefix: "2001:db8:0:1::/64", number: "8613800000001")
        try await network.send(box.naming(late, .address))
        #expect(network.holder() == .failure(.unknownAddress))
        #expect(network.holder("2001:db8:0:1::1") == .failure(.unknownAddress))
        #expect(network.holder("10.0.0.2") == .success(2))
    }

    @Test(
        "A late packet of the second in which a session was last heard of names nobody after a Start or Stop in doubt",
        arguments: [AccountingStatus.start, .stop])
    func lateNaming(status: AccountingStatus) async throws {
        let network = try Network()
        network.clock.advance(by: 60)
        let start = network.request(.start, "a", at: 10, address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(start, .identifier))
        var next = network.request(status, "a", at: 20)
        if status == .start {
            next.framedAddress = InternetAddress("10.0.0.2")
            next.callingStation = "8613800000002"
        }
        try await network.send(box.naming(next, .address))
        let late = network.request(.interimUpdate, "a", at: 10, address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(late, .identifier))
        // The NAS has given the session id to another subscriber, whose Start may be lost.
        for time in [Int64(30), 40] {
            let update = network.request(.interimUpdate, "a", at: time, address: "10.0.0.2")
            try await network.send(box.naming(update, .identifier))
            #expect(network.holder("10.0.0.2") != .success(1))
        }
    }

    // MARK: NASes without names

    private static let sources = [InternetAddress("192.0.2.1")!, InternetAddress("192.0.2.2")!]

    private static func server(_ sources: [String], name: String = "pgw") -> NetworkAccessServer {
        var server = Network.server
        server.name = name
        server.sources = sources.map { IPPrefix($0)! }
        return server
    }

    /// A packet without a name of its NAS.
    private static func unnamed(
        _ network: Network, _ status: AccountingStatus, _ session: String, address: String? = nil,
        number: String? = nil
    ) -> AccountingRequest {
        var request = network.request(status, session, address: address, number: number)
        request.nasIdentifier = nil
        return request
    }

    /// Returns the holders of 10.0.0.1 and 10.0.0.2 after each packet about sessions of one id. The packets are a Start
    /// of the first source, a packet of the second one, and two Interim-Updates of the first.
    private func holders(
        after status: AccountingStatus, from sources: [InternetAddress], _ server: NetworkAccessServer
    ) async throws -> [[Result<Int64, SightingRefusal>]] {
        let network = try Network(Network.configuration([server]))
        let packets: [(status: AccountingStatus, address: String?, number: String?, source: Int)] = [
            (.start, "10.0.0.1", "8613800000001", 0),
            (status, status == .stop ? nil : "10.0.0.2", status == .start ? "8613800000002" : nil, 1),
            (.interimUpdate, "10.0.0.1", nil, 0), (.interimUpdate, "10.0.0.1", "8613800000001", 0),
        ]
        var holders: [[Result<Int64, SightingRefusal>]] = []
        for packet in packets {
            network.clock.advance(by: 2)
            let request = Self.unnamed(network, packet.status, "1", address: packet.address, number: packet.number)
            try await network.send(request, from: sources[packet.source])
            holders.append([network.holder("10.0.0.1"), network.holder("10.0.0.2")])
        }
        return holders
    }

    @Test(
        "A packet without a name names, moves and ends no session of another source; where ids alone count, it does",
        arguments: [AccountingStatus.start, .interimUpdate, .stop], [[0, 1], [1, 0]])
    func unnamedSources(status: AccountingStatus, order: [Int]) async throws {
        for sources in [["192.0.2.1", "192.0.2.2"], ["192.0.2.0/30"]] {
            let own = try await holders(after: status, from: order.map { Self.sources[$0] }, Self.server(sources))
            #expect(own.allSatisfy { $0[0] != .success(2) && $0[1] != .success(1) })
            #expect(own[0][0] == .success(1))
            #expect(own[1][0] == .failure(.ambiguousAddress))
            #expect((own[1][1] == .success(2)) == (status == .start))
            #expect(own[3][0] == .success(1))
        }
        // A gateway that does not look at the source takes both for one proxy's.
        let source = Self.sources[0]
        let naive = try await holders(after: status, from: [source, source], Self.server(["192.0.2.1"]))
        switch status {
        case .start: #expect(naive[2][0] == .success(2))
        case .interimUpdate: #expect(naive[1][1] == .success(1))
        default: #expect(naive[1][0] == .failure(.unknownAddress))
        }
    }

    @Test(
        "A restart without a name puts the other source's sessions in doubt; with a NAS for each source it does not",
        arguments: [AccountingStatus.accountingOn, .accountingOff])
    func unnamedRestart(status: AccountingStatus) async throws {
        let both = [Self.server(["192.0.2.1", "192.0.2.2"])]
        let apart = [Self.server(["192.0.2.1"]), Self.server(["192.0.2.2"], name: "pgw-2")]
        for (servers, isNaive) in [(both, false), (apart, true)] {
            let network = try Network(Network.configuration(servers))
            let start = Self.unnamed(network, .start, "a", address: "10.0.0.1", number: "8613800000001")
            try await network.send(start, from: Self.sources[0])
            network.clock.advance(by: 2)
            try await network.send(Self.unnamed(network, status, ""), from: Self.sources[1])
            #expect((network.holder() == .success(1)) == isNaive)
            network.clock.advance(by: 5)
            let update = Self.unnamed(network, .interimUpdate, "a", address: "10.0.0.1", number: "8613800000001")
            try await network.send(update, from: Self.sources[0])
            #expect(network.holder() == .success(1))
        }
    }

    @Test("A session of a NAS without a name that goes on from its own source stays named")
    func unnamedGoingOn() async throws {
        let network = try Network(Network.configuration([Self.server(["192.0.2.0/24"])]))
        for (place, source) in Self.sources.enumerated() {
            let start = Self.unnamed(
                network, .start, "\(place)", address: "10.0.0.\(place + 1)", number: "861380000000\(place + 1)")
            try await network.send(start, from: source)
        }
        for _ in 0..<3 {
            for (place, source) in Self.sources.enumerated() {
                network.clock.advance(by: 10)
                let update = Self.unnamed(network, .interimUpdate, "\(place)", address: "10.0.0.\(place + 1)")
                try await network.send(update, from: source)
                #expect(network.holder("10.0.0.1") == .success(1))
                #expect(network.holder("10.0.0.2") == .success(2))
            }
        }
    }

    @Test("A refused Stop without a name puts the session in doubt, also from a source that has sent nothing before")
    func unnamedRefusedStop() async throws {
        let network = try Network(Network.configuration([Self.server(["192.0.2.1", "192.0.2.2"])]))
        let start = Self.unnamed(network, .start, "a", address: "10.0.0.1", number: "8613800000001")
        try await network.send(start, from: Self.sources[0])
        network.clock.advance(by: 2)
        var stop = Self.unnamed(network, .stop, "a", address: "10.0.0.9")
        stop.framedPrefix = IPPrefix("2001:db9:1:2::/64")!
        #expect(try await network.send(stop, from: Self.sources[1]) == 0)
        #expect(network.holder() == .failure(.unconfirmedAddress))
    }

    @Test(
        "A scope has the name of its source only if packets have no name and their NAS has several sources",
        arguments: [
            (["192.0.2.1"], false), (["192.0.2.1", "192.0.2.1/32"], false), (["192.0.2.1", "192.0.2.2"], true),
            (["192.0.2.0/31"], true), (["192.0.2.1", "2001:db8::1"], true), ([], true),
        ] as [([String], Bool)])
    func scopeOfSource(sources: [String], isNamed: Bool) {
        var server = Self.server(sources)
        // Over TLS certificates are in the place of sources.
        if sources.isEmpty { server.certificates = [.host("pgw-1.example"), .host("pgw-2.example")] }
        var names = ScopeNames(servers: [server])
        let scopes = ["", "id:x", "ip:192.0.2.1"].map {
            names.name(nas: 0, SessionNames(scope: "pgw\n" + $0), from: Self.sources[0])
        }
        #expect(scopes == [isNamed ? "pgw\nfrom:192.0.2.1" : "pgw\n", "pgw\nid:x", "pgw\nip:192.0.2.1"])
        #expect(SessionNames(scope: scopes[0]) == SessionNames())
    }

    // MARK: restarts of the gateway

    private var journalled: GatewayConfiguration {
        // With a promise, so that a restart of the gateway alone leaves no doubt.
        var server = Network.server
        server.repeats = .seconds(60)
        var configuration = Network.configuration([server])
        configuration.journalPath = "journal"
        return configuration
    }

    private func restarted(
        _ network: Network, _ disk: MemoryDisk, _ configuration: GatewayConfiguration? = nil
    ) throws -> Network {
        network.clock.advance(by: 5)
        let after = try Network(
            configuration ?? journalled, register: network.register, clock: network.clock, disk: disk.afterPowerCut())
        network.clock.advance(by: 65)
        return after
    }

    @Test("A gateway that restarts remembers that a NAS possibly did, and takes a silence for no restart")
    func remembered() async throws {
        for isSilence in [false, true] {
            let disk = MemoryDisk()
            var network = try Network(journalled, disk: disk)
            let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
            try await network.send(box.naming(start, .identifier))
            network.clock.advance(by: isSilence ? 905 : 10)
            let next =
                isSilence
                ? box.naming(network.request(.interimUpdate, "b", address: "10.0.0.2"), .identifier)
                : box.naming(network.request(.accountingOn, ""), .address)
            try await network.send(next)
            network = try restarted(network, disk)
            #expect(network.holder() != .success(1))
            let update = network.request(.interimUpdate, "a", address: "10.0.0.1")
            try await network.send(box.naming(update, .identifier))
            #expect((network.holder() == .success(1)) == isSilence)
        }
    }

    @Test("A gateway that restarts remembers the end of a session under each name of its NAS")
    func rememberedEnd() async throws {
        let disk = MemoryDisk()
        var network = try Network(journalled, disk: disk)
        network.clock.advance(by: 30)
        try await network.send(box.naming(network.request(.stop, "a", at: 20), .address))
        network = try restarted(network, disk)
        let start = network.request(.start, "a", at: 10, address: "10.0.0.1", number: "8613800000001")
        try await network.send(box.naming(start, .identifier))
        #expect(network.holder() != .success(1))
    }

    @Test(
        "A Stop without a name reaches a session that was kept before its NAS got or lost sources",
        arguments: [true, false])
    func changedSources(grows: Bool) async throws {
        let few = journalled
        var many = few
        many.networkAccessServers[0].sources.append(IPPrefix("192.0.2.2")!)
        let disk = MemoryDisk()
        var network = try Network(grows ? few : many, disk: disk)
        try await network.send(
            Self.unnamed(network, .start, "a", address: "10.0.0.1", number: "8613800000001"), from: Self.sources[0])
        network = try restarted(network, disk, grows ? many : few)
        #expect(network.holder() == .success(1))
        try await network.send(Self.unnamed(network, .stop, "a"), from: Self.sources[0])
        #expect(network.holder() != .success(1))
    }

    @Test("The other gateway of a pair knows that a NAS possibly restarted")
    func pair() async throws {
        let both = try PairOfNetworks(repeats: 60)
        await both.begin()
        let start = both.first.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        try await both.first.send(box.naming(start, .identifier))
        let other = both.first.request(.start, "b", address: "10.0.0.2", number: "8613800000002", nas: "pgw-2")
        try await both.first.send(other)
        await both.pass(2, both.first, both.second)
        try await both.first.send(box.naming(both.first.request(.accountingOn, ""), .address))
        await both.pass(2, both.first, both.second)
        await both.pass(8, both.second)
        try await both.second.hearSomething()
        await both.pass(62, both.second)
        #expect(both.second.gateway.problem == nil)
        #expect(both.second.holder() != .success(1))
        let update = both.second.request(.interimUpdate, "a", address: "10.0.0.1")
        try await both.second.send(box.naming(update, .identifier))
        #expect(both.second.holder() != .success(1))
    }

    @Test(
        "A scope's name tells the names of its NAS",
        arguments: ["id:pgw-1", "id:ip:x", "hex:b1b1ff", "ip:10.1.1.1", "ip:2001:db8::1", ""])
    func scopes(name: String) {
        let scope = "pgw\n" + name
        #expect(NASNames.scope(server: "pgw", SessionNames(scope: scope)) == scope)
    }

    // MARK: random sequences

    private struct Told: CustomStringConvertible {
        let request: AccountingRequest
        let source: InternetAddress
        /// Which of the NASes has sent it.
        let place: Int
        let session: String
        let address: String?
        let number: String?
        /// Whether it was sent before.
        var isRepeated = false

        var names: SessionNames {
            SessionNames(
                nasIdentifier: request.nasIdentifier, nasIPAddress: request.nasIPAddress,
                nasIPv6Address: request.nasIPv6Address)
        }

        var description: String {
            "\(request.eventTimestamp ?? 0) \(request.status.rawValue) of \(place) from \(source) as \(names), session "
                + "\(session), \(address ?? "-"), \(number ?? "-")\(isRepeated ? ", repeated" : "")"
        }
    }

    /// Sessions of two NASes of one entry, which use the same session ids. In half of the histories they have the same
    /// addresses, and in half their packets come through either of two proxies. A history has some kinds of names, and
    /// a packet any of these, or none. Some packets are lost, some are sent again, at once or later.
    ///
    /// To the gateway NASes that send the same single name and the same Acct-Session-Id are one. With such a name a NAS
    /// speaks of sessions whose ids the other does not use.
    private static func history(_ network: Network, _ generator: inout SeededGenerator) -> [Told] {
        let (haveSameAddress, haveProxies) = (Bool.random(using: &generator), Bool.random(using: &generator))
        let kinds = SessionNames.Kinds(rawValue: .random(in: 0...7, using: &generator))
        var heard = Model()
        var history: [Told] = []
        var live: [[(session: Int, address: String, number: String)]] = [[], []]
        for time in 1...Int64.random(in: 10...24, using: &generator) {
            let place = Int.random(in: 0...1, using: &generator)
            var told: (AccountingStatus, session: Int?, address: String?, number: String?)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...3:
                let address = "10.0.0.\(Int.random(in: 1...4, using: &generator))"
                for other in 0...1 { live[other].removeAll { $0.address == address } }
                // From 3 on the other NAS has ids of its own.
                var session = Int.random(in: 1...4, using: &generator)
                if session > 2, haveSameAddress || haveProxies { session += 2 * place }
                live[place].removeAll { $0.session == session }
                live[place].append((session, address, "86138000000\(Int.random(in: 10...29, using: &generator))"))
                told = (.start, session, address, live[place].last?.number)
            case 4...5:
                guard let one = live[place].randomElement(using: &generator) else { continue }
                // A session that uses an id again without any news cannot be told from the one before: it says its
                // number.
                let before = heard.number(of: place, "\(one.session)")
                let isNamed = (before ?? one.number) != one.number || Bool.random(using: &generator)
                told = (.interimUpdate, one.session, one.address, isNamed ? one.number : nil)
            case 6...7:
                guard let index = live[place].indices.randomElement(using: &generator) else { continue }
                let one = live[place].remove(at: index)
                told = (.stop, one.session, Bool.random(using: &generator) ? one.address : nil, nil)
            default:
                live[place] = []
                told = (Bool.random(using: &generator) ? .accountingOn : .accountingOff, nil, nil, nil)
            }
            guard Int.random(in: 0..<5, using: &generator) > 0 else { continue }
            var names = kinds.intersection(.init(rawValue: .random(in: 0...7, using: &generator)))
            let isShared = names.isDisjoint(with: [.ipv4, .ipv6]) ? haveProxies : haveSameAddress
            if isShared, let session = told.session, session <= 2 { names.insert(.identifier) }
            let session = told.session.map { "\($0)" } ?? ""
            var request = network.request(told.0, session, at: time, address: told.address, number: told.number)
            let last = haveSameAddress ? 1 : place + 1
            request.nasIdentifier = names.contains(.identifier) ? Array("pgw\(place + 1)".utf8) : nil
            request.nasIPAddress = names.contains(.ipv4) ? InternetAddress("10.1.1.\(last)") : nil
            request.nasIPv6Address = names.contains(.ipv6) ? InternetAddress("2001:db8:ffff::\(last)") : nil
            let way = haveProxies ? Int.random(in: 0...1, using: &generator) : place
            let packet = Told(
                request: request, source: sources[way], place: place, session: session, address: told.address,
                number: told.number)
            history.append(packet)
            heard.hear(packet)
        }
        for index in history.indices.reversed() where Int.random(in: 0..<5, using: &generator) == 0 {
            var again = history[index]
            again.isRepeated = true
            history.insert(again, at: Int.random(in: (index + 1)...history.count, using: &generator))
        }
        return history
    }

    /// The possible holder of each address. The model knows which NAS really sent each packet, and that one which is
    /// sent again is no news.
    private struct Model {
        var holders: [String: (number: String, place: Int, session: String)] = [:]

        func number(of place: Int, _ session: String) -> String? {
            holders.values.first { ($0.place, $0.session) == (place, session) }?.number
        }

        mutating func hear(_ told: Told) {
            guard !told.isRepeated else { return }
            switch told.request.status {
            case .accountingOn, .accountingOff: holders = holders.filter { $0.value.place != told.place }
            case .stop:
                holders = holders.filter {
                    ($0.value.place, $0.value.session) != (told.place, told.session) && $0.key != told.address
                }
            default:
                let number = told.number ?? self.number(of: told.place, told.session)
                holders = holders.filter { ($0.value.place, $0.value.session) != (told.place, told.session) }
                if let address = told.address { holders[address] = number.map { ($0, told.place, told.session) } }
            }
        }
    }

    /// Sessions by the one name that a packet happens to have: how Benji kept them before.
    private struct NaiveModel {
        var holders: [String: (number: String, scope: String, session: String)] = [:]

        mutating func hear(_ told: Told) {
            guard !told.isRepeated else { return }
            let scope = NASNames.scope(server: "pgw", told.names)
            switch told.request.status {
            case .accountingOn, .accountingOff: holders = holders.filter { $0.value.scope != scope }
            case .stop: holders = holders.filter { ($0.value.scope, $0.value.session) != (scope, told.session) }
            default:
                if let address = told.address, let number = told.number {
                    holders[address] = (number, scope, told.session)
                }
            }
        }
    }

    @Test(
        """
        In 1,000 random sequences nobody is named who can no longer hold the address; a directory by one name names them
        """
    )
    func randomSequences() async throws {
        var generator = SeededGenerator(seed: 2866)
        var (named, wrong) = (0, 0)
        var configuration = Network.configuration([Self.server(["192.0.2.1", "192.0.2.2"])])
        for round in 0..<1000 {
            // In half of them the gateway has forgotten most packets when they are sent again.
            configuration.duplicateLimit = round % 2 == 0 ? 64 : 2
            let network = try Network(configuration)
            let history = Self.history(network, &generator)
            network.clock.advance(by: 30)
            var (model, naive) = (Model(), NaiveModel())
            for told in history {
                try await network.send(told.request, from: told.source)
                model.hear(told)
                naive.hear(told)
                for last in 1...4 {
                    let address = "10.0.0.\(last)"
                    if let number = naive.holders[address]?.number, model.holders[address]?.number != number {
                        wrong += 1
                    }
                    guard case .success(let row) = network.holder(address) else { continue }
                    named += 1
                    let possible = model.holders[address].flatMap { network.register.row($0.number) }
                    #expect(
                        row == possible,
                        "round \(round), \(address): \(history.map { "\($0)" }.joined(separator: "\n"))")
                }
            }
        }
        #expect(named > 1000)
        #expect(wrong > 100)
    }
}
