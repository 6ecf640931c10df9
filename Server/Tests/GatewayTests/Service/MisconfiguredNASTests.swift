@_spi(Server) import BenjiProtocol
import Logging
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// A NAS that is configured wrongly, beside one that is in order.
@Suite("Misconfigured NASes")
struct MisconfiguredNASTests {
    /// One fault of all packets of a NAS.
    struct Fault: Sendable, CustomTestStringConvertible {
        var reason: String
        /// Words of the problem and of the remedy.
        var words: [String]
        var isAnswered = false
        var settings: @Sendable (inout NetworkAccessServer) -> Void = { _ in }
        var secret = Network.secret
        var request: @Sendable (inout AccountingRequest) -> Void = { _ in }
        /// Of packets whose authenticators fit.
        var attributes: @Sendable (inout [Attribute]) throws -> Void = { _ in }
        var bytes: @Sendable (inout [UInt8]) -> Void = { _ in }
        var testDescription: String { "\(reason): \(words.joined(separator: ", "))" }
    }

    private static func date(_ seconds: Int64) -> @Sendable (inout AccountingRequest) -> Void {
        return { request in request.eventTimestamp = request.eventTimestamp.map { UInt32(Int64($0) + seconds) } }
    }

    /// Makes a request a NAT's report.
    private static func report(_ request: inout AccountingRequest) {
        (request.framedAddress, request.callingStation) = (nil, nil)
        request.internalAddress = InternetAddress("10.0.0.100")!
        request.portBlocks = [PortBlock(address: InternetAddress("203.0.113.1")!, ports: 1024...1535)]
    }

    private static let refused: [Fault] = [
        Fault(
            reason: "bad_authenticator", words: ["shared secret", "nas.bad.secret"],
            secret: SharedSecret("another secret!!")!),
        Fault(
            reason: "bad_authenticator", words: ["Message-Authenticator, attribute 80", "nas.bad.secret"],
            attributes: { $0.append(try Attribute(.messageAuthenticator, [UInt8](repeating: 9, count: 16))) }),
        Fault(
            reason: "malformed", words: ["Message-Authenticator, attribute 80", "RFC 2865"],
            attributes: { $0.append(try Attribute(.messageAuthenticator, [9])) }),
        Fault(
            reason: "malformed", words: ["Acct-Status-Type, attribute 40", "RFC 2865"], bytes: { $0[21] = 255 }),
        Fault(
            reason: "invalid", words: ["required attribute is missing (Acct-Session-Id, attribute 44)", "let the NAS"],
            request: { $0.sessionID = nil }),
        Fault(
            reason: "invalid", words: ["required attribute is missing (Acct-Status-Type, attribute 40)"],
            attributes: { $0.removeAll { $0.type == .acctStatusType } }),
        Fault(
            reason: "invalid", words: ["Framed-IPv6-Prefix, attribute 97", "let the NAS"],
            attributes: { $0.append(try Attribute(.framedIPv6Prefix, [0, 200])) }),
        Fault(
            reason: "invalid", words: ["more often than it may (Calling-Station-Id, attribute 31)"],
            attributes: { $0.append(try Attribute(.callingStationID, Array("8613700000000".utf8))) }),
        Fault(
            reason: "unexpected_code", words: ["other packets than accounting", "Accounting-Request"],
            bytes: { $0[0] = 1 }),
        Fault(reason: "rate_limited", words: ["nas.bad.rate"], settings: { $0.rateLimit = 1 }),
        Fault(
            reason: "outside_pools", words: ["nas.bad.pools"],
            request: { $0.framedAddress = InternetAddress("11.0.0.1") }),
        Fault(
            reason: "clock", words: ["8 h ahead of our clock", "local time sent as UTC", "time zone"],
            request: date(28_800)),
        Fault(
            reason: "no_event_timestamp", words: ["attribute 55"], request: { $0.eventTimestamp = nil }),
        Fault(
            reason: "proxy_loop", words: ["Proxy-States"],
            attributes: { for state in UInt8(0)...16 { $0.append(try Attribute(.proxyState, [state])) } }),
    ]

    private static let answered: [Fault] = [
        Fault(
            reason: "clock_behind", words: ["5.5 h behind our clock", "local time sent as UTC", "time zone"],
            isAnswered: true, request: date(-19_800)),
        Fault(
            reason: "clock_behind", words: ["waited", "Acct-Delay-Time", "proxy"], isAnswered: true,
            request: {
                date(-900)(&$0)
                $0.delay = 900
            }),
        Fault(
            reason: "undated", words: ["attribute 55"], isAnswered: true, settings: { $0.eventTimestamp = .optional },
            request: { $0.eventTimestamp = nil }),
        Fault(
            reason: "no_number", words: ["without Calling-Station-Id", "attribute 31"], isAnswered: true,
            request: { $0.callingStation = nil }),
        Fault(
            reason: "no_number", words: ["without Calling-Station-Id", "attribute 31"], isAnswered: true,
            request: {
                $0.callingStation = nil
                $0.status = .interimUpdate
            }),
        Fault(
            reason: "unusable_number", words: ["mobile number of CN", "nas.bad.country", "nas.bad.number-form"],
            isAnswered: true, request: { $0.callingStation = "861012345678" }),
        Fault(
            reason: "excluded_number", words: ["nas.bad.numbers"], isAnswered: true,
            settings: { $0.numberRanges = ["86199"] }),
        Fault(
            reason: "not_registered", words: ["nas.bad.carrier (mobile)", "benji phone port"], isAnswered: true,
            settings: { $0.country = "US" }, request: { $0.callingStation = "12025550123" }),
        Fault(
            reason: "no_address", words: ["Framed-IP-Address", "Framed-IPv6-Prefix"], isAnswered: true,
            request: { $0.framedAddress = nil }),
        Fault(
            reason: "no_session", words: ["nas.bad.domain", "nas.bad.public-domain"], isAnswered: true,
            request: { report(&$0) }),
        Fault(
            reason: "other_status", words: ["Start, Interim-Update and Stop"], isAnswered: true,
            request: { $0.status = .failed }),
    ]

    static let faults = refused + answered

    private static let source = InternetAddress("192.0.2.2")!

    private static var server: NetworkAccessServer {
        var server = Network.server
        (server.name, server.sources) = ("bad", [IPPrefix("192.0.2.2")!])
        return server
    }

    /// A packet of the NAS that is configured wrongly.
    private func datagram(_ fault: Fault, _ number: Int, _ network: Network) throws -> Datagram {
        var request = network.request(
            .start, "bad-\(number)", address: "10.0.1.\(number)", number: "861390000000\(number)", nas: "bad")
        fault.request(&request)
        var attributes = try request.attributes()
        try fault.attributes(&attributes)
        var bytes = try Packet.accountingRequest(
            identifier: UInt8(number), attributes: attributes, secret: fault.secret)
        fault.bytes(&bytes)
        return Datagram(bytes: bytes, source: Self.source, port: 40_000)
    }

    /// An operator who had only totals without names, and the alert that nothing at all is answered.
    private func isNoticedByTotals(_ counts: GatewayCounts) -> Bool { counts.packets["answered"] == 0 }

    @Test(
        "a NAS whose packets make no phone known is named with reason and remedy, and the NAS beside it is not",
        arguments: faults)
    func named(fault: Fault) async throws {
        let log = LogBook(from: .notice)
        var server = Self.server
        fault.settings(&server)
        let network = try Network(Network.configuration([Network.server, server]), logger: log.logger)
        var answers = 0
        for number in 1...4 {
            try await network.start("good-\(number)", address: "10.0.0.\(number)", number: "861380000000\(number)")
            let packet = try datagram(fault, number, network)
            answers += await network.gateway.processor.process([packet]).count
        }
        let taken = fault.reason == "rate_limited" ? 1 : 0
        #expect(answers == (fault.isAnswered ? 4 : taken))
        #expect(throws: Never.self) { try network.sighting("10.0.0.4").get() }
        #expect(throws: SightingRefusal.self) { try network.sighting("10.0.1.4").get() }

        let feeds = network.gateway.feeds
        #expect(feeds[0].counts.faults.isEmpty && feeds[0].counts.named == 4)
        #expect(feeds[1].counts.faults.map(\.key.reason) == [fault.reason])
        #expect(feeds[1].counts.faults.map(\.value.count) == [4 - taken])
        #expect(feeds[1].counts.named == taken)

        let lines = log.lines.filter { $0.contains("no phone known") }
        #expect(lines.count == 1 && lines[0].contains("nas=bad") && lines[0].contains("reason=\(fault.reason)"))
        let warnings = network.gateway.warnings
        #expect(warnings.count == 1 && warnings[0].hasPrefix("NAS bad: \(fault.reason), "))
        for text in lines + warnings {
            for word in fault.words { #expect(text.contains(word), "\(word): \(text)") }
            for secret in ["8613", "10.0.1.", "11.0.0.1", "1202555"] { #expect(!text.contains(secret), "\(text)") }
        }
        #expect(network.gateway.problem == nil, "the others are served")
        #expect(!isNoticedByTotals(network.gateway.counts), "totals without names hide it")
    }

    @Test("the log names a NAS once a minute, with every reason that has grown since")
    func onceAMinute() async throws {
        let log = LogBook(from: .notice)
        let network = try Network(Network.configuration([Self.server]), logger: log.logger)
        let secret = try #require(Self.faults.first { $0.secret != Network.secret })
        let pools = try #require(Self.faults.first { $0.reason == "outside_pools" })
        var number = 0
        func lines(_ fault: Fault?, packets: Int = 3) async throws -> [String] {
            var datagrams: [Datagram] = []
            if let fault {
                for _ in 0..<packets {
                    number += 1
                    datagrams.append(try datagram(fault, number, network))
                }
            }
            _ = await network.gateway.processor.process(datagrams)
            return log.lines.filter { $0.contains("no phone known") }
        }
        #expect(try await lines(secret).count == 1)
        #expect(try await lines(secret).count == 1)
        #expect(try await lines(pools, packets: 6).count == 1)
        network.clock.advance(by: 59)
        #expect(try await lines(nil).count == 1)
        network.clock.advance(by: 1)
        let second = try await lines(nil)
        #expect(second.count == 2 && second[1].hasSuffix("reason=bad_authenticator outside_pools"))
        network.clock.advance(by: 60)
        #expect(try await lines(nil).count == 2, "nothing new")
        #expect(try await lines(pools).last?.hasSuffix("reason=outside_pools") == true)
    }

    @Test("sessions without a number are counted, and reported only if they are many of a NAS's sessions")
    func share() async throws {
        let network = try Network(Network.configuration([Self.server]))
        let fault = try #require(Self.faults.first { $0.reason == "no_number" })
        let good = Fault(reason: "", words: [])
        for number in 1...5 {
            _ = await network.gateway.processor.process([try datagram(good, number, network)])
        }
        func unnamed(_ numbers: ClosedRange<Int>) async throws -> [String] {
            for number in numbers {
                var request = network.request(.start, "m-\(number)", address: "10.0.2.\(number)", nas: "bad")
                fault.request(&request)
                try await network.send(request, from: Self.source)
            }
            return network.gateway.warnings
        }
        #expect(try await unnamed(1...4).isEmpty)
        #expect(network.gateway.feeds[0].counts.faults.map(\.value.count) == [4])
        let warnings = try await unnamed(5...10)
        #expect(warnings.count == 1 && warnings[0].contains("no_number, 10 packets"))
    }

    @Test("a fault is no longer reported half an hour after its last packet")
    func over() async throws {
        let network = try Network(Network.configuration([Self.server]))
        let fault = try #require(Self.faults.first { $0.reason == "outside_pools" })
        let began = network.clock.now
        network.gateway.processor.measureFeeds(since: began)
        for number in 1...3 { _ = await network.gateway.processor.process([try datagram(fault, number, network)]) }
        for isReported in [true, true, false] {
            #expect(network.gateway.warnings.isEmpty != isReported)
            network.clock.advance(by: 900)
            network.gateway.processor.measureFeeds(since: began)
        }
        #expect(network.gateway.feeds[0].counts.faults.map(\.value.count) == [3], "the total stays")
    }

    @Test("two packets with a fault are not reported, three are if no session is beside them", arguments: allFaults)
    func few(fault: FeedFault) {
        var counts = FeedCounts()
        func isReported(_ count: Int, taken: Int = 0, named: Int = 0, sessions: Int = 0) -> Bool {
            counts.faults = [fault: FeedFaultCount(count: count)]
            (counts.taken, counts.named) = (taken, named)
            return fault.isConspicuous(in: counts, since: FeedCounts(), sessions: sessions)
        }
        #expect(isReported(2, taken: 2) == (fault == .certificateExpired))
        #expect(isReported(3, taken: 3))
        #expect(isReported(3, taken: 100, named: 100, sessions: 100) == (fault == .certificateExpired))
        if fault == .otherStatus || fault == .excludedNumber {
            #expect(!isReported(3, taken: 3, sessions: 10), "a quiet half hour")
        }
    }

    @Test("packets that do not fit the secret are reported if they are many, and a forged one is not")
    func forged() async throws {
        let network = try Network(Network.configuration([Self.server]))
        let fault = try #require(Self.faults.first { $0.secret != Network.secret })
        for number in 1...100 {
            try await network.send(
                network.request(
                    .start, "g-\(number)", address: "10.0.2.\(number)", number: "8613900000\(100 + number)",
                    nas: "bad"),
                from: Self.source)
        }
        for number in 1...31 {
            _ = await network.gateway.processor.process([try datagram(fault, number, network)])
            if number == 1 {
                #expect(network.gateway.feeds[0].counts.faults[.dropped(.badAuthenticator)]?.count == 1)
                #expect(network.gateway.warnings.isEmpty)
            }
        }
        #expect(network.gateway.warnings.map { $0.contains("bad_authenticator, 31 packets") } == [true])
    }

    /// An operator who compared every packet of a fault with sessions.
    private func isNoticedByPackets(_ packets: Int, named: Int) -> Bool { packets >= 10 && packets * 4 > named }

    @Test(
        "a session that the register refuses counts once, however many Interim-Updates it has",
        arguments: [AccountingStatus.start, .interimUpdate])
    func refusedOnce(first: AccountingStatus) async throws {
        var server = Self.server
        server.country = "US"
        let network = try Network(Network.configuration([server]))
        for number in 0..<12 {
            try await network.send(
                network.request(
                    number == 0 ? first : .interimUpdate, "s", address: "10.0.1.1", number: "12025550123", nas: "bad"),
                from: Self.source)
            network.clock.advance(by: 60)
        }
        let counts = network.gateway.feeds[0].counts
        #expect(counts.faults.mapValues(\.count) == [.notRegistered: 1] && counts.named == 0)
        #expect(isNoticedByPackets(counts.taken, named: 20))
    }

    @Test("Interim-Updates of two sessions without an address are not reported beside twenty with one")
    func noAddress() async throws {
        let network = try Network(Network.configuration([Self.server]))
        for round in 0..<7 {
            for number in 1...22 {
                try await network.send(
                    network.request(
                        round == 0 ? .start : .interimUpdate, "s-\(number)",
                        address: number > 2 ? "10.0.1.\(number)" : nil, number: "86139000001\(10 + number)",
                        nas: "bad"),
                    from: Self.source)
            }
            network.clock.advance(by: 1)
        }
        let counts = network.gateway.feeds[0].counts
        #expect(counts.faults.mapValues(\.count) == [.noAddress: 14] && counts.named == 20)
        #expect(network.gateway.warnings.isEmpty)
        #expect(isNoticedByPackets(14, named: counts.named))
    }

    @Test("an Accounting-On whose Event-Timestamp is far behind our clock counts as clock_behind")
    func lateReset() async throws {
        let network = try Network(Network.configuration([Self.server]))
        for _ in 1...3 {
            try await network.send(network.request(.accountingOn, "on", at: -19_800, nas: "bad"), from: Self.source)
            network.clock.advance(by: 1)
        }
        #expect(network.gateway.feeds[0].counts.faults.map(\.key) == [.clockBehind])
    }

    @Test(
        "a NAT's reports make phones known, and are reported if no session is in its domain", arguments: [true, false])
    func reports(isRight: Bool) async throws {
        var server = Self.server
        if !isRight { server.domain = "other" }
        let network = try Network(Network.configuration([Network.server, server]))
        try await network.start("a", address: "10.0.0.100")
        for status in [AccountingStatus.start, .stop] {
            for number in 1...20 {
                var request = network.request(status, "nat-\(number)", nas: "bad")
                Self.report(&request)
                try await network.send(request, from: Self.source)
            }
        }
        let feed = network.gateway.feeds[1]
        let faults: [FeedFault: Int] = isRight ? [:] : [.noSession: 20]
        #expect(feed.counts.named == (isRight ? 20 : 0))
        #expect(feed.counts.faults.mapValues(\.count) == faults)
        #expect(feed.loss == FeedLoss(), "a report begins no session")
        let warnings = network.gateway.warnings
        #expect(warnings.count == faults.count && warnings.allSatisfy { $0.contains("no_session") })
    }

    @Test("a NAS that sends Stops alone is named")
    func stopsOnly() async throws {
        let network = try Network(Network.configuration([Self.server]))
        for number in 1...20 {
            try await network.send(
                network.request(.stop, "s-\(number)", address: "10.0.1.\(number)", nas: "bad"), from: Self.source)
        }
        let warnings = network.gateway.warnings
        #expect(warnings.count == 1 && warnings[0].hasPrefix("NAS bad has ended 20 sessions and begun none"))
    }

    @Test("a NAS whose Starts have no address is not asked to send Starts")
    func startsWithoutAddress() async throws {
        let network = try Network(Network.configuration([Self.server]))
        for status in [AccountingStatus.start, .stop] {
            for number in 1...20 {
                try await network.send(network.request(status, "s-\(number)", nas: "bad"), from: Self.source)
            }
            network.clock.advance(by: 1)
        }
        let feed = network.gateway.feeds[0]
        #expect(feed.loss.stopsWithoutStart == 20 && feed.counts.named == 0)
        #expect(network.gateway.warnings.map { $0.contains("no_address") } == [true])
    }

    static let allFaults: [FeedFault] = {
        let others: [FeedFault] = [
            .noNumber, .unusableNumber, .excludedNumber, .notRegistered, .noAddress, .noSession, .undated, .clockBehind,
            .otherStatus, .certificateExpired,
        ]
        return DropReason.allCases.map { FeedFault.dropped($0) } + others
    }()

    @Test("every reason to refuse a packet has a remedy that names the NAS, or is not the NAS's fault")
    func reasons() {
        let all = Self.allFaults
        #expect(Set(all.map(\.reason)).count == all.count)
        let silent = all.filter { $0.explanation(for: Self.server, last: FeedFaultCount()) == nil }
        #expect(
            Set(silent.map(\.reason)) == [
                "unknown_nas", "in_progress", "full", "shed", "kernel_dropped", "unavailable",
            ])
    }

    @Test("over TLS the remedy of a wrong secret is the one secret that RFC 6614 has, and no setting")
    func secretOverTLS() {
        var server = Self.server
        let fault = FeedFault.dropped(.badAuthenticator)
        #expect(fault.explanation(for: server, last: FeedFaultCount())?.contains("nas.bad.secret") == true)
        server.certificates = [.host("pgw-1.example")]
        let text = fault.explanation(for: server, last: FeedFaultCount()) ?? ""
        #expect(text.contains("is not radsec") && text.contains("set it on the NAS"))
        #expect(!text.contains("nas.bad.secret"))
    }

    @Test("packets that the gateway loses or cannot process count under their NAS, and no setting of it is blamed")
    func ownFaults() async throws {
        let network = try Network(Network.configuration([Network.server, Self.server]))
        network.gateway.processor.didShed([Self.source, Self.source])
        let twice = try network.datagram(
            network.request(.start, "b", address: "10.0.1.2", number: "8613900000002", nas: "bad"), from: Self.source)
        _ = await network.gateway.processor.process([twice, twice])
        network.register.setFailing(true)
        try await network.send(
            network.request(.start, "a", address: "10.0.1.1", number: "8613900000001", nas: "bad"), from: Self.source)
        #expect(network.gateway.feeds[0].counts.faults.isEmpty)
        #expect(
            network.gateway.feeds[1].counts.faults.mapValues(\.count) == [
                .dropped(.shed): 2, .dropped(.inProgress): 1, .dropped(.unavailable): 1,
            ])
        #expect(!network.gateway.warnings.contains { $0.hasPrefix("NAS bad") })
    }
}
