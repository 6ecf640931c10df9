@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// The small rules of taking accounting in, each at its bounds.
struct GatewayRuleTests {
    private let began = Timestamp(seconds: Network.start)

    // MARK: defaults

    @Test("the gateway works in steps of the size that its documents name, and counts begin at nothing")
    func usual() {
        typealias Processor = AccountingProcessor
        #expect(Processor.slice == 64 && Processor.compactionSlice == 20_000)
        #expect(Processor.sweepSlice == 2048 && Processor.sweepSteps == 64 && Processor.forgettingSlice == 20_000)
        #expect(Processor.unsettledLimit == 16_384 && Processor.revocationSlice == 1000)
        #expect(Processor.heartbeatInterval == .seconds(5) && Processor.reportInterval == .seconds(60))
        #expect(Processor.measuringInterval == .seconds(15) && Processor.fewestSessions == 20)
        #expect(GatewayService.statesLimit == 100)
        let counts = FeedCounts()
        #expect(counts.taken == 0 && counts.named == 0 && counts.delayed == 0 && counts.faults.isEmpty)
        #expect(counts.heardAt == nil && FeedFaultCount().count == 0)
        #expect(FeedLoss().stopsWithoutStart == 0 && FeedLoss().sessionsWithoutStart == 0)
        #expect(FeedConfirmation().sessions == 0 && FeedConfirmation().unconfirmed == 0)
    }

    @Test("a secret of fewer than 16 bytes is warned of, and not that of a connection over TLS, which RFC 6614 names")
    func shortSecret() throws {
        func warnings(_ change: (inout NetworkAccessServer) -> Void) throws -> [String] {
            var server = Network.server
            change(&server)
            let book = LogBook(from: .warning)
            _ = try Network(Network.configuration([server]), logger: book.logger)
            return book.lines
        }
        let short = SharedSecret("fifteen bytes..")!
        #expect(
            try warnings { $0.secret = short } == [
                "warning the shared secret of a NAS is shorter than 16 bytes nas=pgw"
            ])
        #expect(try warnings { $0.secret = SharedSecret("sixteen bytes...")! } == [])
        #expect(
            try warnings { ($0.sources, $0.certificates, $0.secret) = ([], [.host("pgw.example")], .radSec) } == [])
    }

    // MARK: failures

    @Test("a failure is logged once, until it is over, and then that it is")
    func saidOnce() async throws {
        let book = LogBook(from: .notice)
        let network = try Network(logger: book.logger)
        network.register.setFailing(true)
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        for _ in 0..<3 { #expect(try await network.send(start) == 0) }
        let asked = AccountingProcessor.Failure.observing.rawValue
        let failed = "error \(asked); accounting is not answered error=Failure()"
        #expect(book.lines == [failed])
        #expect(network.gateway.problem == "\(asked): Failure()")
        network.register.setFailing(false)
        #expect(try await network.send(start) == 1)
        #expect(book.lines == [failed, "notice works again after=\(asked)"])
        #expect(network.gateway.problem == nil)
    }

    @Test("at the limit of sessions other packets of a batch are answered, and that no new one is taken is logged once")
    func full() async throws {
        let book = LogBook(from: .notice)
        var configuration = Network.configuration()
        configuration.sessionLimit = 1
        let network = try Network(configuration, logger: book.logger)
        try await network.start("a")
        for _ in 0..<2 {
            network.clock.advance(by: 1)
            #expect(
                try await network.send(
                    network.request(.start, "b", address: "10.0.0.2"),
                    network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001")) == 1)
        }
        let full = AccountingProcessor.Failure.full.rawValue
        #expect(book.lines == ["error \(full)"])
        #expect(network.gateway.problem == full)
        network.clock.advance(by: 1)
        try await network.send(network.request(.stop, "a"))
        #expect(book.lines == ["error \(full)", "notice works again after=\(full)"])
    }

    /// A register that answers for fewer numbers than it is asked about, or for more.
    private struct WrongRegister: RegisterService {
        let extra: Int

        func observe(_ observations: [SubscriberObservation]) async throws -> [SubscriptionReference?] {
            [SubscriptionReference?](repeating: nil, count: observations.count + extra)
        }
        func revoke(_ bindings: [BindingID]) async throws {}
        func erasedSubscriptions() async throws -> [Int64] { [] }
    }

    @Test("a register that answers for another count of numbers is none", arguments: [-1, 1])
    func wrongCount(extra: Int) async throws {
        let network = try Network()
        let gateway = try GatewayService(
            configuration: Network.configuration(), register: WrongRegister(extra: extra), clock: network.clock,
            random: SeededRandom(seed: 1), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let packet = try network.datagram(network.request(.start, "a", address: "10.0.0.1", number: "8613800000001"))
        #expect(await gateway.processor.process([packet]).isEmpty)
        #expect(gateway.problem == AccountingProcessor.Failure.observing.rawValue)
        #expect(gateway.counts.packets["unavailable"] == 1 && gateway.counts.sessions == 0)
    }

    @Test("while revocations fail, what was applied with them answers nothing, and it does when they are made")
    func unsaved() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 100)
        let processor = network.gateway.processor
        let start = network.request(.start, "b", address: "10.0.0.2", number: "8613800000002")
        #expect(await processor.process(DatagramBatch([try network.datagram(start)])).count == 0)
        await processor.askRegister()
        network.register.setFailing(true)
        let stop = network.request(.stop, "a", at: 10)
        #expect(await processor.process(DatagramBatch([try network.datagram(stop)])).count == 0)
        #expect(network.holder("10.0.0.2") == .failure(.unconfirmedAddress))
        network.register.setFailing(false)
        _ = await processor.process([])
        #expect(network.holder("10.0.0.2") == .success(2))
        #expect(network.gateway.problem == nil)
    }

    // MARK: the register

    @Test("two batches about which the register is asked at once get each their own answers")
    func twoBatches() async throws {
        let network = try Network()
        let processor = network.gateway.processor
        for index in 1...3 {
            let requests = (0..<index).map { number in
                network.request(
                    .start, "\(index) \(number)", address: "10.0.\(index).\(number)",
                    number: "861380000\(1000 + 10 * index + number)")
            }
            let batch = DatagramBatch(try requests.map { try network.datagram($0) })
            #expect(await processor.process(batch).count == 0)
        }
        await processor.askRegister()
        #expect(await processor.process(DatagramBatch()).count == 6)
        for index in 1...3 {
            for number in 0..<index {
                let row = network.register.row("861380000\(1000 + 10 * index + number)")
                #expect(row != nil && network.holder("10.0.\(index).\(number)").map { $0 == row } == .success(true))
            }
        }
    }

    @Test("the register is asked nothing where nobody waits for it")
    func nothingToAsk() async throws {
        let network = try Network()
        let asked = NIOLockedValueBox(0)
        network.register.duringObserve { asked.withLockedValue { $0 += 1 } }
        await network.gateway.processor.askRegister()
        #expect(asked.withLockedValue { $0 } == 0)
        try await network.start("a")
        await network.gateway.processor.askRegister()
        #expect(asked.withLockedValue { $0 } == 1 && !network.gateway.processor.hasQuestions)
    }

    @Test(
        "an Interim-Update without a number leaves its session whose it is, and a Start without one makes it nobody's"
    )
    func withoutNumber() async throws {
        let network = try Network()
        try await network.start("a")
        for (status, holder) in [
            (.interimUpdate, .success(1)), (.start, .failure(.unsupportedSubscriber)),
        ] as [(AccountingStatus, Result<Int64, SightingRefusal>)] {
            network.clock.advance(by: 1)
            #expect(try await network.send(network.request(status, "a", address: "10.0.0.1")) == 1)
            #expect(network.holder() == holder)
        }
        #expect(network.register.observed == 1)
    }

    @Test("whoever begins a session with a number that cannot be used takes its address, and is nobody")
    func unusableNumber() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 10)
        #expect(
            try await network.send(network.request(.start, "b", address: "10.0.0.1", number: "861012345678")) == 1)
        #expect(network.holder() == .failure(.unsupportedSubscriber))
        #expect(network.register.observed == 1)
    }

    // MARK: many at once

    @Test(
        "a late Accounting-Off of as many sessions as one transaction revokes is answered at once, one more later"
    )
    func revocationSlice() async throws {
        for extra in [0, 1] {
            let network = try Network()
            let count = AccountingProcessor.revocationSlice + extra
            let packets = try (0..<count).map { index in
                try network.datagram(
                    network.request(
                        .start, "s\(index)", address: "10.1.\(index / 256).\(index % 256)",
                        number: "\(8_613_800_000_001 + index)"))
            }
            #expect(await network.gateway.processor.process(packets).count == count)
            network.clock.advance(by: 100)
            #expect(try await network.send(network.request(.accountingOff, "", at: 50)) == 1 - extra)
            #expect(network.gateway.directory.withLockedValue { $0.unrevoked.isEmpty } == (extra == 0))
        }
    }

    @Test("while the register cannot revoke, a late Accounting-Off waits for upkeep")
    func failingLateReset() async throws {
        let network = try Network()
        let count = AccountingProcessor.revocationSlice + 1
        let packets = try (0..<count).map { index in
            try network.datagram(
                network.request(
                    .start, "s\(index)", address: "10.1.\(index / 256).\(index % 256)",
                    number: "\(8_613_800_000_001 + index)"))
        }
        #expect(await network.gateway.processor.process(packets).count == count)
        network.clock.advance(by: 100)
        let processor = network.gateway.processor
        #expect(!processor.hasMoreToRevoke)
        network.register.setFailing(true)
        try await network.send(network.request(.accountingOff, "", at: 50))
        #expect(!processor.hasMoreToRevoke && network.register.revoked.isEmpty)
        #expect(network.gateway.problem?.hasPrefix(AccountingProcessor.Failure.revoking.rawValue) == true)
        network.register.setFailing(false)
        _ = await processor.process(DatagramBatch())
        #expect(processor.hasMoreToRevoke && network.register.revoked.count == AccountingProcessor.revocationSlice)
        #expect(network.gateway.problem == nil)
        _ = await processor.process(DatagramBatch())
        #expect(!processor.hasMoreToRevoke && network.register.revoked.count == count)
    }

    @Test("what goes through all sessions goes through those beyond the first slice too")
    func slices() async throws {
        let network = try Network()
        let count = AccountingProcessor.forgettingSlice + 1
        GatewayProbe(network.gateway).start(0..<count, holding: .v4, at: network.clock.now)
        network.gateway.processor.measureFeeds(since: began)
        #expect(network.gateway.feeds[0].confirmation.sessions == count)
        let last = GatewayProbe.source(count - 1, holding: .v4).address.description
        #expect(network.holder(last) == .success(Int64(count)))
        network.gateway.forget([Int64(count)])
        _ = await network.gateway.processor.process(DatagramBatch())
        #expect(network.holder(last) == .failure(.unconfirmedAddress))
        #expect(network.holder("10.0.0.0") == .success(1))
    }

    // MARK: the journal

    private func journalled(_ disk: MemoryDisk) throws -> Network {
        var configuration = Network.configuration()
        configuration.journalPath = "journal"
        return try Network(configuration, disk: disk)
    }

    @Test("a journal has a heartbeat every five seconds, one when the clock was put back, and one at the end")
    func heartbeats() async throws {
        let disk = MemoryDisk()
        let network = try journalled(disk)
        _ = await network.gateway.processor.process(DatagramBatch())
        func beats(after seconds: Int64) async -> Int {
            let before = disk.syncs
            network.clock.advance(by: seconds)
            _ = await network.gateway.processor.process(DatagramBatch())
            return disk.syncs - before
        }
        for (seconds, count) in [(0, 0), (4, 0), (1, 1), (4, 0), (1, 1), (-1, 1), (4, 0), (1, 1)] as [(Int64, Int)] {
            #expect(await beats(after: seconds) == count, "\(seconds) s later")
        }
        network.clock.advance(by: 2)
        await network.gateway.processor.finish()
        let bytes = try #require(disk.contents("journal"))
        var heard: [Timestamp] = []
        var reader = JournalReader()
        reader.read(bytes) { if case .heartbeat(let moment) = $0 { heard.append(moment) } }
        #expect(heard.last == network.clock.now)
    }

    @Test("a session that upkeep has taken away is taken away at the other gateway of the pair too")
    func swept() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.first.start("a")
        await both.pass(1, both.first, both.second)
        #expect(both.second.gateway.counts.sessions == 1)
        both.clock.advance(by: 86_400)
        await both.pass(3, both.first, both.second)
        #expect(both.first.gateway.counts.sessions == 0 && both.second.gateway.counts.sessions == 0)
    }

    // MARK: warnings about feeds

    @Test("sessions that are not confirmed are warned of from twenty on, and more than a fifth of them")
    func unconfirmed() async throws {
        for (count, silent, isWarned) in [(19, 19, false), (20, 20, true), (20, 5, true), (20, 4, false)] {
            let network = try Network()
            for index in 0..<count {
                try await network.start("s\(index)", address: "10.0.0.\(index)", number: "86138000001\(10 + index)")
            }
            network.clock.advance(by: 901)
            for index in silent..<count {
                try await network.send(
                    network.request(
                        .interimUpdate, "s\(index)", address: "10.0.0.\(index)", number: "86138000001\(10 + index)"))
            }
            network.gateway.processor.measureFeeds(since: began)
            let warnings = network.gateway.warnings.filter {
                $0.contains("has not confirmed \(silent) of its \(count)")
            }
            #expect(warnings.count == (isWarned ? 1 : 0), "\(silent) of \(count)")
        }
    }

    @Test("a NAS that only ends sessions is named from twenty on, and not if it begins some too")
    func stopsWithoutStart() async throws {
        for (stops, starts, isWarned) in [(19, 0, false), (20, 0, true), (20, 1, false)] {
            let network = try Network()
            for index in 0..<starts { try await network.start("begun\(index)", address: "10.0.1.\(index)") }
            for index in 0..<stops {
                try await network.send(network.request(.stop, "s\(index)", address: "10.0.0.\(index)"))
            }
            #expect(network.gateway.warnings.contains { $0.contains("begun none") } == isWarned, "\(stops) \(starts)")
        }
    }

    @Test("a clock that is wrong by half of what is borne is not warned of, and beyond it by how much and which way")
    func clocks() async throws {
        for (offset, fraction, words) in [
            (30, 500, nil), (31, 500, "31 s ahead of ours"), (-30, 500, nil), (-31, 500, "31 s behind ours"),
            (25, 0, nil), (45, 0, "45 s ahead of ours"),
        ] as [(Int64, Int64, String?)] {
            let network = try Network()
            network.clock.advance(by: .milliseconds(fraction))
            for index in 0..<10 {
                var request = network.request(.interimUpdate, "s\(index)", address: "10.0.0.1", number: "8613800000001")
                request.eventTimestamp = UInt32(network.clock.now.seconds + offset)
                try await network.send(request)
            }
            let found = network.gateway.warnings.filter { $0.hasPrefix("the clock of NAS pgw is ") }
            #expect(found.count == (words == nil ? 0 : 1), "\(offset)")
            if let words { #expect(found.first?.contains(words) == true, "\(found)") }
        }
    }

    @Test("a clock that is named as the fault of packets is not named twice", arguments: [Int64(300), -19_800])
    func clockOnce(offset: Int64) async throws {
        let network = try Network()
        for index in 0..<10 {
            var request = network.request(.start, "s\(index)", address: "10.0.0.1", number: "8613800000001")
            request.eventTimestamp = UInt32(network.clock.now.seconds + offset)
            try await network.send(request)
        }
        #expect(network.gateway.warnings.count { $0.contains("clock") } == 1)
    }

    /// A report of port blocks by a NAT, and its expected result.
    struct Report: Sendable {
        var status: AccountingStatus
        var isAllocated = true
        var isKnown = true
        var named = 0
        var faults: [FeedFault: Int] = [:]
    }

    @Test(
        "a NAT's report that gives ports names a phone, or the fault that no session has its address",
        arguments: [
            Report(status: .start, named: 1), Report(status: .interimUpdate, named: 1), Report(status: .stop),
            Report(status: .start, isKnown: false, faults: [.noSession: 1]),
            Report(status: .interimUpdate, isKnown: false, faults: [.noSession: 1]),
            Report(status: .stop, isKnown: false), Report(status: .start, isAllocated: false),
            Report(status: .interimUpdate, isAllocated: false),
            Report(status: .interimUpdate, isAllocated: false, isKnown: false),
        ])
    func reports(_ report: Report) async throws {
        var nat = Network.server
        (nat.name, nat.sources) = ("nat", [IPPrefix("192.0.2.2")!])
        let network = try Network(Network.configuration([Network.server, nat]))
        try await network.start("a", address: "10.0.0.100")
        var request = network.request(report.status, "nat-1", nas: "nat-1")
        request.internalAddress = InternetAddress(report.isKnown ? "10.0.0.100" : "10.0.0.101")!
        request.portBlocks = [
            PortBlock(
                address: InternetAddress("203.0.113.1")!, ports: 1024...1535, isAllocated: report.isAllocated)
        ]
        try await network.send(request, from: InternetAddress("192.0.2.2")!)
        let counts = network.gateway.feeds[1].counts
        #expect(counts.named == report.named && counts.faults.mapValues(\.count) == report.faults)
    }

    @Test("a NAT's report about a session of nobody names no phone")
    func reportOfNobody() async throws {
        let network = try Network()
        try await network.send(network.request(.start, "a", address: "10.0.0.100"))
        var request = network.request(.start, "nat-1", nas: "nat-1")
        request.internalAddress = InternetAddress("10.0.0.100")!
        request.portBlocks = [PortBlock(address: InternetAddress("203.0.113.1")!, ports: 1024...1535)]
        try await network.send(request)
        #expect(network.gateway.feeds[0].counts.named == 0)
    }

    @Test("a session that begins without an address or a number counts, and one that goes on does so only if it is new")
    func faults() async throws {
        for (address, prefix, number, fault) in [
            (nil, nil, "8613800000001", .noAddress), ("10.0.0.1", nil, nil, .noNumber),
            (nil, "2001:db8:1:2::/64", nil, .noNumber), (nil, "2001:db8:1:2::/64", "8613800000001", nil),
        ] as [(String?, String?, String?, FeedFault?)] {
            for (status, counts) in [
                (AccountingStatus.start, true), (.interimUpdate, true), (.stop, false),
            ] {
                let network = try Network()
                for _ in 0..<2 {
                    try await network.send(
                        network.request(status, "a", address: address, prefix: prefix, number: number))
                    network.clock.advance(by: 1)
                }
                // A session without an address is not held, so it is new each time.
                let expected = status == .interimUpdate && fault == .noNumber ? 1 : 2
                let faults = network.gateway.feeds[0].counts.faults.mapValues(\.count)
                #expect(faults == (counts ? fault.map { [$0: expected] } ?? [:] : [:]), "\(status) \(faults)")
            }
        }
    }

    @Test("a window of faults moves on every fifteen minutes, and where the clock was put back it goes on from there")
    func window() {
        var counts = FeedCounts()
        counts.faults[.dropped(.outsidePools)] = FeedFaultCount(count: 3)
        for turns in [
            [(0, 1), (899, 1), (1799, 1), (2699, 0)], [(10_000, 1), (100, 1), (1000, 1), (1900, 0)],
        ] as [[(Int64, Int)]] {
            var window = FeedFaultWindow()
            for (seconds, expected) in turns {
                window.turn(counts, at: began + .seconds(seconds))
                let reported = window.reports(counts, of: Network.server, sessions: 0).count
                #expect(reported == expected, "at \(seconds) s")
            }
        }
    }

    @Test("the log may name a NAS again when the clock was put back")
    func logAfterClock() {
        var window = FeedFaultWindow()
        var counts = FeedCounts()
        counts.faults[.dropped(.outsidePools)] = FeedFaultCount(count: 3)
        #expect(window.mayLog(at: began))
        #expect(window.log(counts, of: Network.server, sessions: 0, at: began).count == 1)
        for (seconds, mayLog) in [(-1, true), (0, false), (59, false), (60, true)] as [(Int64, Bool)] {
            #expect(window.mayLog(at: began + .seconds(seconds)) == mayLog, "after \(seconds) s")
        }
    }

    @Test("faults are reported the most frequent first, each with how many packets of the window had it")
    func order() {
        var window = FeedFaultWindow()
        var counts = FeedCounts()
        counts.faults[.certificateExpired] = FeedFaultCount(count: 1)
        counts.faults[.dropped(.outsidePools)] = FeedFaultCount(count: 5)
        counts.faults[.dropped(.badAuthenticator)] = FeedFaultCount(count: 5)
        let texts = window.log(counts, of: Network.server, sessions: 0, at: began).map(\.text)
        #expect(texts.count == 3)
        for (text, words) in zip(
            texts, ["bad_authenticator, 5 packets", "outside_pools, 5 packets", "1 packet within"])
        {
            #expect(text.contains(words), "\(text)")
        }
        counts.faults[.certificateExpired] = FeedFaultCount(count: 2)
        #expect(window.reports(counts, of: Network.server, sessions: 0).last?.text.contains("2 packets within") == true)
    }
}
