@_spi(Server) import BenjiProtocol
import RADIUS
import Testing

@testable import Gateway

/// The content of packets, and the handling of those that are not taken, without a directory.
struct AccountingReadingTests {
    private let now = Timestamp(seconds: Network.start)

    private func request(_ status: AccountingStatus = .start, at seconds: Int64? = 0) -> AccountingRequest {
        var request = AccountingRequest(status: status, sessionID: "a")
        request.nasIdentifier = Array("pgw-1".utf8)
        request.eventTimestamp = seconds.map { UInt32(Network.start + $0) }
        return request
    }

    private func exchange(_ change: (inout NetworkAccessServer) -> Void = { _ in }) -> AccountingExchange {
        var server = Network.server
        change(&server)
        return AccountingExchange(configuration: Network.configuration([server]))
    }

    private func receive(
        _ exchange: inout AccountingExchange, _ request: AccountingRequest, identifier: UInt8 = 1
    ) throws -> AccountingExchange.Decision {
        let bytes = try request.packet(identifier: identifier, secret: Network.secret)
        return exchange.receive(bytes.span, from: Network.source, at: now)
    }

    /// The event of a request that is taken.
    private func event(
        _ request: AccountingRequest, _ change: (inout NetworkAccessServer) -> Void = { _ in }
    ) throws -> AccountingEvent? {
        var exchange = exchange(change)
        guard case .process(let transaction, _) = try receive(&exchange, request) else { return nil }
        return transaction.event
    }

    @Test("each attribute of a packet has its own meaning, and a Stop names nobody")
    func attributes() throws {
        var request = request(at: -5)
        request.framedAddress = InternetAddress("10.0.0.1")
        request.framedPrefix = IPPrefix("2001:db8:1:1::/64")
        request.callingStation = "8613800000001"
        request.imsi = "460000000000001"
        (request.homeNetwork, request.servingNetwork) = ("46000", "45400")
        request.portBlocks = [PortBlock(address: InternetAddress("203.0.113.1")!, ports: 1024...1535)]
        let start = try #require(try event(request))
        #expect(start.kind == .start && start.nas == 0 && start.scope == "pgw\nid:pgw-1")
        #expect(start.key == SessionKey(scope: start.scope, sessionID: Array("a".utf8)))
        #expect(start.names.nasIdentifier == Array("pgw-1".utf8) && start.names.sessionID == Array("a".utf8))
        #expect(start.time == UInt32(Network.start - 5) && start.isTimed)
        #expect(start.address == request.framedAddress && start.prefix == request.framedPrefix)
        #expect(start.blocks == request.portBlocks && start.internalAddress == nil)
        #expect(start.calling == "8613800000001" && start.imsi == "460000000000001")
        #expect(start.isMobile && start.isRoaming == true && !start.endsSession)
        request.status = .stop
        let stop = try #require(try event(request))
        #expect(stop.kind == .stop && stop.calling == nil && stop.imsi == nil && stop.isRoaming == nil)
        #expect(stop.address == start.address && stop.prefix == start.prefix && stop.blocks == start.blocks)
        request.status = .interimUpdate
        #expect(try event(request)?.kind == .interim)
        for status in [AccountingStatus.accountingOn, .accountingOff] {
            request.status = status
            let reset = try #require(try event(request))
            #expect(reset.kind == .reset && reset.key == .none && reset.address == nil && reset.calling == nil)
        }
        let bare = try #require(try event(self.request()))
        #expect(bare.calling == nil && bare.address == nil && bare.isRoaming == nil && !bare.isMobile)
    }

    @Test("a Stop ends the session if it says so, or comes from a NAS that says it of none")
    func ends() throws {
        for (imsi, says, sends) in [nil, "460000000000001"].flatMap({ imsi in
            [(imsi, false, false), (imsi, false, true), (imsi, true, false), (imsi, true, true)]
        }) {
            var request = request(.stop)
            (request.imsi, request.endsSession) = (imsi, says)
            let event = try event(request) { $0.sendsSessionStopIndicator = sends }
            #expect(event?.endsSession == (says || imsi == nil || !sends), "\(imsi ?? "") \(says) \(sends)")
        }
    }

    @Test("who roams is told by the NAS's home networks, else by the subscriber's, else by the card")
    func roaming() throws {
        for (homes, home, imsi, serving, isRoaming) in [
            ([], "46000", "460000000000001", nil, nil), (["46000", "46002"], "45400", nil, "46002", false),
            (["46000"], "46001", nil, "46001", true), ([], "46000", "460010000000001", "46000", false),
            ([], "46000", "460010000000001", "46001", true), ([], nil, "460000000000001", "46000", false),
            ([], nil, "460000000000001", "46001", true), ([], nil, nil, "46000", nil),
        ] as [(Set<String>, String?, String?, String?, Bool?)] {
            var request = request()
            (request.homeNetwork, request.imsi, request.servingNetwork) = (home, imsi, serving)
            let event = try #require(try event(request) { $0.homeNetworks = homes })
            #expect(event.isRoaming == isRoaming, "\(homes) \(home ?? "") \(imsi ?? "") \(serving ?? "")")
        }
    }

    @Test("a packet is taken as far ahead of our clock as is tolerated, and beyond that it is only a doubt")
    func ahead() throws {
        var exchange = exchange()
        guard case .process = try receive(&exchange, request(at: 60)) else {
            Issue.record("not taken")
            return
        }
        guard case .drop(.clock, let suspect?) = try receive(&exchange, request(at: 61), identifier: 2) else {
            Issue.record("taken")
            return
        }
        #expect(!suspect.isTimed && suspect.kind == .start)
        #expect(exchange.feeds[0].faults == [.dropped(.clock): FeedFaultCount(count: 1, clockAhead: 61)])
        #expect(exchange.feeds[0].taken == 1 && exchange.feeds[0].heardAt == now && exchange.faulty == [0])
        // A recording of it means nothing any more.
        guard case .drop(.clock, nil) = try receive(&exchange, request(at: 61), identifier: 2) else {
            Issue.record("it is a doubt again")
            return
        }
    }

    @Test("an event that is too late to begin a session is a fault of the clock, unless the packet waited")
    func behind() throws {
        for (status, seconds, delay, fault) in [
            (.start, -660, nil, nil), (.start, -661, nil, FeedFaultCount(count: 1, clockAhead: -661)),
            (.interimUpdate, -661, 0, FeedFaultCount(count: 1, clockAhead: -661)),
            (.accountingOn, -662, 1, FeedFaultCount(count: 1, clockAhead: -662)),
            (.start, -661, 1, FeedFaultCount(count: 1)), (.stop, -661, nil, nil),
        ] as [(AccountingStatus, Int64, UInt32?, FeedFaultCount?)] {
            var (exchange, request) = (exchange(), request(status, at: seconds))
            request.delay = delay
            _ = try receive(&exchange, request)
            #expect(exchange.feeds[0].faults[.clockBehind] == fault, "\(status) \(seconds)")
            #expect(exchange.feeds[0].delayed == (delay == 1 ? 1 : 0) && exchange.feeds[0].taken == 1)
        }
    }

    @Test("a packet without a time is a doubt once, and answered where the NAS need not send one")
    func untimed() throws {
        for status in [AccountingStatus.start, .interimUpdate, .stop, .accountingOn] {
            var strict = exchange()
            guard case .drop(.untimed, let suspect?) = try receive(&strict, request(status, at: nil)),
                case .drop(.untimed, nil) = try receive(&strict, request(status, at: nil))
            else {
                Issue.record("\(status) is taken, or a doubt twice")
                continue
            }
            #expect(!suspect.isTimed && suspect.time == UInt32(Network.start))
            var lenient = exchange { $0.eventTimestamp = .optional }
            guard case .process(let transaction, let doubt?) = try receive(&lenient, request(status, at: nil)) else {
                Issue.record("\(status) is not taken")
                continue
            }
            #expect(transaction.event == nil && transaction.result == .untimed && !doubt.isTimed)
            let isSession = status == .start || status == .interimUpdate
            #expect(lenient.feeds[0].faults[.undated]?.count == (isSession ? 1 : nil))
        }
    }

    @Test("a packet that cannot be taken is a doubt about the addresses of the NAS that it names, and about no others")
    func refused() throws {
        for (address, prefix, seconds) in [
            ("10.0.0.1", nil, 0), (nil, "2001:db8:1:1::/64", 0), ("10.0.0.1", nil, 61), ("11.0.0.1", nil, 0),
            (nil, "2001:db9:1:1::/64", 0), (nil, nil, 0), ("11.0.0.1", "2001:db8:1:1::/64", 60),
            ("10.0.0.1", "2001:db9:1:1::/64", 0),
        ] as [(String?, String?, Int64)] {
            var (exchange, request) = (exchange(), request(at: seconds))
            request.sessionID = nil
            request.framedAddress = address.map { InternetAddress($0)! }
            request.framedPrefix = prefix.map { IPPrefix($0)! }
            guard case .drop(_, let suspect?) = try receive(&exchange, request) else {
                Issue.record("taken, or without a doubt: \(address ?? "") \(prefix ?? "")")
                continue
            }
            #expect(suspect.key == .none && suspect.isTimed == (seconds <= 60))
            #expect(suspect.address == (address == "10.0.0.1" ? request.framedAddress : nil))
            #expect(suspect.prefix == (prefix == "2001:db8:1:1::/64" ? request.framedPrefix : nil))
        }
    }

    @Test("sixteen proxies may stand between, and no more")
    func proxies() throws {
        for (count, isTaken) in [(16, true), (17, false)] {
            var exchange = exchange()
            let bytes = try request().packet(
                identifier: 1, secret: Network.secret, proxyStates: Array(repeating: [1], count: count))
            let decision = exchange.receive(bytes.span, from: Network.source, at: now)
            if case .process = decision { #expect(isTaken) } else { #expect(!isTaken) }
        }
    }
}
