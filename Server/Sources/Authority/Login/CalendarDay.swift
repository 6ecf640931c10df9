package import BenjiProtocol

/// The day that quotas count by: in UTC+8, as the operators' callers live.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
    /// `20261121`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// `2026-11-21`.
    package var description: String {
        let digits = String(number)
        return "\(digits.dropLast(4))-\(digits.suffix(4).prefix(2))-\(digits.suffix(2))"
    }

    package init(_ moment: Timestamp) {
        // Days since 1970-01-01, then the civil-from-days algorithm over 400-year eras.
        let seconds = moment.seconds + 8 * 3600
        let days = (seconds >= 0 ? seconds : seconds - 86399) / 86400 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        number = Int32(clamping: year * 10000 + month * 100 + day)
    }
}
