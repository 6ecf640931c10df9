@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import Requests

@Suite("Days, clocks, memories and sources to their last unit")
struct LimitBoundTests {
    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000 + milliseconds) }

    // MARK: days

    @Test("each day of four years is read as it is written, lies between its neighbours, and begins at 16:00 in UTC")
    func everyDay() throws {
        var day = try #require(CalendarDay("2000-01-01"))
        // Midnight of 1 January 2000 in UTC+8.
        var begin: Int64 = 946_656_000
        while day.number < 20_040_302 {
            let next = day.next
            #expect(next.number > day.number && next.previous == day)
            #expect(CalendarDay(day.description) == day && CalendarDay(rawValue: day.rawValue) == day)
            #expect(CalendarDay(Timestamp(seconds: begin)) == day)
            #expect(CalendarDay(Timestamp(milliseconds: begin * 1000 - 1)) == day.previous)
            #expect(CalendarDay(Timestamp(seconds: begin + 86_399)) == day)
            (day, begin) = (next, begin + 86_400)
        }
        #expect(day.description == "2004-03-02")
        #expect(CalendarDay("2100-02-28")?.next.description == "2100-03-01")
    }

    @Test(
        "what is no day from 2000 on is none",
        arguments: [
            "", "2026", "2026-11", "2026-11-21-", "-2026-11-21", "2026-11-21-01", "1999-12-31", "0000-01-01",
            "2026-00-01",
            "2026-13-01", "2026-01-00", "2026-01-32", "2026-02-29", "2026-04-31", "2100-02-29", "02026-1-01",
            "2026-011-1",
            "2026-1-011", "2026-+1-01", "20261121", "2026/11/21", "2026-1a-01", "２０２６-11-21", "2026--1-01",
            "2026-11--1",
        ])
    func noDay(text: String) { #expect(CalendarDay(text) == nil) }

    // MARK: clocks

    @Test(
        "a clock's step of a second is one, and of less is passed on", arguments: [-1000, -999, 999, 1000] as [Int64])
    func smallSteps(milliseconds: Int64) {
        let clock = TestClock()
        let expiryClock = ExpiryClock(clock)
        let before = expiryClock.now
        clock.set(by: .milliseconds(milliseconds))
        #expect(expiryClock.now == (milliseconds == -1000 ? before : clock.now))
        #expect((expiryClock.trustedSince == before) == (milliseconds != -1000))
        // Only a step forward ends the lead over the wall clock.
        clock.set(by: .seconds(1))
        #expect(expiryClock.now == clock.now)
    }

    @Test("a clock that measures nothing itself is believed whichever way it is set")
    func believed() {
        final class Plain: WallClock {
            let clock = TestClock()
            var now: Timestamp { clock.now }
        }
        let plain = Plain()
        let expiryClock = ExpiryClock(plain)
        for step in [3600, -7200, 60] as [Int64] {
            plain.clock.set(by: .seconds(step))
            #expect(expiryClock.now == plain.now)
        }
    }

    @Test("an answer that took more than a second is slow; one that shows no worse verdict is not remembered")
    func slowAnswers() {
        func comparison(_ other: Int64, after: Int64) -> ClockComparison {
            ClockComparison(asked: at(0), answered: at(after), other: at(other))
        }
        var standing = ClockStanding()
        func note(_ comparison: ClockComparison) -> ClockComparison.Verdict? { standing.note(comparison) }
        #expect(note(comparison(0, after: 1001)) == nil)
        #expect(standing.comparison == nil)
        #expect(note(comparison(0, after: 1000)) == nil)
        #expect(standing.comparison != nil)
        let far = comparison(40_000, after: 0)
        #expect(note(far) == .unfit)
        #expect(note(comparison(0, after: 1001)) == nil)
        #expect(note(comparison(41_000, after: 1001)) == nil)
        #expect(standing.comparison == far && standing.verdict == .unfit)
        #expect(note(comparison(0, after: 1000)) == .good)
    }

    @Test("a better verdict is reached at half of each limit and not above")
    func halves() {
        func standing(_ distances: Int64...) -> ClockComparison.Verdict {
            var standing = ClockStanding()
            for distance in distances {
                _ = standing.note(ClockComparison(asked: at(0), answered: at(0), other: at(distance)))
            }
            return standing.verdict
        }
        #expect(standing(30_001) == .unfit && standing(30_000) == .warning)
        #expect(standing(30_001, 15_001) == .unfit && standing(30_001, 15_000) == .warning)
        #expect(standing(2001) == .warning && standing(2000) == .good)
        #expect(standing(2001, 1001) == .warning && standing(2001, 1000) == .good)
        #expect(standing(30_001, -15_001) == .unfit && standing(30_001, -15_000) == .warning)
        var own = ClockStanding()
        let four = ClockComparison(asked: at(0), answered: at(0), other: at(4000))
        let said = own.note(four, maximum: .seconds(3))
        #expect(said == .unfit, "by the operator's limit")
        #expect(own.text(of: .unfit, "x")?.contains("4 s behind") == true && own.text(of: .warning, "x") == nil)
    }

    // MARK: memories

    @Test("a memory forgets the half that stayed away when the other half is full, and never more than it holds")
    func recentMemory() {
        var memory = RecentMemory<String, Int>(capacity: 5)
        for (name, value) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] { memory.keep(value, of: name) }
        #expect(memory.count == 4 && memory.value(of: "a") == 1)
        // Looking makes nothing recent, taking and keeping does.
        let taken = memory.take("b")
        #expect(taken == 2 && memory.count == 3)
        memory.keep(5, of: "b")
        #expect(memory.value(of: "a") == nil && memory.value(of: "b") == 5 && memory.value(of: "c") == 3)
        #expect(memory.count == 3)
        memory.keep(6, of: "b")
        #expect(memory.value(of: "c") == 3 && memory.value(of: "b") == 6, "a known name needs no room")
        var narrow = RecentMemory<String, Int>(capacity: 0)
        for (name, value) in [("a", 1), ("b", 2), ("c", 3)] { narrow.keep(value, of: name) }
        #expect(narrow.count == 2 && narrow.value(of: "a") == nil && narrow.value(of: "b") == 2)
    }

    @Test("a bucket has room while a whole call is left, and gains by the millisecond")
    func tokenBucket() {
        var bucket = TokenBucket(burst: 2, now: at(0))
        func take() -> Bool { bucket.take() }
        #expect([take(), take(), take()] == [true, true, false])
        #expect(!bucket.hasRoom)
        bucket.fill(perSecond: 1, burst: 2, now: at(999))
        #expect(!bucket.hasRoom)
        bucket.fill(perSecond: 1, burst: 2, now: at(1000))
        #expect(bucket.hasRoom && bucket.left == 1)
        bucket.fill(perSecond: 1, burst: 2, now: at(500))
        bucket.fill(perSecond: 1, burst: 2, now: at(500))
        #expect(bucket.left == 1, "a clock that is put back gives nothing")
        bucket.fill(perSecond: 1, burst: 2, now: at(10_500))
        #expect(bucket.left == 2)
    }

    @Test("a limiter without a limit admits nobody, and asking whether it would does not count")
    func limiter() {
        let none = RateLimiter(limit: 0, window: .seconds(1), capacity: 2)
        #expect(!none.admits("a", now: at(0)) && !none.mayAdmit("a", now: at(0)))
        let one = RateLimiter(limit: 1, window: .seconds(1), capacity: 2)
        #expect(one.mayAdmit("a", now: at(0)) && one.mayAdmit("a", now: at(0)) && one.admits("a", now: at(0)))
        #expect(!one.mayAdmit("a", now: at(999)) && !one.admits("a", now: at(999)))
        #expect(one.mayAdmit("a", now: at(1000)) && one.admits("a", now: at(1000)))
    }

    // MARK: sources

    @Test(
        "an IPv4 address counts by itself, of IPv6 a /64 does, each app apart; a call without a source counts nowhere")
    func sources() throws {
        func admitted(_ first: String, _ second: String, _ app: AppID? = nil) throws -> Bool {
            let limiter = SourceLimiter(calls: 1, capacity: 10)
            let (first, second) = (try #require(InternetAddress(first)), try #require(InternetAddress(second)))
            #expect(limiter.admits(first, now: at(0)))
            return limiter.admits(second, app, now: at(0))
        }
        #expect(try !admitted("198.51.100.7", "198.51.100.7") && admitted("198.51.100.7", "198.51.100.8"))
        #expect(try !admitted("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff"))
        #expect(try admitted("2001:db8::1", "2001:db8:0:1::1"))
        #expect(try admitted("198.51.100.7", "198.51.100.7", AppID(rawValue: "300000000001")))
        let limiter = SourceLimiter(calls: 1, capacity: 10)
        for _ in 0..<3 { #expect(limiter.admits(nil, now: at(0))) }
        #expect(limiter.count == 0)
    }

    @Test("a source has its calls at once and then one by one, spread over ten minutes")
    func sourceRate() throws {
        let address = try #require(InternetAddress("198.51.100.7"))
        let limiter = SourceLimiter(calls: 6, capacity: 10)
        #expect(!limiter.isSpent(address, now: at(0)))
        #expect((0..<10).count { _ in limiter.admits(address, now: at(0)) } == 6)
        #expect(limiter.isSpent(address, now: at(99_000)) && !limiter.isSpent(address, now: at(101_000)))
        #expect((0..<10).count { _ in limiter.admits(address, now: at(101_000)) } == 1)
        #expect((0..<10).count { _ in limiter.admits(address, now: at(701_001)) } == 6)
    }
}
