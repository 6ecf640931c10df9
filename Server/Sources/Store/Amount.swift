/// An exact sum of money, in millionths of its currency's unit. The holder of the sum keeps the currency.
package struct Amount: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var millionths: Int64

    package static let zero = Amount(millionths: 0)

    package init(millionths: Int64) { self.millionths = millionths }

    /// Reads a decimal number that is not negative, such as `0.045`: up to nine digits, and up to six after the point;
    /// `nil` otherwise.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        func digits(_ part: Substring.UTF8View, _ range: ClosedRange<Int>) -> Int64? {
            guard range.contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        guard (1...2).contains(parts.count), let units = digits(parts[0], 1...9) else { return nil }
        millionths = units * 1_000_000
        guard parts.count == 2 else { return }
        guard let fraction = digits(parts[1], 1...6) else { return nil }
        millionths += (parts[1].count..<6).reduce(fraction) { value, _ in value * 10 }
    }

    /// `0.045`; two digits after the point at least.
    package var description: String {
        let (units, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var fraction = String(rest)
        fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
        while fraction.count > 2, fraction.last == "0" { fraction.removeLast() }
        return "\(millionths < 0 ? "-" : "")\(units).\(fraction)"
    }

    package static func < (one: Amount, other: Amount) -> Bool { one.millionths < other.millionths }
    package static func + (one: Amount, other: Amount) -> Amount {
        Amount(millionths: one.millionths + other.millionths)
    }
    /// A rate of up to a thousand units holds nine thousand million answers.
    package static func * (rate: Amount, count: Int) -> Amount { Amount(millionths: rate.millionths * Int64(count)) }
}
