import Load
import Testing

@Suite("The pace of a run")
struct PaceTests {
    @Test("logins are due evenly, the first at once")
    func even() {
        let pace = Pace(rate: 4)
        #expect(pace.moment(of: 0) == .zero)
        #expect(pace.moment(of: 1) == .milliseconds(250))
        #expect(pace.due(after: .zero) == 1)
        #expect(pace.due(after: .milliseconds(249)) == 1)
        #expect(pace.due(after: .milliseconds(250)) == 2)
        #expect(pace.due(after: .milliseconds(-1)) == 0)
    }

    @Test("after a stall everything that fell due in it is due", arguments: [0.3, 1, 7, 333.3, 9999])
    func stall(rate: Double) {
        let pace = Pace(rate: rate)
        for seconds in [1, 3, 60] {
            let due = pace.due(after: .seconds(seconds))
            #expect(abs(Double(due) - Double(seconds) * rate) <= 1.0001)
            #expect(pace.moment(of: due) > .seconds(seconds))
            #expect(pace.moment(of: due - 1) <= .seconds(seconds))
        }
    }
}
