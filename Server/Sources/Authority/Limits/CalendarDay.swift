package import BenjiProtocol
import Foundation

/// The day that quotas count by: in UTC+8, as the operators' callers live.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
    /// `20261121`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// A moment before the year 1 or after the year 9999 counts as the first or last moment of these years.
    package init(_ moment: Timestamp) {
        // The C library's: every redemption asks, and Foundation's calendar takes a microsecond.
        var (seconds, fields) = (time_t(min(max(moment.seconds, Self.first), Self.last) + 8 * 3600), tm())
        gmtime_r(&seconds, &fields)
        number = (fields.tm_year + 1900) * 10000 + (fields.tm_mon + 1) * 100 + fields.tm_mday
    }

    /// Parses `2026-11-21`. Returns `nil` for text that is not a day of the year 2000 or later.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2d || (0x30...0x39).contains($0) })
        else { return nil }
        let numbers = parts.compactMap { Int32($0) }
        guard numbers.count == 3, numbers[0] >= 2000 else { return nil }
        let number = numbers[0] * 10000 + numbers[1] * 100 + numbers[2]
        // The 31st of a short month is the next one's first.
        guard CalendarDay(Self.noon(of: number)).number == number else { return nil }
        self.number = number
    }

    /// The day after.
    package var next: CalendarDay { CalendarDay(Self.noon(of: number) + .seconds(86400)) }
    package var previous: CalendarDay { CalendarDay(Self.noon(of: number) - .seconds(86400)) }

    /// The first second of the year 1, in seconds since 1970.
    private static let first: Int64 = -62_135_625_600
    /// The last second of the year 9999, in seconds since 1970.
    private static let last: Int64 = 253_402_271_999

    private static func noon(of number: Int32) -> Timestamp {
        var fields = tm()
        (fields.tm_year, fields.tm_mon) = (number / 10000 - 1900, number / 100 % 100 - 1)
        (fields.tm_mday, fields.tm_hour) = (number % 100, 12 - 8)
        return Timestamp(seconds: Int64(timegm(&fields)))
    }

    /// `2026-11-21`.
    package var description: String {
        let digits = String(number)
        return "\(digits.dropLast(4))-\(digits.suffix(4).prefix(2))-\(digits.suffix(2))"
    }
}
