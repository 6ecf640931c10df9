import Testing

@testable import StoreSQLite

@Suite("What waits to be written")
struct WriteBacklogTests {
    typealias Backlog = WriteBacklog<Int, String>

    private func group(_ next: Backlog.Next) -> (jobs: [Int], riders: [String])? {
        if case .write(let group) = next { return (group.jobs, group.riders) }
        return nil
    }

    private func word(_ admission: Backlog.Admission) -> String { "\(admission)" }

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

    @Test("riders wait for the timer, asked for once, whatever jobs go meanwhile, and then go with the next one")
    func riders() {
        var backlog = Backlog()
        #expect(word(backlog.add(riders: ["a"])) == "flushLater")
        #expect(word(backlog.add(riders: ["b"])) == "waits")
        #expect(word(backlog.add(1)) == "start")
        let first = group(backlog.next())
        #expect(first?.jobs == [1])
        #expect(first?.riders == [])
        _ = backlog.add(2)
        #expect(word(backlog.flush()) == "waits")
        let second = group(backlog.next())
        #expect(second?.jobs == [2])
        #expect(second?.riders == ["a", "b"])
        guard case .rest = backlog.next() else { return #expect(Bool(false), "nothing is left") }
    }

    @Test("riders that come while the writer is at work are not forgotten when it rests")
    func ridersDuringWriting() {
        var backlog = Backlog()
        _ = backlog.add(1)
        _ = backlog.next()
        #expect(word(backlog.add(riders: ["a"])) == "flushLater")
        guard case .rest = backlog.next() else { return #expect(Bool(false), "nothing is due yet") }
        #expect(word(backlog.flush()) == "start")
        #expect(group(backlog.next())?.riders == ["a"])
    }

    @Test("the timer sends riders off without a job, and many of them do not wait for it")
    func flushing() {
        var backlog = Backlog(riderGroup: 3)
        _ = backlog.add(riders: ["a"])
        #expect(word(backlog.flush()) == "start")
        #expect(group(backlog.next())?.riders == ["a"])
        guard case .rest = backlog.next() else { return #expect(Bool(false), "nothing is left") }
        #expect(word(backlog.flush()) == "waits")
        #expect(word(backlog.add(riders: ["b", "c", "d"])) == "start")
        #expect(group(backlog.next())?.riders == ["b", "c", "d"])
    }

    @Test("riders that could not be written come first again, and are bounded")
    func givingBack() {
        var backlog = Backlog(riderGroup: 2, riderLimit: 3)
        _ = backlog.add(riders: ["a", "b"])
        #expect(group(backlog.next())?.riders == ["a", "b"])
        _ = backlog.add(riders: ["c"])
        _ = backlog.giveBack(["a", "b"])
        #expect(word(backlog.add(riders: ["d"])) == "full")
        _ = backlog.flush()
        #expect(group(backlog.next())?.riders == ["a", "b", "c"])
    }

    @Test("closing takes nothing new, writes what is there, riders too, and finishes once")
    func closing() {
        var backlog = Backlog()
        _ = backlog.add(1)
        _ = backlog.add(riders: ["a"])
        #expect(word(backlog.close()) == "waits")
        #expect(word(backlog.close()) == "closed")
        #expect(word(backlog.add(2)) == "closed")
        #expect(word(backlog.add(riders: ["b"])) == "closed")
        let last = group(backlog.next())
        #expect(last?.jobs == [1])
        #expect(last?.riders == ["a"])
        #expect(word(backlog.giveBack(["a"])) == "waits")
        guard case .finish = backlog.next() else { return #expect(Bool(false), "everything is written") }
    }
}
