import BenjiProtocol
import Callbacks
import Testing

/// Places as a worker has them: the same for all that look.
private final class Slots {
    private var value: ReceiverSlots

    init(capacity: Int = 256) { value = ReceiverSlots(capacity: capacity) }

    func take(for app: AppID, at now: Timestamp) -> Int { value.take(for: app, at: now) }
    func note(_ app: AppID, succeeded: Bool, at now: Timestamp) -> Bool {
        value.note(app, succeeded: succeeded, at: now)
    }
    func end(_ app: AppID) { value.end(app) }
}

@Suite("Who is sent something now")
struct ReceiverSlotsTests {
    private let now = Timestamp(milliseconds: 1_795_000_000_000)
    private func app(_ number: Int) -> AppID { AppID(rawValue: "3000000000" + String(10 + number))! }

    @Test("a receiver has one place, four when it took two events, and gets one back when an event ends")
    func perReceiver() {
        let slots = Slots()
        #expect(slots.take(for: app(1), at: now) == 1)
        #expect(slots.take(for: app(1), at: now) == 0)
        for _ in 0..<2 { _ = slots.note(app(1), succeeded: true, at: now) }
        #expect(slots.take(for: app(1), at: now) == 3)
        #expect(slots.take(for: app(1), at: now) == 0)
        slots.end(app(1))
        #expect(slots.take(for: app(1), at: now) == 1)
    }

    @Test("a receiver that goes on taking events has up to 32 places, but only while three quarters are free")
    func growing() {
        let slots = Slots()
        _ = slots.take(for: app(1), at: now)
        for _ in 0..<80 { _ = slots.note(app(1), succeeded: true, at: now) }
        #expect(slots.take(for: app(1), at: now) == 9)
        for _ in 0..<1000 { _ = slots.note(app(1), succeeded: true, at: now) }
        #expect(slots.take(for: app(1), at: now) == 22)
        let small = Slots(capacity: 16)
        for number in 1...4 { _ = small.take(for: app(number), at: now) }
        for _ in 0..<1000 { _ = small.note(app(1), succeeded: true, at: now) }
        #expect(small.take(for: app(1), at: now) == 3)
    }

    @Test("a failing receiver rests for 1, 2, 4 … 60 seconds, then has one place; a success ends that")
    func failing() {
        let slots = Slots()
        var moment = now
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            let taken = slots.take(for: app(1), at: moment)
            #expect(taken >= 1)
            #expect(!slots.note(app(1), succeeded: false, at: moment))
            for _ in 0..<taken { slots.end(app(1)) }
            let end = moment + .seconds(Int64(pause))
            #expect(slots.take(for: app(1), at: end - .milliseconds(1)) == 0, "after \(pause) s")
            moment = end
            #expect(slots.take(for: app(1), at: moment) == 1)
            slots.end(app(1))
        }
        _ = slots.take(for: app(1), at: moment + .seconds(60))
        for _ in 0..<2 { #expect(slots.note(app(1), succeeded: true, at: moment)) }
        #expect(slots.take(for: app(1), at: moment) == 3)
    }

    @Test("receivers that fail have half of the places together, so that one that answers always finds some")
    func half() {
        let slots = Slots(capacity: 8)
        for number in 0..<40 {
            let taken = slots.take(for: app(number), at: now)
            for _ in 0..<taken { slots.end(app(number)) }
            _ = slots.note(app(number), succeeded: false, at: now)
        }
        let later = now + .seconds(1)
        let taken = (0..<40).reduce(0) { $0 + slots.take(for: app($1), at: later) }
        #expect(taken == 4)
        for number in 50..<54 { #expect(slots.take(for: app(number), at: later) == 1) }
        #expect(slots.take(for: app(54), at: later) == 0)
    }

    @Test("one that hands out places without a limit for a receiver lets a slow one take them all")
    func naive() {
        final class Naive {
            var left = 8
            func take() -> Int {
                defer { left = 0 }
                return left
            }
        }
        let naive = Naive()
        #expect(naive.take() == 8)
        #expect(naive.take() == 0, "the second receiver has none")
        let slots = Slots(capacity: 8)
        _ = slots.take(for: app(1), at: now)
        for _ in 0..<1000 { _ = slots.note(app(1), succeeded: true, at: now) }
        #expect(slots.take(for: app(1), at: now) == 3)
        #expect(slots.take(for: app(2), at: now) == 1)
    }
}
