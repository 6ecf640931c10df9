@_spi(Server) import BenjiProtocol

/// The faults of one NAS in the last 15 to 30 minutes, and which of them the log has named.
struct FeedFaultWindow: Sendable {
    /// A fault, and the message about it for the operator.
    struct Report: Sendable {
        var fault: FeedFault
        var text: String
    }

    private static let length: Duration = .seconds(900)

    /// The counts at the beginning of the window, and at that of its second half.
    private var before = FeedCounts()
    private var middle = FeedCounts()
    private var turnedAt: Timestamp?
    /// When the log named the NAS last, and the counts at that time.
    private var logged: (at: Timestamp, counts: FeedCounts)?

    /// Moves the window on every 15 minutes.
    mutating func turn(_ counts: FeedCounts, at now: Timestamp) {
        guard let last = turnedAt, now >= last else {
            turnedAt = now
            return
        }
        guard now - last >= Self.length else { return }
        (before, middle, turnedAt) = (middle, counts, now)
    }

    /// The faults of the window that the operator can remedy, the most frequent first.
    /// - Parameter sessions: how many sessions of the NAS are held.
    func reports(_ counts: FeedCounts, of nas: NetworkAccessServer, sessions: Int) -> [Report] {
        var found: [(count: Int, report: Report)] = []
        for (fault, last) in counts.faults {
            let count = last.count - (before.faults[fault]?.count ?? 0)
            guard fault.isConspicuous(in: counts, since: before, sessions: sessions),
                let explanation = fault.explanation(for: nas, last: last)
            else { continue }
            let packets = count == 1 ? "1 packet" : "\(count) packets"
            let text = "NAS \(nas.name): \(fault.reason), \(packets) within 30 minutes: \(explanation)"
            found.append((count, Report(fault: fault, text: text)))
        }
        return found.sorted { ($1.count, $0.report.fault.reason) < ($0.count, $1.report.fault.reason) }.map(\.report)
    }

    /// Whether the log may name the NAS again.
    func mayLog(at now: Timestamp) -> Bool {
        logged.map { now < $0.at || now - $0.at >= AccountingProcessor.reportInterval } ?? true
    }

    /// The reports that have grown since the log named the NAS last. The caller logs them.
    mutating func log(
        _ counts: FeedCounts, of nas: NetworkAccessServer, sessions: Int, at now: Timestamp
    ) -> [Report] {
        let reports = reports(counts, of: nas, sessions: sessions).filter { report in
            counts.faults[report.fault]?.count != logged?.counts.faults[report.fault]?.count
        }
        if !reports.isEmpty { logged = (now, counts) }
        return reports
    }
}
