import Load
import Testing

@Suite("The search for the highest rate")
struct MaximumSearchTests {
    /// A server that keeps up to `capacity` logins a second, and slows down beyond it.
    private func search(capacity: Double, from first: Double) -> (best: Double?, steps: Int) {
        var search = MaximumSearch()
        var rate: Double? = first
        var steps = 0
        while let asked = rate, steps < 100 {
            steps += 1
            rate = search.next(
                after: .init(
                    rate: asked, succeeded: min(asked, capacity), failureShare: 0,
                    p99: asked > capacity ? .seconds(3) : .milliseconds(20)))
        }
        return (search.best?.rate, steps)
    }

    @Test("it ends within a tenth below what the server can do", arguments: [0.9, 17, 100, 999, 54321])
    func converges(capacity: Double) throws {
        let (best, steps) = search(capacity: capacity, from: 50)
        let found = try #require(best)
        #expect(found <= capacity)
        #expect(found >= capacity * 0.9)
        #expect(steps < 30)
    }

    @Test("a server that can do nothing ends the search without a maximum")
    func nothing() { #expect(search(capacity: 0, from: 50).best == nil) }

    @Test("a step does not hold with failures, with logins left behind, or with long waits")
    func faults() {
        let search = MaximumSearch(latencyLimit: .milliseconds(100))
        func fault(_ succeeded: Double, _ failures: Double, _ p99: Int) -> String? {
            search.fault(
                of: .init(rate: 100, succeeded: succeeded, failureShare: failures, p99: .milliseconds(p99)))
        }
        #expect(fault(99, 0, 100) == nil)
        #expect(fault(99, 0.001, 50) == nil)
        #expect(fault(99, 0.002, 50) == "0.2 % of the logins failed")
        #expect(fault(94, 0, 50) == "only 94.0 of 100.0 logins a second were finished")
        #expect(fault(99, 0, 101) != nil)
    }
}
