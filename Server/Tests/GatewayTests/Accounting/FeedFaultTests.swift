import BenjiProtocol
import Testing

@testable import Gateway

/// When a fault of a NAS's packets is told, and in which words.
struct FeedFaultTests {
    private func counts(_ fault: FeedFault, _ count: Int, taken: Int = 0, named: Int = 0) -> FeedCounts {
        var counts = FeedCounts()
        counts.faults[fault] = FeedFaultCount(count: count)
        (counts.taken, counts.named) = (taken, named)
        return counts
    }

    @Test("a fault is conspicuous with three that are half of the whole, or ten that are more than a fifth")
    func shares() {
        for (count, taken, isTold) in [
            (2, 0, false), (3, 3, true), (3, 4, false), (9, 30, false), (10, 39, true), (10, 40, false),
        ] {
            let refused = counts(.dropped(.badAuthenticator), count, taken: taken)
            #expect(
                FeedFault.dropped(.badAuthenticator).isConspicuous(in: refused, since: FeedCounts(), sessions: 0)
                    == isTold, "\(count) \(taken)")
            // An answered packet counts as taken. A session without a number does not count among those with one.
            for fault in [FeedFault.noAddress, .undated, .clockBehind] {
                let answered = counts(fault, count, taken: taken + count)
                #expect(fault.isConspicuous(in: answered, since: FeedCounts(), sessions: 0) == isTold)
            }
            for fault in [FeedFault.noNumber, .unusableNumber, .notRegistered, .noSession] {
                let named = counts(fault, count, taken: 1000, named: taken)
                #expect(fault.isConspicuous(in: named, since: FeedCounts(), sessions: 0) == isTold)
            }
        }
        // Earlier counts do not count again.
        for fault in [FeedFault.noNumber, .noAddress, .dropped(.clock)] {
            let before = counts(fault, 10, taken: 10)
            #expect(!fault.isConspicuous(in: counts(fault, 12, taken: 12), since: before, sessions: 0))
            #expect(fault.isConspicuous(in: counts(fault, 13, taken: 13), since: before, sessions: 0))
        }
    }

    @Test("a NAS that makes phones known is in order although some numbers are left out")
    func rare() {
        for (fault, count, named, sessions, isTold) in [
            (.excludedNumber, 3, 0, 3, true), (.excludedNumber, 2, 0, 2, false), (.excludedNumber, 3, 1, 3, false),
            (.excludedNumber, 3, 0, 4, false), (.otherStatus, 3, 0, 0, true), (.otherStatus, 2, 0, 0, false),
            (.otherStatus, 3, 1, 0, false), (.otherStatus, 3, 0, 1, false), (.certificateExpired, 1, 9, 9, true),
        ] as [(FeedFault, Int, Int, Int, Bool)] {
            let counts = counts(fault, count, taken: 1000, named: named)
            #expect(
                fault.isConspicuous(in: counts, since: FeedCounts(), sessions: sessions) == isTold,
                "\(fault) \(count) \(named) \(sessions)")
        }
        let expired = counts(.certificateExpired, 1)
        #expect(!FeedFault.certificateExpired.isConspicuous(in: expired, since: expired, sessions: 0))
    }

    @Test(
        "how far a clock is off is told in the unit that shows a time zone",
        arguments: [
            (1, "1 s"), (119, "119 s"), (120, "2 min"), (149, "2 min"), (150, "3 min"), (7199, "120 min"),
            (7200, "2 h"), (9000, "2.5 h"), (28_800, "8 h"), (259_199, "72 h"), (259_200, "3 days"),
            (302_400, "4 days"),
        ] as [(Int64, String)])
    func clock(seconds: Int64, text: String) {
        func told(_ fault: FeedFault, _ ahead: Int64?) -> String {
            fault.explanation(for: Network.server, last: FeedFaultCount(count: 1, clockAhead: ahead)) ?? ""
        }
        #expect(told(.dropped(.clock), seconds).hasPrefix("Event-Timestamp is \(text) ahead of our clock;"))
        #expect(told(.clockBehind, -seconds).hasPrefix("Event-Timestamp is \(text) behind our clock;"))
        #expect(told(.clockBehind, nil).hasPrefix("its packets waited"))
    }

    @Test("a window of half an hour moves on by quarters, and the log tells what has grown since it told it last")
    func window() {
        let begin = Timestamp(seconds: Network.start)
        var window = FeedFaultWindow()
        var counts = counts(.noNumber, 3)
        counts.faults[.certificateExpired] = FeedFaultCount(count: 1)
        counts.faults[.noSession] = FeedFaultCount(count: 3)
        let reports = window.reports(counts, of: Network.server, sessions: 0)
        #expect(reports.map(\.fault) == [.noNumber, .noSession, .certificateExpired], "the most frequent first")
        #expect(reports[0].text.hasPrefix("NAS pgw: no_number, 3 packets within 30 minutes: "))
        #expect(reports[2].text.hasPrefix("NAS pgw: certificate_expired, 1 packet within 30 minutes: "))
        for (seconds, isThere) in [(0, true), (899, true), (900, true), (1799, true), (1800, false)] as [(Int64, Bool)]
        {
            window.turn(counts, at: begin + .seconds(seconds))
            #expect(window.reports(counts, of: Network.server, sessions: 0).isEmpty != isThere, "\(seconds)")
        }
        window = FeedFaultWindow()
        #expect(window.mayLog(at: begin))
        let first = window.log(counts, of: Network.server, sessions: 0, at: begin)
        #expect(first.count == 3)
        let interval = AccountingProcessor.reportInterval
        #expect(!window.mayLog(at: begin + interval - .milliseconds(1)) && window.mayLog(at: begin + interval))
        #expect(window.mayLog(at: begin - .milliseconds(1)), "the clock was put back")
        counts.faults[.noSession]?.count = 4
        let second = window.log(counts, of: Network.server, sessions: 0, at: begin + interval)
        #expect(second.map(\.fault) == [.noSession])
    }
}
