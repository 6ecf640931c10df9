import Testing

@testable import Load

@Suite("A plan of load")
struct LoadPlanTests {
    @Test("so many phones are taken that no number asks for more than sixty prefetches in ten minutes")
    func phones() {
        #expect(LoadPlan.phonesNeeded(rate: 1, seconds: 10) == 64)
        #expect(LoadPlan.phonesNeeded(rate: 500, seconds: 1800) == 5500)
        for (rate, seconds) in [(10.0, 600.0), (777, 30), (2000, 86400)] {
            let phones = LoadPlan.phonesNeeded(rate: rate, seconds: seconds)
            #expect(rate * min(seconds, 600) / Double(phones) <= 60)
        }
    }

    @Test("verifications are spread evenly and are as many as asked", arguments: [0, 1, 10, 33, 50, 100])
    func verifications(percent: Int) {
        let plan = LoadPlan(rate: 1, seconds: 1, verificationPercent: percent)
        let flags = (0..<1000).map(plan.isVerification)
        #expect(flags.count { $0 } == percent * 10)
        for start in stride(from: 0, to: 1000, by: 100) {
            #expect(flags[start..<start + 100].count { $0 } == percent)
        }
    }

    @Test(
        "a plan that cannot be played says why",
        arguments: [
            LoadPlan(rate: 0, seconds: 1), LoadPlan(rate: .nan, seconds: 1), LoadPlan(rate: 1, seconds: 0),
            LoadPlan(rate: 1, seconds: 1, phones: 0), LoadPlan(rate: 1, seconds: 1, connections: 0),
            LoadPlan(rate: 1, seconds: 1, verificationPercent: 101), LoadPlan(rate: 1, seconds: 1, timeout: .zero),
            LoadPlan(rate: 1, seconds: 1, interim: 0), LoadPlan(rate: 1, seconds: 1, interim: 1e300),
            LoadPlan(rate: 1, seconds: 1, interim: .nan), LoadPlan(rate: 1e300, seconds: 1),
            LoadPlan(rate: .infinity, seconds: 1), LoadPlan(rate: 1, seconds: 1e300),
            LoadPlan(rate: 1, seconds: 1, phones: .max), LoadPlan(rate: 1, seconds: 1, connections: .max),
        ])
    func problems(plan: LoadPlan) { #expect(plan.problem != nil) }

    @Test("a plan of defaults can be played")
    func defaults() { #expect(LoadPlan(rate: 10, seconds: 10).problem == nil) }

    @Test("the phone that was idle longest is next, and none plays twice at once")
    func idle() {
        var idle = IdlePhones(count: 3)
        #expect([idle.take(), idle.take()] == [0, 1])
        idle.giveBack(1)
        idle.giveBack(0)
        #expect(idle.count == 3)
        #expect([idle.take(), idle.take(), idle.take(), idle.take()] == [2, 1, 0, nil])
    }
}
