import BenjiProtocol
import Testing

@testable import Requests

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
            #expect(limiter.mayAdmit(name, now: at(second)) == (before < 3), "asked before, \(name) at \(second)")
            let isAdmitted = limiter.admits(name, now: at(second))
            #expect(isAdmitted == (before < 3), "\(name) at \(second)")
            if isAdmitted { admitted[name, default: []].append(second) }
        }
    }

    /// A limiter as it was: a fixed number of names, and no place for another.
    private final class FullOfStrangers {
        var names: Set<String> = []
        func admits(_ name: String) -> Bool {
            guard names.contains(name) || names.count < 100 else { return false }
            names.insert(name)
            return true
        }
    }

    @Test(
        """
        However many others come, a name that nobody has heard of is admitted; those that stayed away are forgotten \
        first
        """
    )
    func capacity() {
        let naive = FullOfStrangers()
        let limiter = RateLimiter(limit: 2, window: .seconds(600), capacity: 100)
        #expect(limiter.admits("mine", now: at(0)) && limiter.admits("mine", now: at(0)))
        for index in 0..<10_000 {
            _ = naive.admits("stranger \(index)")
            #expect(limiter.admits("stranger \(index)", now: at(0)))
            // A caller that keeps asking stays known, and refused.
            #expect(!limiter.admits("mine", now: at(0)))
        }
        #expect(!naive.admits("person"), "the double must fall")
        #expect(limiter.admits("person", now: at(0)))
        #expect(limiter.admits("stranger 0", now: at(0)) && limiter.admits("stranger 0", now: at(0)))
    }

    @Test("As long as fewer than half of the capacity come in a window, nothing is forgotten that counts")
    func remembers() {
        let limiter = RateLimiter(limit: 1, window: .seconds(600), capacity: 200)
        for window in 0..<5 as Range<Int64> {
            for index in 0..<49 as Range<Int64> {
                let moment = window * 600 + index * 12
                #expect(limiter.admits("\(window) \(index)", now: at(moment)))
                if index > 0 { #expect(!limiter.admits("\(window) \(index - 1)", now: at(moment))) }
                if window > 0, index < 48 {
                    #expect(!limiter.admits("\(window - 1) \(index + 1)", now: at(moment)), "\(window) \(index)")
                }
            }
        }
    }

    @Test("A limiter knows one name besides the last, however little it may hold", arguments: [0, 1, 2, 3])
    func narrow(capacity: Int) {
        let limiter = RateLimiter(limit: 1, window: .seconds(600), capacity: capacity)
        for name in ["a", "b", "c"] { #expect(limiter.admits(name, now: at(0))) }
        #expect(!limiter.admits("b", now: at(0)) && !limiter.admits("c", now: at(0)))
        #expect(limiter.admits("a", now: at(0)))
    }

    @Test("Names that were left when others had to go are not forgotten a window after those had come")
    func leftOver() {
        let limiter = RateLimiter(limit: 1, window: .seconds(600), capacity: 4)
        for name in ["a", "b"] { #expect(limiter.admits(name, now: at(0))) }
        #expect(limiter.admits("left", now: at(300)))
        for name in ["d", "e", "f"] { #expect(limiter.admits(name, now: at(600))) }
        #expect(!limiter.admits("left", now: at(899)) && limiter.admits("left", now: at(900)))
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
