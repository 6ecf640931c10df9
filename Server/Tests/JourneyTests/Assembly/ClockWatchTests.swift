import BenjiProtocol
import Logging
import ServerTestKit
import Store
import Synchronization
import Testing

@testable import BenjiCommand
@testable import Requests
@testable import ServerHTTP
@testable import ServerRuntime

@Suite("A node's clock beside its database's")
struct ClockWatchTests {
    /// The readiness finding of a node whose clock is ahead of the database's by `ahead`.
    private func readiness(ahead: Duration, log: LogBook = LogBook()) async -> HealthEndpoints.Finding? {
        let clock = TestClock()
        let database = clock.now - ahead
        let watch = ClockWatch(clock: clock, logger: log.logger) { () async throws(StoreError) in database }
        await watch.compare()
        return await HealthEndpoints.examine([watch.check]).first
    }

    @Test("A node half an hour from its database is not ready, and names both times", arguments: [1800, -1800])
    func unfit(seconds: Int64) async throws {
        let log = LogBook()
        let finding = try #require(await readiness(ahead: .seconds(seconds), log: log))
        let problem = try #require(finding.problem)
        #expect(problem.contains("2026-09-21T14:13:20") && problem.contains("run NTP"))
        #expect(problem.contains(seconds > 0 ? "13:43:20" : "14:43:20"))
        #expect(log.text.contains("error not ready: this machine's clock"))
        // ClockComparisonTests tests a node that uses the store's answer alone.
    }

    @Test("A node ten seconds from its database is ready with a warning")
    func warning() async throws {
        let finding = try #require(await readiness(ahead: .seconds(10)))
        #expect(finding.problem == nil && finding.warnings.count == 1)
    }

    @Test("A node with its database's time is ready without a warning, and nothing is logged")
    func good() async throws {
        let log = LogBook()
        let finding = try #require(await readiness(ahead: .milliseconds(900), log: log))
        #expect(finding.problem == nil && finding.warnings.isEmpty && log.lines.isEmpty)
    }

    @Test("A difference is logged when it comes and when it is gone, and not in between")
    func logged() async {
        let log = LogBook()
        let (clock, database) = (TestClock(), TestClock())
        let watch = ClockWatch(clock: clock, logger: log.logger) { () async throws(StoreError) in database.now }
        for step in [Duration.zero, .seconds(60), .zero, .zero, .seconds(-60), .zero] {
            clock.set(by: step)
            await watch.compare()
        }
        #expect(log.lines.count == 2, "\(log.text)")
        #expect(log.lines.last?.hasPrefix("notice this machine's clock agrees") == true)
    }

    @Test(
        "benji doctor finds a clock that warns, and one that makes a server unfit",
        arguments: [(0, true, false), (10, false, false), (60, false, true)] as [(Int64, Bool, Bool)])
    func doctor(ahead: Int64, isGood: Bool, isWrong: Bool) {
        let now = TestClock().now
        let finding = DoctorCommand.finding(
            of: ClockComparison(asked: now, answered: now, other: now - .seconds(ahead)))
        #expect((finding.verdict == .good) == isGood && (finding.verdict == .wrong) == isWrong)
        #expect(finding.text.contains("run NTP") == !isGood)
    }

    @Test("A gateway examines each node at its start and once a minute, probes every second, and closes the link")
    func lifetime() async throws {
        let (examined, probed, ended) = (Counted(), Counted(), Counted())
        let lifetime = LinkLifetime(
            examine: { examined.add() }, probe: { probed.add() }, shutdown: { ended.add() },
            pause: { if probed.value > 120 { throw CancellationError() } })
        try await lifetime.run()
        #expect(probed.value == 121 && examined.value == 3 && ended.value == 1)
    }

    private final class Counted: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    @Test("A database that answers slowly ends no alarm, and one that answers at once does")
    func slow() async throws {
        let clock = TestClock()
        let start = clock.now
        let isSlow = Mutex(false)
        let watch = ClockWatch(clock: clock, logger: LogBook().logger) { () async throws(StoreError) in
            guard isSlow.withLock({ $0 }) else { return start }
            // The database's time is between question and answer, so the clock may be right.
            clock.advance(by: .seconds(90))
            return clock.now - .seconds(45)
        }
        clock.set(by: .seconds(60))
        await watch.compare()
        #expect(watch.problem != nil)
        isSlow.withLock { $0 = true }
        await watch.compare()
        #expect(watch.problem != nil)
        isSlow.withLock { $0 = false }
        clock.set(by: start - clock.now)
        await watch.compare()
        #expect(watch.problem == nil)
    }

    @Test("A database that does not answer changes nothing that is known of the clock")
    func unreachable() async throws {
        let watch = ClockWatch(clock: TestClock(), logger: LogBook().logger) { () async throws(StoreError) in
            throw StoreError(.unavailable, "gone")
        }
        await watch.compare()
        let finding = try #require(await HealthEndpoints.examine([watch.check]).first)
        #expect(finding.problem == nil && finding.warnings.isEmpty)
    }
}
