package import BenjiProtocol
package import Foundation

/// The day that quotas count by: in UTC+8, as the operators' callers live.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
    /// `20261121`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    package init(_ moment: Timestamp) {
        let parts = Calendar.operators.dateComponents([.year, .month, .day], from: Date(wholeSecondsOf: moment))
        number = Int32(clamping: parts.year! * 10000 + parts.month! * 100 + parts.day!)
    }

    /// `2026-11-21`.
    package var description: String {
        let digits = String(number)
        return "\(digits.dropLast(4))-\(digits.suffix(4).prefix(2))-\(digits.suffix(2))"
    }
}

extension Calendar {
    /// The calendar of the operators' days and times: Gregorian, China's UTC+8.
    package static let operators: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 8 * 3600)!
        return calendar
    }()
}

extension Date {
    /// A `Date` counts in floating point, so milliseconds are left out.
    package init(wholeSecondsOf moment: Timestamp) { self.init(timeIntervalSince1970: Double(moment.seconds)) }
}
