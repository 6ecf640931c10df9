import BenjiProtocol
import Testing

@testable import Authority

@Suite("How often something may be asked for") struct RateLimiterTests {
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000 + seconds * 1000) }

    @Test("No ten minutes hold more calls of a name than the limit, wherever they begin")
    func everyWindow() {
        let limiter = RateLimiter(limit: 10, window: .seconds(600), capacity: 100)
        #expect(limiter.admits("another", now: at(0)))
        for second in 590..<600 { #expect(limiter.admits("name", now: at(Int64(second)))) }
        for second in 600..<1190 { #expect(!limiter.admits("name", now: at(Int64(second)))) }
        // The first of the ten is over; the others are not.
        #expect(limiter.admits("name", now: at(1190)))
        #expect(!limiter.admits("name", now: at(1190)))
        for second in 1191..<1200 { #expect(limiter.admits("name", now: at(Int64(second)))) }
    }

    @Test("A call is refused only if as many as may be were admitted within the window before it")
    func exact() {
        let limiter = RateLimiter(limit: 3, window: .seconds(50), capacity: 100)
        var admitted: [String: [Int64]] = [:]
        var state: UInt64 = 7
        var second: Int64 = 0
        for _ in 0..<4000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            second += Int64(state >> 60)
            let name = "\(state >> 33 & 3)"
            let before = admitted[name, default: []].filter { second - $0 < 50 }.count
            let isAdmitted = limiter.admits(name, now: at(second))
            #expect(isAdmitted == (before < 3), "\(name) at \(second)")
            if isAdmitted { admitted[name, default: []].append(second) }
        }
    }

    @Test("No more names are kept than may be, and those that stay away make room")
    func capacity() {
        let limiter = RateLimiter(limit: 2, window: .seconds(600), capacity: 2)
        #expect(limiter.admits("one", now: at(0)) && limiter.admits("two", now: at(0)))
        #expect(!limiter.admits("three", now: at(1)))
        #expect(limiter.admits("two", now: at(2)))
        #expect(limiter.admits("three", now: at(1201)) && limiter.admits("four", now: at(1201)))
        #expect(!limiter.admits("five", now: at(1202)))
    }

    @Test("A clock that is put back stops nobody for longer than a window")
    func clockPutBack() {
        let limiter = RateLimiter(limit: 1, window: .seconds(600), capacity: 2)
        #expect(limiter.admits("one", now: at(90_000)))
        #expect(limiter.admits("one", now: at(0)))
        #expect(!limiter.admits("one", now: at(599)))
        #expect(limiter.admits("one", now: at(600)))
    }
}
