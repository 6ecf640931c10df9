import ArgumentParser
import Authority
import BenjiProtocol
import Foundation

/// From when to when, in commands that look back.
struct TimeRangeOptions: ParsableArguments {
    @Option(
        help:
            """
            From then on: 2026-11-01, 2026-11-01T08:00:00Z, or 90m, 24h, 7d before now. A date begins at midnight \
            UTC+8.
            """
    )
    var since: Timestamp?
    @Option(help: "Only what was before this time, written as for --since.") var until: Timestamp?

    func validate() throws {
        guard let since, let until, since >= until else { return }
        throw ValidationError("--since must be earlier than --until")
    }
}

extension Timestamp {
    /// A date, a moment as RFC 3339 writes it, or a time before now.
    init?(_ text: String, now: Timestamp) {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86400]
        if let first = text.first, ("0"..."9").contains(first), let unit = text.last.flatMap({ units[$0] }),
            let count = Int64(text.dropLast()), (1...100_000).contains(count)
        {
            self = now - .seconds(count * unit)
            return
        }
        let isDate = text.utf8.count == 10
        // Days are China's, as quotas and statements have them.
        guard let date = try? Date(isDate ? "\(text)T00:00:00+08:00" : text, strategy: .iso8601) else { return nil }
        self = Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
        // A day that there is not is read as a later one.
        if isDate, CalendarDay(self).description != text { return nil }
    }
}
