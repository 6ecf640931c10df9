import BenjiProtocol
import ServerTestKit
import Testing

@testable import Requests

private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 32) ^ (state << 32)
    }
}

@Suite("Lives are measured by a clock that does not go back")
struct ExpiryClockTests {
    private let clocks = TestClock()
    private func made() -> ExpiryClock { ExpiryClock(wall: clocks) { [clocks] in clocks.uptime } }

    @Test("while nobody sets the wall clock it is the wall clock")
    func follows() {
        let expiryClock = made()
        for _ in 0..<100 {
            clocks.advance(by: .milliseconds(700))
            #expect(expiryClock.now == clocks.now)
        }
    }

    @Test("a wall clock that is put back by an hour takes nothing back, and time goes on passing")
    func back() {
        let expiryClock = made()
        let before = expiryClock.now
        clocks.set(by: .seconds(-3600))
        #expect(expiryClock.now == before)
        clocks.advance(by: .seconds(60))
        #expect(expiryClock.now == before + .seconds(60))
    }

    @Test("a wall clock that is put forward is followed, and put back again changes nothing more")
    func forward() {
        let expiryClock = made()
        let before = expiryClock.now
        clocks.set(by: .seconds(3600))
        #expect(expiryClock.now == before + .seconds(3600))
        clocks.set(by: .seconds(-3600))
        #expect(expiryClock.now == before + .seconds(3600))
        clocks.set(by: .seconds(3600))
        #expect(expiryClock.now == before + .seconds(3600) && expiryClock.now == clocks.now)
    }

    @Test("however often it is put back and forth, the time of lives never goes back")
    func random() {
        var generator = SeededGenerator(state: 5)
        let expiryClock = made()
        var latest = expiryClock.now
        for _ in 0..<2000 {
            clocks.advance(by: .milliseconds(Int.random(in: 0...500, using: &generator)))
            let step = [0, -5000, 7000, -3_600_000, 3_600_000].randomElement(using: &generator) ?? 0
            clocks.set(by: .milliseconds(step))
            let now = expiryClock.now
            #expect(now >= latest)
            latest = now
        }
    }

    @Test("what is dated before the clock was put back is not trusted to be new; putting it forward changes nothing")
    func trust() {
        let expiryClock = made()
        let begin = clocks.now
        clocks.set(by: .seconds(3600))
        #expect(expiryClock.trustedSince == begin)
        clocks.set(by: .seconds(-7200))
        #expect(expiryClock.trustedSince == begin - .seconds(3600))
    }
}
