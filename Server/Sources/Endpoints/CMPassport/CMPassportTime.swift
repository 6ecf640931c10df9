package import BenjiProtocol

/// The operators' times: seventeen digits down to the millisecond, `20180129112955435`, always China's UTC+8.
package enum CMPassportTime {
    private static let offset: Int64 = 8 * 3600

    /// The moment that seventeen digits name; `nil` for anything else, days and hours that do not exist included.
    package static func parse(_ text: some StringProtocol) -> Timestamp? {
        let digits = Array(text.utf8)
        guard digits.count == 17, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int64 { digits[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) } }
        let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard year >= 1970, (1...12).contains(month), hour < 24, minute < 60, second < 60 else { return nil }
        let days = daysSinceEpoch(year: year, month: month, day: day)
        // A day that does not exist comes back as another one.
        guard civil(days) == (year, month, day) else { return nil }
        let seconds = days * 86400 + hour * 3600 + minute * 60 + second - offset
        return Timestamp(milliseconds: seconds * 1000 + number(14..<17))
    }

    /// Seventeen digits.
    package static func format(_ moment: Timestamp) -> String {
        let (date, time) = parts(moment)
        let milliseconds = moment.milliseconds - moment.seconds * 1000
        return digits(date.year, 4) + digits(date.month, 2) + digits(date.day, 2) + digits(time / 3600, 2)
            + digits(time / 60 % 60, 2) + digits(time % 60, 2) + digits(milliseconds, 3)
    }

    /// TYRZLogin's other form: `2017-11-09 14:56:16`.
    package static func formatDateTime(_ moment: Timestamp) -> String {
        let (date, time) = parts(moment)
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2)) "
            + "\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))"
    }

    private static func parts(_ moment: Timestamp) -> (date: (year: Int64, month: Int64, day: Int64), time: Int64) {
        let local = moment.seconds + offset
        let days = (local >= 0 ? local : local - 86399) / 86400
        return (civil(days), local - days * 86400)
    }

    private static func digits(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    // The two conversions count in eras of 400 years that begin on 1 March, so that a leap day ends its year
    // (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").

    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
