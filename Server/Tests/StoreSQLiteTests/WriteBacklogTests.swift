import StoreRows
import Testing

@testable import StoreSQLite

@Suite("What waits to be written")
struct WriteBacklogTests {
    typealias Backlog = WriteBacklog<Int, String>

    private func group(_ next: Backlog.Next) -> (jobs: [Int], events: [String])? {
        if case .write(let group) = next { return (group.jobs, group.events) }
        return nil
    }

    private func word(_ admission: Backlog.Admission) -> String { "\(admission)" }

    private let unproven = Urgency.unproven(listener: "device")

    /// - Parameter isNaive: all callers are alike, as in a queue in the order of asking.
    @Test("vital jobs go first, then others, then unproven ones, each in order", arguments: [false, true])
    func urgency(isNaive: Bool) {
        var backlog = Backlog()
        _ = backlog.add(0)
        #expect(group(backlog.next())?.jobs == [0])
        let asked: [(Int, Urgency)] = [
            (1, unproven), (2, .other), (3, unproven), (4, .vital), (5, .other), (6, .vital),
        ]
        for (job, urgency) in asked { #expect(word(backlog.add(job, isNaive ? .other : urgency)) == "waits") }
        #expect(group(backlog.next())?.jobs == (isNaive ? [1, 2, 3, 4, 5, 6] : [4, 6, 2, 5, 1, 3]))
    }

    @Test("vital jobs keep their order among themselves, also where a group is full")
    func vitalOrder() {
        var backlog = Backlog(groupLimit: 2)
        for job in 1...3 { _ = backlog.add(job, .vital) }
        _ = backlog.add(4)
        #expect(group(backlog.next())?.jobs == [1, 2])
        _ = backlog.add(5, .vital)
        #expect(group(backlog.next())?.jobs == [3, 5])
        _ = backlog.add(6, .vital)
        #expect(group(backlog.next())?.jobs == [6, 4])
    }

    @Test("each group takes as many unproven jobs as its share, however many others wait")
    func share() {
        var backlog = Backlog(groupLimit: 2, unprovenInGroup: 1)
        for job in 1...4 { _ = backlog.add(job) }
        for job in 11...13 { _ = backlog.add(job, unproven) }
        #expect(group(backlog.next())?.jobs == [1, 2, 11])
        #expect(group(backlog.next())?.jobs == [3, 4, 12])
        #expect(group(backlog.next(hasWaited: true))?.jobs == [13])
    }

    @Test("unproven jobs start the writer, which waits for no more of them, and end no wait for others")
    func noGathering() {
        var backlog = Backlog()
        #expect(word(backlog.add(1, unproven)) == "start")
        #expect(word(backlog.add(2, unproven)) == "waits")
        #expect(group(backlog.next())?.jobs == [1, 2])
        guard case .rest = backlog.next() else { return #expect(Bool(false), "nothing is left") }
        for job in 3...4 { _ = backlog.add(job) }
        #expect(group(backlog.next())?.jobs == [3, 4])
        guard case .gather = backlog.next() else { return #expect(Bool(false), "two more may come") }
        for job in 5...6 { #expect(word(backlog.add(job, unproven)) == "waits") }
        for job in 7...8 { #expect(word(backlog.add(job)) == (job == 8 ? "gathered" : "waits")) }
        #expect(group(backlog.next(hasWaited: true))?.jobs == [7, 8, 5, 6])
    }

    /// - Parameter isNaive: all callers are alike, and none is refused.
    @Test(
        "unproven jobs of one listener beyond their limit are refused, and no others; what waits is written",
        arguments: [false, true])
    func unprovenLimit(isNaive: Bool) {
        var backlog = Backlog(unprovenLimit: 3)
        for job in 1...3 { _ = backlog.add(job, isNaive ? .other : unproven) }
        #expect(word(backlog.add(4, isNaive ? .other : unproven)) == (isNaive ? "waits" : "full"))
        if isNaive { return }
        #expect(word(backlog.add(5)) == "waits")
        #expect(word(backlog.add(6, .vital)) == "waits")
        #expect(word(backlog.add(7, .unproven(listener: "server"))) == "waits")
        #expect(backlog.waitingJobs == 6)
        _ = backlog.close()
        #expect(word(backlog.add(8, unproven)) == "closed")
        #expect(group(backlog.next())?.jobs.sorted() == [1, 2, 3, 5, 6, 7])
        guard case .finish = backlog.next() else { return #expect(Bool(false), "everything is written") }
    }

    @Test("an unproven job that would wait ten seconds is refused, by how long groups took and by one that hangs")
    func unprovenWait() {
        let start = ContinuousClock.now  // gate: the test counts from it and sets every later time itself
        let later = start + .seconds(11)
        var backlog = Backlog(unprovenInGroup: 1)
        _ = backlog.add(1, unproven, now: start)
        #expect(group(backlog.next(now: start))?.jobs == [1])
        // The disk hangs.
        #expect(word(backlog.add(2, unproven, now: later)) == "waits")
        #expect(word(backlog.add(3, unproven, now: later)) == "full")
        #expect(word(backlog.add(4, now: later)) == "waits")
        // It works again. A group took an eighth of a second in the mean.
        #expect(group(backlog.next(now: later))?.jobs == [4, 2])
        let admitted = (0..<200).count { _ in word(backlog.add(5, unproven, now: later)) == "waits" }
        #expect(admitted == 80)
    }

    @Test("the first job starts the writer, those that come meanwhile wait for it and form the next group")
    func grouping() {
        var backlog = Backlog()
        #expect(word(backlog.add(1)) == "start")
        #expect(group(backlog.next())?.jobs == [1])
        #expect(word(backlog.add(2)) == "waits")
        #expect(word(backlog.add(3)) == "waits")
        #expect(group(backlog.next())?.jobs == [2, 3])
        guard case .rest = backlog.next(hasWaited: true) else { return #expect(Bool(false), "nothing is left") }
        #expect(word(backlog.add(4)) == "start")
    }

    @Test("behind a group the writer waits once until as many have come, and takes what has come by then")
    func gathering() {
        var backlog = Backlog()
        for job in 1...3 { _ = backlog.add(job) }
        #expect(group(backlog.next())?.jobs == [1, 2, 3])
        #expect(word(backlog.add(4)) == "waits")
        guard case .gather = backlog.next() else { return #expect(Bool(false), "two more may come") }
        #expect(word(backlog.add(5)) == "waits")
        #expect(word(backlog.add(6)) == "gathered")
        #expect(word(backlog.add(7)) == "waits")
        #expect(group(backlog.next(hasWaited: true))?.jobs == [4, 5, 6, 7])
        _ = backlog.add(8)
        guard case .gather = backlog.next() else { return #expect(Bool(false), "three more may come") }
        #expect(group(backlog.next(hasWaited: true))?.jobs == [8])
        #expect(word(backlog.add(9)) == "waits")
        #expect(group(backlog.next())?.jobs == [9])
        guard case .rest = backlog.next() else { return #expect(Bool(false), "behind one alone nothing is waited for") }
    }

    @Test("a group takes no more jobs than its limit, in order")
    func limit() {
        var backlog = Backlog(groupLimit: 2)
        for job in 1...5 { _ = backlog.add(job) }
        #expect(group(backlog.next())?.jobs == [1, 2])
        #expect(group(backlog.next())?.jobs == [3, 4])
        #expect(group(backlog.next(hasWaited: true))?.jobs == [5])
    }

    @Test("events wait for the timer, asked for once, whatever jobs go meanwhile, and then go with the next one")
    func events() {
        var backlog = Backlog()
        #expect(word(backlog.add(events: ["a"])) == "flushLater")
        #expect(word(backlog.add(events: ["b"])) == "waits")
        #expect(word(backlog.add(1)) == "start")
        let first = group(backlog.next())
        #expect(first?.jobs == [1])
        #expect(first?.events == [])
        _ = backlog.add(2)
        #expect(word(backlog.flush()) == "waits")
        let second = group(backlog.next())
        #expect(second?.jobs == [2])
        #expect(second?.events == ["a", "b"])
        guard case .rest = backlog.next() else { return #expect(Bool(false), "nothing is left") }
    }

    @Test("events that come while the writer is at work are not forgotten when it rests")
    func ridersDuringWriting() {
        var backlog = Backlog()
        _ = backlog.add(1)
        _ = backlog.next()
        #expect(word(backlog.add(events: ["a"])) == "flushLater")
        guard case .rest = backlog.next() else { return #expect(Bool(false), "nothing is due yet") }
        #expect(word(backlog.flush()) == "start")
        #expect(group(backlog.next())?.events == ["a"])
    }

    @Test("the timer sends events off without a job, and many of them do not wait for it")
    func flushing() {
        var backlog = Backlog(eventGroup: 3)
        _ = backlog.add(events: ["a"])
        #expect(word(backlog.flush()) == "start")
        #expect(group(backlog.next())?.events == ["a"])
        guard case .rest = backlog.next() else { return #expect(Bool(false), "nothing is left") }
        #expect(word(backlog.flush()) == "waits")
        #expect(word(backlog.add(events: ["b", "c", "d"])) == "start")
        #expect(group(backlog.next())?.events == ["b", "c", "d"])
    }

    @Test("events that could not be written come first again, and are bounded")
    func givingBack() {
        var backlog = Backlog(eventGroup: 2, eventLimit: 3)
        _ = backlog.add(events: ["a", "b"])
        #expect(group(backlog.next())?.events == ["a", "b"])
        _ = backlog.add(events: ["c"])
        _ = backlog.giveBack(["a", "b"])
        #expect(word(backlog.add(events: ["d"])) == "full")
        _ = backlog.flush()
        #expect(group(backlog.next())?.events == ["a", "b", "c"])
    }

    @Test("closing takes nothing new, writes what is there, events too, and finishes once")
    func closing() {
        var backlog = Backlog()
        _ = backlog.add(1)
        _ = backlog.add(events: ["a"])
        #expect(word(backlog.close()) == "waits")
        #expect(word(backlog.close()) == "closed")
        #expect(word(backlog.add(2)) == "closed")
        #expect(word(backlog.add(events: ["b"])) == "closed")
        let last = group(backlog.next())
        #expect(last?.jobs == [1])
        #expect(last?.events == ["a"])
        #expect(word(backlog.giveBack(["a"])) == "waits")
        guard case .finish = backlog.next() else { return #expect(Bool(false), "everything is written") }
    }
}
