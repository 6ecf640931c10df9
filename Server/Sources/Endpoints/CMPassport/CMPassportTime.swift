package import BenjiProtocol
import Foundation
import ServerHTTP

/// The operators' times: seventeen digits down to the millisecond, `20180129112955435`, always China's UTC+8.
///
/// The C library's functions take a tenth of the microsecond that Foundation's calendar takes to read or to write one.
package enum CMPassportTime {
    private static let zone: Int64 = 8 * 3600

    /// The moment that seventeen digits name; `nil` for anything else, days and hours that do not exist included.
    package static func parse(_ text: some StringProtocol) -> Timestamp? {
        let digits = Array(text.utf8)
        guard digits.count == 17, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int32 { digits[range].reduce(0) { $0 * 10 + Int32($1 - 0x30) } }
        var fields = tm()
        fields.tm_year = number(0..<4) - 1900
        fields.tm_mon = number(4..<6) - 1
        fields.tm_mday = number(6..<8)
        fields.tm_hour = number(8..<10)
        fields.tm_min = number(10..<12)
        fields.tm_sec = number(12..<14)
        let given = fields
        // It takes the 30th of February for a day of March, and writes down which.
        let seconds = Int64(timegm(&fields)) - zone
        guard given.tm_year >= 70, given.tm_mon == fields.tm_mon, given.tm_mday == fields.tm_mday,
            given.tm_hour == fields.tm_hour, given.tm_min == fields.tm_min, given.tm_sec == fields.tm_sec
        else { return nil }
        return Timestamp(milliseconds: seconds * 1000 + Int64(number(14..<17)))
    }

    /// Seventeen digits.
    package static func format(_ moment: Timestamp) -> String {
        let milliseconds = moment.milliseconds - moment.seconds * 1000
        return digits.text(of: moment.seconds + zone) + String(1000 + milliseconds).dropFirst()
    }

    /// TYRZLogin's other form: `2017-11-09 14:56:16`.
    package static func formatDateTime(_ moment: Timestamp) -> String { dateTime.text(of: moment.seconds + zone) }

    private static let digits = SecondText(as: "%Y%m%d%H%M%S")
    private static let dateTime = SecondText(as: "%Y-%m-%d %H:%M:%S")
}
