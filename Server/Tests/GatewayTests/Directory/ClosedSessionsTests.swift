import Testing

@testable import Gateway

struct ClosedSessionsTests {
    private func key(_ number: Int) -> SessionKey { SessionKey(a: UInt32(number) | 1, b: UInt32(number), c: 7) }

    @Test("however many sessions end, a late Start of another is still taken within the window")
    func many() {
        var closed = ClosedSessions(now: 10_000, window: 600)
        for second in 0..<300 {
            for index in 0..<1000 {
                closed.close(key(second * 1000 + index), at: UInt32(10_000 + second), now: UInt32(10_000 + second))
            }
        }
        #expect(closed.floor == 9_400)
        #expect(closed.mayCreate(SessionKey(a: 9, b: 9, c: 9), at: 10_001, now: 10_299))
    }

    @Test(
        "an ended session is known for the whole window and forgotten soon after it; what is forgotten creates nothing")
    func window() {
        var closed = ClosedSessions(now: 10_000, window: 600)
        closed.close(key(1), at: 10_000, now: 10_000)
        for now in stride(from: 10_000, through: 10_600, by: 10) as StrideThrough<UInt32> {
            closed.turn(now)
            #expect(!closed.mayCreate(key(1), at: 10_000, now: now))
            #expect(closed.endedAfter(9_999, key(1)))
        }
        for now in stride(from: 10_600, through: 11_500, by: 10) as StrideThrough<UInt32> { closed.turn(now) }
        #expect(closed.count == 0)
        #expect(closed.floor == 10_000)
        #expect(!closed.mayCreate(key(1), at: 10_000, now: 11_500))
        #expect(closed.mayCreate(key(1), at: 11_000, now: 11_500))
        // Also when the clock is put back to where the event seems to be ahead.
        closed.turn(9_900)
        #expect(!closed.mayCreate(key(1), at: 10_000, now: 9_900))
    }

    @Test(
        "A flood of suspected ends takes a bounded amount of memory, and an end that is certain is known all the same")
    func suspectedEnds() {
        var closed = ClosedSessions(now: 10_000, window: 600)
        for number in 0..<20_010 {
            closed.suspect(SessionKey(a: 1, b: 0, c: UInt32(number)), at: 9_990, now: 10_000)
        }
        #expect(closed.count == 20_000)
        let key = SessionKey(a: 3, b: 0, c: 0)
        closed.close(key, at: 9_990, now: 10_000)
        #expect(!closed.mayCreate(key, at: 9_990, now: 10_000))
    }
}
