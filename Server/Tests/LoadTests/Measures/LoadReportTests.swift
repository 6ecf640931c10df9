import BenjiProtocol
import Load
import Testing

@Suite("The report of a run")
struct LoadReportTests {
    private func report(_ build: (inout Tally) -> Void) -> LoadReport {
        var tally = Tally()
        build(&tally)
        return LoadReport(plan: LoadPlan(rate: 10, seconds: 2), seconds: 2, tally: tally)
    }

    @Test("each step has its count, rate and times; failures are listed by code, the most frequent first")
    func table() {
        let report = report { tally in
            for value in 1...20 { tally.add(.login, microseconds: Int64(value) * 1000, failure: nil) }
            for _ in 0..<2 { tally.add(.redeem, microseconds: 500, failure: "104201") }
            for _ in 0..<3 { tally.add(.redeem, microseconds: nil, failure: "(timed out)") }
        }
        #expect(
            report.lines == [
                "step             done   a second    p50 ms    p90 ms    p99 ms    max ms   failed",
                "redeem              0        0.0       0.5       0.5       0.5       0.5        5",
                "login              20       10.0      10.1      18.2      20.0      20.0        0",
                "failed: redeem (timed out) 3 times", "failed: redeem 104201 2 times",
            ])
    }

    @Test("a run is clean only if logins were played and none failed")
    func clean() {
        #expect(!report { _ in }.isClean)
        #expect(report { $0.add(.login, microseconds: 1, failure: nil) }.isClean)
        #expect(
            !report {
                $0.add(.login, microseconds: 1, failure: nil)
                $0.add(.login, microseconds: nil, failure: "(timed out)")
            }.isClean)
    }

    @Test("programs read the same figures in microseconds")
    func json() {
        let login = report {
            $0.add(.login, microseconds: 60, failure: nil)
            $0.add(.login, microseconds: 40, failure: "104201")
        }.json["steps"]?["login"]
        #expect(login?["succeeded"]?.integerValue == 1)
        #expect(login?["failed"]?.integerValue == 1)
        #expect(login?["p99"]?.integerValue == 60)
        #expect(login?["failures"]?["104201"]?.integerValue == 1)
    }

    @Test("a search for the maximum sees failures, yield and waits of whole logins")
    func step() {
        let step = report {
            for _ in 0..<19 { $0.add(.login, microseconds: 50, failure: nil) }
            $0.add(.login, microseconds: nil, failure: "(timed out)")
        }.step
        #expect(step.rate == 10)
        #expect(step.succeeded == 9.5)
        #expect(step.failureShare == 0.05)
        #expect(step.p99 == .microseconds(50))
    }
}
