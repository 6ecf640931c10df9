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
