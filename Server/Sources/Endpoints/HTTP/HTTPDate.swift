import BenjiProtocol
import Synchronization

/// The time as `Date` has it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7). Written once a second.
final class HTTPDate: Sendable {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private let written = Mutex<(second: Int64, text: String)>((-1, ""))

    /// - Parameter moment: after 1970.
    func text(at moment: Timestamp) -> String {
        written.withLock { written in
            if written.second != moment.seconds { written = (moment.seconds, Self.format(moment.seconds)) }
            return written.text
        }
    }

    private static func format(_ seconds: Int64) -> String {
        let day = seconds / 86400
        // Counted from the first of March of the year 0, so that leap days come last (Hinnant, "chrono-Compatible Low-Level Date
        // Algorithms").
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * fromMarch + 2) / 5 + 1
        let month = (fromMarch + 2) % 12
        let year = yearOfEra + era * 400 + (month < 2 ? 1 : 0)
        let time = seconds % 86400
        return "\(days[Int(day % 7)]), \(two(dayOfMonth)) \(months[Int(month)]) \(year) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
