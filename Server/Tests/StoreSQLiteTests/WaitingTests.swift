import BenjiProtocol
import Sightings
import Store
import StoreRows
import Testing

@testable import StoreConformance

@Suite("Who waits for whom")
struct WaitingTests {
    @Test("listeners take turns, each of them in the order of asking, and one that has nothing is passed over")
    func turns() {
        var queues = JobQueues<Int>()
        #expect(queues.count == 0 && queues.jobs(before: "a") == 0)
        for (job, listener) in [(1, "a"), (2, "a"), (3, "a"), (4, "b"), (5, "c"), (6, "c")] {
            queues.append(job, of: listener)
        }
        #expect(queues.count == 6)
        #expect(["a", "b", "c", "d"].map { queues.count(of: $0) } == [3, 1, 2, 0])
        // Its own, and of each other listener one more at most.
        #expect(["a", "b", "c", "d"].map { queues.jobs(before: $0) } == [6, 5, 6, 3])
        let order = (0..<8).map { _ in queues.removeFirst() }
        #expect(order == [4, 5, 1, 6, 2, 3, nil, nil])
        #expect(queues.count == 0)
        queues.append(7, of: "b")
        #expect(queues.removeFirst() == 7)
    }

    @Test("a queue keeps its order however many come and go")
    func order() {
        var queue = JobQueue<Int>()
        #expect(queue.first == nil && queue.count == 0)
        var (next, taken): (Int, [Int]) = (0, [])
        for _ in 0..<1500 {
            for _ in 0..<3 {
                queue.append(next)
                next += 1
            }
            for _ in 0..<2 {
                let first = queue.first
                taken.append(queue.removeFirst())
                #expect(first == taken.last)
            }
        }
        #expect(queue.count == 1500)
        while queue.count > 0 { taken.append(queue.removeFirst()) }
        #expect(taken == Array(0..<4500) && queue.first == nil)
    }

    /// A moment of a clock that stands still.
    private struct Moment: InstantProtocol {
        var seconds: Duration
        func advanced(by duration: Duration) -> Moment { Moment(seconds: seconds + duration) }
        func duration(to other: Moment) -> Duration { other.seconds - seconds }
        static func < (left: Moment, right: Moment) -> Bool { left.seconds < right.seconds }
    }

    @Test("a wait is what operations took in the mean, a second at most each, or as long as the last one hangs")
    func pace() {
        var pace = Pace<Moment>()
        func moment(_ seconds: Int) -> Moment { Moment(seconds: .seconds(seconds)) }
        #expect(pace.wait(behind: 9, atOnce: 1, now: moment(0)) == .zero)
        pace.end(0, at: moment(50))
        #expect(pace.wait(behind: 9, atOnce: 1, now: moment(50)) == .zero, "nothing had begun")
        pace.begin(0, at: moment(50))
        pace.end(0, at: moment(55))
        #expect(pace.wait(behind: 8, atOnce: 1, now: moment(60)) == .seconds(1), "an eighth of the longest")
        #expect(pace.wait(behind: 8, atOnce: 4, now: moment(60)) == .milliseconds(250))
        pace.begin(0, at: moment(60))
        pace.end(0, at: moment(60))
        #expect(pace.wait(behind: 64, atOnce: 1, now: moment(60)) == .seconds(7), "seven eighths of it")
        pace.begin(1, at: moment(60))
        pace.begin(2, at: moment(62))
        #expect(pace.wait(behind: 3, atOnce: 1, now: moment(66)) == .seconds(12))
        pace.end(2, at: moment(66))
        #expect(pace.wait(behind: 1, atOnce: 1, now: moment(66)) == .seconds(6), "the other hangs still")
    }

    @Test("each matter has a lock of its own, and many of one kind share 64 or 1,024 of them")
    func locks() throws {
        let matters: [StoreLock] = [
            .schema, .orders, .masterKeys, .consents, .faces, .log, .ledgerSums, .evidenceMarks,
        ]
        #expect(matters.map(\.key) == Array(1...8))
        #expect([0, 1, 63, 64, 65, -1, .max].map { StoreLock.credentials($0).key } == [64, 65, 127, 64, 65, 127, 127])
        #expect(StoreLock.credentials(BindingID(rawValue: 3)) == StoreLock.credentials(3))
        #expect(["", "a", "ba", "west"].map { StoreLock.pair($0).key } == [128, 161, 191, 175])
        let numbers = [[], [0], [63, 1], [64], [255]].map { StoreLock.sms(BlindIndex(bytes: $0)).key }
        #expect(numbers == [192, 192, 255, 192, 255])
        #expect(StoreLock.bill(Scenario.app).key == 1054 && StoreLock.bill(Scenario.otherApp).key == 1055)
        let shared = StoreLock.faces.shared
        #expect(shared.isShared && shared.key == StoreLock.faces.key && shared != .faces && shared == shared.shared)
    }
}
