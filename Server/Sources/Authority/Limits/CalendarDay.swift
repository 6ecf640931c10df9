package import BenjiProtocol
import Foundation

/// The day that quotas count by: in UTC+8, as the operators' callers live.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
    /// `20261121`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    package init(_ moment: Timestamp) {
        // The C library's: every redemption asks, and Foundation's calendar takes a microsecond.
        var (seconds, fields) = (time_t(moment.seconds + 8 * 3600), tm())
        gmtime_r(&seconds, &fields)
        number = (fields.tm_year + 1900) * 10000 + (fields.tm_mon + 1) * 100 + fields.tm_mday
    }

    /// `2026-11-21`.
    package var description: String {
        let digits = String(number)
        return "\(digits.dropLast(4))-\(digits.suffix(4).prefix(2))-\(digits.suffix(2))"
    }
}
