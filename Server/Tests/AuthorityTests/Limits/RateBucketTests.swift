import BenjiProtocol
import Testing

@testable import Requests

@Suite("How fast something may be asked for") struct RateBucketTests {
    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_800_000_000_000 + milliseconds) }

    @Test("A burst goes through at once, then so many a second, however many are asked for")
    func rate() {
        let bucket = RateBucket<String>(perSecond: 10, burst: 30)
        #expect((0..<100).count { _ in bucket.admits("a", now: at(0)) } == 30)
        var admitted = 0
        for step in 1...1000 where bucket.admits("a", now: at(Int64(step) * 10)) { admitted += 1 }
        #expect((99...101).contains(admitted), "\(admitted) in ten seconds")
        #expect(bucket.admits("b", now: at(0)))
    }

    @Test("Rest gives no more than a burst, and a clock that is put back nothing")
    func rest() {
        let bucket = RateBucket<String>(perSecond: 10, burst: 30)
        for _ in 0..<30 { #expect(bucket.admits("a", now: at(0))) }
        #expect(!bucket.admits("a", now: at(-3_600_000)))
        #expect((0..<100).count { _ in bucket.admits("a", now: at(3_600_000)) } == 30)
    }

    @Test("Names over the capacity are forgotten, the longest unheard first, and never refused")
    func capacity() {
        let bucket = RateBucket<String>(perSecond: 1, burst: 1, capacity: 4)
        #expect(bucket.admits("kept", now: at(0)))
        for index in 0..<100 {
            #expect(bucket.admits("other \(index)", now: at(0)))
            #expect(!bucket.admits("kept", now: at(0)))
        }
        #expect(bucket.admits("other 0", now: at(0)))
    }
}
