import BenjiProtocol
import Callbacks
import Store
import Testing

/// Gives the same byte always.
struct FixedRandom: RandomSource {
    var byte: UInt8
    func bytes(_ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }
}

@Suite("When an event is tried again")
struct DeliveryScheduleTests {
    private let now = Timestamp(milliseconds: 1_795_000_000_000)
    private let schedule = DeliverySchedule.standard

    private func settle(_ outcome: DeliveryOutcome, _ attempts: Int = 1, byte: UInt8 = 0) -> OutboxSettlement {
        schedule.settle(outcome, attempts: attempts, at: now, random: FixedRandom(byte: byte))
    }

    @Test(
        "every status from 200 to 299 is a delivery, and no other one",
        arguments: [100, 199, 200, 204, 299, 300, 302, 307, 400, 500])
    func statuses(status: Int) {
        let settled = settle(.answered(status))
        #expect(settled.state == ((200...299).contains(status) ? .delivered : .waiting))
        #expect(settled.outcome == String(status))
    }

    @Test("410 ends an event at once, and a broken-off attempt counts for nothing")
    func ends() {
        #expect(settle(.answered(410)).state == .dead)
        #expect(settle(.brokenOff) == OutboxSettlement(state: .waiting, dueAt: now, outcome: nil, at: now))
    }

    @Test("eleven attempts take between 22 and 34 hours, and the eleventh failure is a dead letter")
    func lasts() {
        for (byte, hours) in [(UInt8(0), 22.0), (255, 34.0)] {
            var total: Int64 = 0
            for attempt in 1...10 {
                let settled = settle(.timeOut, attempt, byte: byte)
                #expect(settled.state == .waiting)
                total += settled.dueAt.milliseconds - now.milliseconds
            }
            #expect(abs(Double(total) / 3_600_000 - hours) < 1, "\(byte): \(Double(total) / 3_600_000) hours")
        }
        #expect(schedule.attempts == 11)
        #expect(settle(.timeOut, 11).state == .dead)
        #expect(settle(.timeOut, 99).state == .dead)
    }

    @Test("a pause is a fifth shorter or longer by chance, and each is longer than the one before")
    func jitter() {
        var last: Int64 = 0
        for (attempt, pause) in schedule.pauses.enumerated() {
            let whole = pause.components.seconds * 1000
            let (least, most) = (settle(.noAnswer, attempt + 1), settle(.noAnswer, attempt + 1, byte: 255))
            #expect(least.dueAt.milliseconds - now.milliseconds == whole * 4 / 5)
            #expect(most.dueAt.milliseconds - now.milliseconds == whole * 6 / 5)
            #expect(least.dueAt.milliseconds - now.milliseconds > last)
            last = least.dueAt.milliseconds - now.milliseconds
        }
    }
}

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

    @Test("a receiver has four places, and gets one back when an event ends")
    func perReceiver() {
        let slots = Slots()
        #expect(slots.take(for: app(1), at: now) == 4)
        #expect(slots.take(for: app(1), at: now) == 0)
        slots.end(app(1))
        #expect(slots.take(for: app(1), at: now) == 1)
    }

    @Test("a failing receiver rests for 1, 2, 4 … 60 seconds, then has one place; a success ends that")
    func failing() {
        let slots = Slots()
        var moment = now
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(slots.take(for: app(1), at: moment) >= 1)
            #expect(!slots.note(app(1), succeeded: false, at: moment))
            for _ in 0..<4 { slots.end(app(1)) }
            let end = moment + .seconds(Int64(pause))
            #expect(slots.take(for: app(1), at: end - .milliseconds(1)) == 0, "after \(pause) s")
            moment = end
            #expect(slots.take(for: app(1), at: moment) == 1)
            slots.end(app(1))
        }
        _ = slots.take(for: app(1), at: moment + .seconds(60))
        #expect(slots.note(app(1), succeeded: true, at: moment))
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
        #expect(slots.take(for: app(50), at: later) == 4)
        #expect(slots.take(for: app(51), at: later) == 0)
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
        #expect(slots.take(for: app(1), at: now) == 4)
        #expect(slots.take(for: app(2), at: now) == 4)
    }
}
