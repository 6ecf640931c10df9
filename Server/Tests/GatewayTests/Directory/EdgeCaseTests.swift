@_spi(Server) import BenjiProtocol
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// The cases that a gateway must decide, in the order of `docs/architecture.md`.
struct EdgeCaseTests {
    @Test("1: a packet repeated byte by byte gets the same answer and changes nothing")
    func duplicate() async throws {
        let network = try Network()
        let packet = try network.datagram(network.request(.start, "a", address: "10.0.0.1", number: "8613800000001"))
        let first = await network.gateway.processor.process([packet])
        let second = await network.gateway.processor.process([packet])
        #expect(first.map(\.bytes) == second.map(\.bytes) && first.count == 1)
        #expect(network.register.observed == 1)
        #expect(network.gateway.counts.packets["repeated"] == 1)
    }

    @Test("1: an event repeated with a later Acct-Delay-Time is answered and not applied again")
    func duplicateEvent() async throws {
        let network = try Network()
        var request = network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001")
        try await network.send(request)
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.2"))
        // The repetition comes after an event of the same second that moved the session.
        request.delay = 5
        network.clock.advance(by: 5)
        #expect(try await network.send(request) == 1)
        #expect(network.holder("10.0.0.2") == .success(1))
        #expect(network.holder("10.0.0.1") == .failure(.unknownAddress))
    }

    @Test("2: a late Stop of an old session does not end a newer one on its address")
    func lateStop() async throws {
        let network = try Network()
        try await network.start("old")
        network.clock.advance(by: 60)
        try await network.start("new", number: "8613800000002")
        try await network.send(network.request(.stop, "old", at: 59))
        #expect(network.holder() == .success(2))
    }

    @Test("2: a Start that comes after its own Stop brings nothing back")
    func lateStart() async throws {
        let network = try Network()
        network.clock.advance(by: 20)
        try await network.send(network.request(.stop, "a", at: 10))
        try await network.start("a", at: 0)
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test("2: a late Start from before an address became free does not take it")
    func lateStartOfUnheard() async throws {
        let network = try Network()
        try await network.start("b", at: 0)
        network.clock.advance(by: 60)
        try await network.send(network.request(.stop, "b", at: 50))
        try await network.start("a", at: 10, number: "8613800000002")
        #expect(network.holder() == .failure(.unknownAddress))
        try await network.start("c", at: 50, number: "8613800000003")
        #expect(network.holder() == .success(3))
    }

    @Test("3: a Start on a held address closes the old session and revokes its binding")
    func reuse() async throws {
        let network = try Network()
        try await network.start("old")
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 60)
        try await network.start("new", number: "8613800000002")
        #expect(network.holder() == .success(2))
        #expect(network.register.revoked == [binding])
        #expect(try network.sighting().get().binding != binding)
    }

    @Test("3: a Stop that names an address ends whoever is still believed to hold it, if that was heard of before")
    func reuseSeenAtTheEnd() async throws {
        let network = try Network()
        try await network.start("old")
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 60)
        try await network.send(network.request(.stop, "unheard", address: "10.0.0.1"))
        #expect(network.holder() == .failure(.unknownAddress))
        #expect(network.register.revoked == [binding])
        // The same news, about a time before the present holder.
        try await network.start("new", number: "8613800000002")
        try await network.send(network.request(.stop, "unheard-2", at: 60, address: "10.0.0.1"))
        #expect(network.holder() == .success(2))
    }

    @Test("3: the same person on the same address again revokes nothing")
    func reuseBySamePerson() async throws {
        let network = try Network()
        try await network.start("old")
        network.clock.advance(by: 60)
        try await network.start("new")
        #expect(network.holder() == .success(1))
        #expect(network.register.revoked.isEmpty)
    }

    @Test("3: the end of a session that is learned late revokes its binding; in time it does not", arguments: [5, 60])
    func lateEnd(seconds: Int64) async throws {
        let network = try Network()
        try await network.start("a")
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 100)
        try await network.send(network.request(.stop, "a", at: 100 - seconds))
        #expect(network.register.revoked == (seconds == 60 ? [binding] : []))
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test(
        "3: an address or prefix that a session has left, learned late, revokes its binding; in time it does not",
        arguments: [5, 60])
    func lateMove(seconds: Int64) async throws {
        for isPrefix in [false, true] {
            let network = try Network()
            try await network.start("a", address: "10.0.0.1", prefix: "2001:db8:1::/64")
            let binding = try network.sighting().get().binding
            network.clock.advance(by: 100)
            try await network.send(
                network.request(
                    .interimUpdate, "a", at: 100 - seconds, address: isPrefix ? "10.0.0.1" : "10.0.0.2",
                    prefix: isPrefix ? "2001:db8:2::/64" : "2001:db8:1::/64", number: "8613800000001"))
            #expect(network.register.revoked == (seconds == 60 ? [binding] : []))
            #expect(network.holder(isPrefix ? "2001:db8:2::1" : "10.0.0.2") == .success(1))
            #expect(network.holder(isPrefix ? "2001:db8:1::1" : "10.0.0.1") == .failure(.unknownAddress))
        }
    }

    @Test("4: an Interim-Update with number and address makes the session whose Start was lost")
    func lostStart() async throws {
        let network = try Network()
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
        #expect(network.holder() == .success(1))
    }

    @Test("4: an Interim-Update of one session on an address that another holds does not say which of the two is wrong")
    func interimOnHeldAddress() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 10)
        let update = network.request(.interimUpdate, "b", address: "10.0.0.1", number: "8613800000002")
        try await network.send(update)
        #expect(network.holder() == .failure(.ambiguousAddress))
        network.clock.advance(by: 10)
        try await network.start("b", number: "8613800000002")
        #expect(network.holder() == .success(2), "a Start says it")
    }

    @Test(
        "4: a session holds no address or prefix that it has left, also where another is believed on the one it names")
    func leftForAHeldOne() async throws {
        let network = try Network()
        try await network.start("s", prefix: "2001:db8:1:1::/64")
        network.clock.advance(by: 10)
        try await network.start(
            "t", at: 1, address: "10.0.0.2", prefix: "2001:db8:1:2::/64", number: "8613800000002")
        try await network.send(
            network.request(.interimUpdate, "t", at: 6, address: "10.0.0.2", number: "8613800000002"))
        try await network.send(network.request(.interimUpdate, "s", at: 4, address: "10.0.0.2"))
        #expect(network.holder("10.0.0.1") == .failure(.unknownAddress))
        #expect(network.holder("10.0.0.2") == .failure(.ambiguousAddress))
        #expect(network.holder("2001:db8:1:1::1") == .success(1), "nothing was said of its prefix")
        try await network.send(network.request(.interimUpdate, "s", at: 5, prefix: "2001:db8:1:2::/64"))
        #expect(network.holder("2001:db8:1:1::1") == .failure(.unknownAddress))
        // An update that names none leaves it without; one that names its address gives it back.
        try await network.send(network.request(.interimUpdate, "s", at: 8))
        #expect(network.holder("10.0.0.1") == .failure(.unknownAddress))
        try await network.send(network.request(.interimUpdate, "s", at: 9, address: "10.0.0.1"))
        #expect(network.holder("10.0.0.1") == .success(1))
    }

    @Test("a session's carrier is that of the NAS that announced it", arguments: [Carrier.mobile, .unicom, .telecom])
    func carrier(_ carrier: Carrier) async throws {
        var server = Network.server
        server.carrier = carrier
        let network = try Network(Network.configuration([server]))
        try await network.start("a")
        #expect(try network.sighting().get().carrier == carrier)
        #expect(try !network.sighting().get().roaming)
    }

    @Test("4: an Interim-Update without a number makes a session that cannot log in")
    func lostStartWithoutNumber() async throws {
        let network = try Network()
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1"))
        #expect(network.holder() == .failure(.unsupportedSubscriber))
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
        #expect(network.holder() == .success(1))
    }

    @Test("5: a session is stale after two silent interim intervals, and live again when heard of")
    func silence() async throws {
        let network = try Network()
        try await network.start("a")
        // Others of its NAS are heard of.
        network.clock.advance(by: 600)
        try await network.start("b", address: "10.0.0.2", number: "8613800000002")
        network.clock.advance(by: 600)
        #expect(network.holder() == .success(1))
        network.clock.advance(by: 1)
        #expect(network.holder() == .failure(.staleAddress))
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1"))
        #expect(network.holder() == .success(1))
    }

    @Test(
        "6: Accounting-On ends that NAS's earlier sessions and no others",
        arguments: [AccountingStatus.accountingOn, .accountingOff])
    func reset(status: AccountingStatus) async throws {
        let network = try Network()
        try await network.start("a", at: 0)
        try await network.send(
            network.request(.start, "b", at: 0, address: "10.0.0.2", number: "8613800000002", nas: "pgw-2"))
        network.clock.advance(by: 30)
        // A session of the new life, whose Start overtook the Accounting-On.
        try await network.start("c", at: 30, address: "10.0.0.3", number: "8613800000003")
        try await network.send(network.request(status, "", at: 25))
        #expect(network.holder("10.0.0.1") == .failure(.unknownAddress))
        #expect(network.holder("10.0.0.2") == .success(2))
        #expect(network.holder("10.0.0.3") == .success(3))
        // A late Start from before the reset.
        try await network.start("d", at: 24, address: "10.0.0.4", number: "8613800000004")
        #expect(network.holder("10.0.0.4") == .failure(.unknownAddress))
    }

    @Test("6: a session that begins again in the very second of its NAS's restart is there")
    func beginsWithReset() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 30)
        try await network.send(network.request(.accountingOn, ""))
        try await network.start("a", number: "8613800000002")
        #expect(network.holder() == .success(2))
    }

    @Test("6: it is there too when its Start comes in one batch with the Accounting-On")
    func beginsWithResetInOneBatch() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 30)
        try await network.send(
            network.request(.accountingOn, ""),
            network.request(.start, "a", address: "10.0.0.1", number: "8613800000002"))
        #expect(network.holder() == .success(2))
    }

    @Test("6: a session that outlived the restart of its NAS comes back with its Interim-Update")
    func resetAndResync() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 30)
        try await network.send(network.request(.accountingOn, "", at: 30))
        try await network.send(
            network.request(.interimUpdate, "a", at: 30, address: "10.0.0.1", number: "8613800000001"))
        #expect(network.holder() == .success(1))
    }

    @Test("7: an Interim-Update adds a prefix, moves the address, and leaves what it does not mention")
    func change() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 10)
        try await network.send(network.request(.interimUpdate, "a", prefix: "2001:db8:1:2::/64"))
        #expect(network.holder() == .success(1))
        #expect(network.holder("2001:db8:1:2:abcd::1") == .success(1))
        #expect(network.holder("2001:db8:1:3::1") == .failure(.unknownAddress))
        network.clock.advance(by: 10)
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.9"))
        #expect(network.holder("10.0.0.9") == .success(1))
        #expect(network.holder("10.0.0.1") == .failure(.unknownAddress))
        #expect(network.holder("2001:db8:1:2::1") == .success(1))
        network.clock.advance(by: 10)
        try await network.send(network.request(.stop, "a"))
        #expect(network.holder("2001:db8:1:2::1") == .failure(.unknownAddress))
    }

    @Test("8: the Stop of one bearer is not the end of the session")
    func bearers() async throws {
        let network = try Network()
        let imsi = "460000000000001"
        try await network.start("first", imsi: imsi)
        network.clock.advance(by: 10)
        try await network.start("second", imsi: imsi)
        #expect(network.register.revoked.isEmpty)
        network.clock.advance(by: 10)
        var stop = network.request(.stop, "second", imsi: imsi)
        try await network.send(stop)
        #expect(network.holder() == .success(1))
        stop = network.request(.stop, "first", imsi: imsi)
        try await network.send(stop)
        #expect(network.holder() == .success(1))
        stop.endsSession = true
        network.clock.advance(by: 1)
        stop.eventTimestamp = UInt32(network.clock.now.seconds)
        try await network.send(stop)
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test("8: the session's end may be reported under its second bearer's name")
    func lastBearer() async throws {
        let network = try Network()
        let imsi = "460000000000001"
        try await network.start("first", imsi: imsi)
        network.clock.advance(by: 10)
        try await network.start("second", imsi: imsi)
        network.clock.advance(by: 10)
        var stop = network.request(.stop, "second", imsi: imsi)
        stop.endsSession = true
        try await network.send(stop)
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test("9: the same private address in another domain is another subscriber")
    func domains() async throws {
        var other = Network.server
        other.name = "pgw-enterprise"
        other.sources = [IPPrefix("192.0.2.2")!]
        other.domain = "enterprise"
        let network = try Network(Network.configuration([Network.server, other]))
        try await network.start("a")
        let request = network.request(.start, "a", address: "10.0.0.1", number: "8613800000002")
        try await network.send(request, from: InternetAddress("192.0.2.2")!)
        #expect(network.holder(domain: "cmnet") == .success(1))
        #expect(network.holder(domain: "enterprise") == .success(2))
        #expect(network.holder(domain: "elsewhere") == .failure(.unknownAddress))
    }

    @Test(
        "11: a number that is no number, or out of range, takes the address and cannot log in",
        arguments: ["MACHINE", "861064800000001", "8616500000001", ""])
    func numbers(text: String) async throws {
        var server = Network.server
        server.numberRanges = ["8613", "8610648"]
        server.excludedNumberRanges = ["8610648"]
        let network = try Network(Network.configuration([server]))
        try await network.start("a")
        network.clock.advance(by: 10)
        try await network.send(network.request(.start, "b", address: "10.0.0.1", number: text.isEmpty ? nil : text))
        #expect(network.holder() == .failure(.unsupportedSubscriber))
        #expect(network.register.revoked.count == 1)
    }

    @Test("11: another SIM under the same session is another generation and another binding")
    func changedSIM() async throws {
        let network = try Network()
        // Of a SIM the directory keeps twelve bits of a hash, which is another one in each process.
        func identity(_ imsi: String) -> UInt32 {
            var event = AccountingEvent(kind: .interim, nas: 0, scope: "", key: .none, time: 0)
            event.imsi = imsi
            return network.gateway.directory.withLockedValue { [event] in $0.identity(of: event) }
        }
        let first = "460000000000001"
        let second = try #require(
            (2...9).map { "46000000000000\($0)" }.first { identity($0) != identity(first) })
        try await network.start("a", imsi: first)
        let before = try network.sighting().get()
        network.clock.advance(by: 10)
        try await network.send(
            network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001", imsi: second))
        let after = try network.sighting().get()
        #expect(after.subscription.simGeneration == before.subscription.simGeneration + 1)
        #expect(after.binding != before.binding)
    }

    @Test("11: an Interim-Update without IMSI is no change of SIM")
    func unmentionedSIM() async throws {
        let network = try Network()
        try await network.start("a", imsi: "460000000000001")
        let before = try network.sighting().get()
        network.clock.advance(by: 10)
        for imsi in [nil, "460000000000001"] {
            try await network.send(
                network.request(
                    .interimUpdate, "a", address: "10.0.0.1", number: "8613800000001", imsi: imsi))
        }
        #expect(try network.sighting().get().binding == before.binding)
        #expect(network.register.observed == 1)
    }

    @Test("11: another number under the same session revokes the first one's binding")
    func changedNumber() async throws {
        let network = try Network()
        try await network.start("a")
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 10)
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000002"))
        #expect(network.holder() == .success(2))
        #expect(network.register.revoked == [binding])
    }

    @Test("11: an Interim-Update that says nothing new does not ask the register")
    func quietInterim() async throws {
        let network = try Network()
        try await network.start("a")
        for _ in 0..<5 {
            network.clock.advance(by: 60)
            try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
        }
        #expect(network.register.observed == 1)
        network.clock.advance(by: 600)
        #expect(network.holder() == .success(1))
    }

    @Test("12: a proxy's NASes are told apart, its Proxy-States come back in order, and a loop is dropped")
    func proxies() async throws {
        let network = try Network()
        try await network.start("same-name", address: "10.0.0.1")
        try await network.send(
            network.request(.start, "same-name", address: "10.0.0.2", number: "8613800000002", nas: "pgw-2"))
        #expect(network.holder("10.0.0.1") == .success(1))
        #expect(network.holder("10.0.0.2") == .success(2))
        let request = network.request(.interimUpdate, "same-name")
        func answer(_ states: [[UInt8]], _ identifier: UInt8) async throws -> Packet? {
            let bytes = try request.packet(identifier: identifier, secret: Network.secret, proxyStates: states)
            let answers = await network.gateway.processor.process([
                Datagram(bytes: bytes, source: Network.source, port: 1)
            ])
            return try answers.first.map { try Packet(decoding: $0.bytes) }
        }
        let states: [[UInt8]] = [[3], [1], [2]]
        #expect(try await answer(states, 200)?.all(.proxyState).map { Array($0.value) } == states)
        #expect(try await answer(Array(repeating: [1], count: 17), 201) == nil)
        #expect(network.gateway.counts.packets["proxy_loop"] == 1)
        let feed = try #require(network.gateway.feeds.first)
        #expect(
            feed.counts.taken == 3 && feed.counts.faults.mapValues(\.count) == [.dropped(.proxyLoop): 1]
                && feed.sessions == 2)
        #expect(feed.counts.heardAt == network.clock.now && !feed.isSilent)
    }

    @Test(
        "13: the serving network says whether the subscriber is roaming",
        arguments: [("46000", false), ("46002", false), ("45400", true)])
    func roaming(network code: String, isRoaming: Bool) async throws {
        var server = Network.server
        server.homeNetworks = ["46000", "46002"]
        let network = try Network(Network.configuration([server]))
        var request = network.request(
            .start, "a", address: "10.0.0.1", number: "8613800000001", imsi: "460020000000001")
        request.servingNetwork = code
        try await network.send(request)
        #expect(try network.sighting().get().roaming == isRoaming)
    }

    @Test("14: only the phone's own address is confirmed")
    func localAddress() async throws {
        let network = try Network()
        try await network.start("a", prefix: "2001:db8:1:2::/64")
        func confirmed(_ source: String, _ claimed: String?) throws -> Bool {
            try network.sighting(source, claimed: claimed).get().localAddressConfirmed
        }
        #expect(try confirmed("10.0.0.1", "10.0.0.1"))
        #expect(try !confirmed("10.0.0.1", "192.168.43.7"))
        #expect(try !confirmed("10.0.0.1", nil))
        #expect(try !confirmed("10.0.0.1", "2001:db8:1:2::1"))
        #expect(try confirmed("2001:db8:1:2::1", "2001:db8:1:2::1"))
        #expect(try !confirmed("2001:db8:1:2::1", "2001:db8:1:2::2"))
        #expect(try !confirmed("2001:db8:1:2::1", "10.0.0.1"))
    }

    @Test("15: unknown senders, wrong secrets, foreign pools and floods get no answer and change nothing")
    func security() async throws {
        var server = Network.server
        server.rateLimit = 2
        let network = try Network(Network.configuration([server]))
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        #expect(try await network.send(start, from: InternetAddress("192.0.2.9")!) == 0)
        let forged = try start.packet(identifier: 1, secret: SharedSecret("another secret!!")!)
        #expect(
            await network.gateway.processor.process([Datagram(bytes: forged, source: Network.source, port: 1)]).isEmpty)
        #expect(
            try await network.send(network.request(.start, "a", address: "198.51.100.1", number: "8613800000001")) == 0)
        #expect(network.gateway.counts.sessions == 0)
        for index in 0..<4 {
            try await network.send(
                network.request(.start, "s\(index)", address: "10.0.0.\(index)", number: "8613800000001"))
        }
        let counts = network.gateway.counts
        #expect(counts.packets["unknown_nas"] == 1)
        #expect(counts.packets["bad_authenticator"] == 1)
        #expect(counts.packets["outside_pools"] == 1)
        #expect(counts.packets["rate_limited"] == 2)
        #expect(counts.sessions == 2)
    }

    @Test("15: an address, a prefix or a port block outside the NAS's pools is believed of none of them")
    func outsidePools() async throws {
        let network = try Network()
        func sent(_ change: (inout AccountingRequest) -> Void) async throws -> Int {
            var request = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
            change(&request)
            return try await network.send(request)
        }
        #expect(try await sent { $0.framedAddress = InternetAddress("11.0.0.1")! } == 0)
        #expect(try await sent { $0.framedPrefix = IPPrefix("2001:db9:1:2::/64")! } == 0)
        #expect(try await sent { $0.framedPrefix = IPPrefix("2001::/16")! } == 0, "wider than the pool")
        let block = PortBlock(address: InternetAddress("203.0.114.1")!, ports: 1024...1535)
        #expect(try await sent { $0.portBlocks = [block] } == 0)
        #expect(network.gateway.counts.packets["outside_pools"] == 4)
        #expect(network.holder() == .failure(.unknownAddress))
        #expect(try await sent { _ in } == 1)
    }

    @Test("15: the addresses of a packet that is refused for what it holds are in doubt, once for each packet")
    func refused() async throws {
        let network = try Network()
        try await network.start("old")
        func phone() -> AccountingRequest {
            network.request(.start, "new", address: "10.0.0.1", number: "8613800000002")
        }
        for reason in ["outside_pools", "invalid"] {
            var request = phone()
            if reason == "invalid" {
                request.sessionID = nil
            } else {
                request.framedPrefix = IPPrefix("2001:db9:1:2::/64")!
            }
            let before = network.gateway.counts.packets[reason] ?? 0
            let datagram = try network.datagram(request)
            #expect(network.holder() == .success(1))
            _ = await network.gateway.processor.process([datagram])
            #expect(network.gateway.counts.packets[reason] == before + 1)
            // A naive gateway drops the packet and goes on naming the earlier holder.
            #expect(network.holder() == .failure(.unconfirmedAddress))
            network.clock.advance(by: 1)
            try await network.send(
                network.request(.interimUpdate, "old", address: "10.0.0.1", number: "8613800000001"))
            #expect(network.holder() == .success(1))
            // A recording that is played again changes nothing.
            _ = await network.gateway.processor.process([datagram])
            #expect(network.holder() == .success(1))
        }
    }

    @Test(
        "15: a refused Interim-Update or late Stop does not put the session in doubt that holds its address for certain"
    )
    func refusedOfHolder() async throws {
        let network = try Network()
        try await network.start("first", number: "8613800000002")
        network.clock.advance(by: 10)
        var stop = network.request(.stop, "first", address: "10.0.0.1")
        stop.framedPrefix = IPPrefix("2001:db9:1:2::/64")!
        try await network.send(stop)
        #expect(network.holder() == .failure(.unconfirmedAddress), "its own Stop was refused")
        network.clock.advance(by: 10)
        try await network.start("second")
        #expect(network.holder() == .success(2))
        // The NAS repeats the Stop, with another Acct-Delay-Time each time.
        for delay in [UInt32(10), 20] {
            stop.delay = delay
            #expect(try await network.send(stop) == 0)
            #expect(network.holder() == .success(2))
        }
        network.clock.advance(by: 10)
        var interim = network.request(.interimUpdate, "second", address: "10.0.0.1", number: "8613800000001")
        interim.framedPrefix = IPPrefix("2001:db9:1:2::/64")!
        #expect(try await network.send(interim) == 0)
        #expect(network.holder() == .success(2))
    }

    @Test("15: a replayed old Start does not bring an address back, hours later either")
    func replay() async throws {
        let network = try Network()
        let captured = try network.datagram(network.request(.start, "a", address: "10.0.0.1", number: "8613800000001"))
        _ = await network.gateway.processor.process([captured])
        network.clock.advance(by: 10)
        try await network.send(network.request(.stop, "a"))
        for wait in [1, 700, 700, 7200] as [Int64] {
            network.clock.advance(by: wait)
            // Under another source port: past the cache of repeated packets.
            let replayed = Datagram(bytes: captured.bytes, source: captured.source, port: UInt16(wait))
            _ = await network.gateway.processor.process([replayed])
            #expect(network.holder() == .failure(.unknownAddress))
        }
    }

    @Test("15: an event ahead of our clock is not answered, and its address is in doubt until something newer is heard")
    func future() async throws {
        let network = try Network()
        try await network.start("old")
        network.clock.advance(by: 1)
        let ahead = network.request(.start, "a", at: 62, address: "10.0.0.1", number: "8613800000002")
        #expect(try await network.send(ahead) == 0)
        #expect(network.gateway.counts.packets["clock"] == 1)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        network.clock.advance(by: 1)
        #expect(try await network.send(ahead) == 1)
        #expect(network.holder() == .success(2))
    }
}
