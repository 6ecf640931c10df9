/// The whole numbers that a setting takes. Every product and sum that is computed from a setting fits its type at both
/// ends of the range.
package struct NumberBounds: Sendable, CustomStringConvertible {
    package var range: ClosedRange<Int>
    /// The unit, for messages: "seconds", "bytes"; "a number" for a count.
    package var unit: String
    /// The reason for the range; empty where it is plain.
    package var reason = ""

    package init(range: ClosedRange<Int>, unit: String, reason: String = "") {
        (self.range, self.unit, self.reason) = (range, unit, reason)
    }

    package static func count(_ range: ClosedRange<Int>) -> NumberBounds {
        NumberBounds(range: range, unit: "a number")
    }
    package static func seconds(_ range: ClosedRange<Int>) -> NumberBounds {
        NumberBounds(range: range, unit: "seconds")
    }
    package static func days(_ range: ClosedRange<Int>) -> NumberBounds { NumberBounds(range: range, unit: "days") }
    package static func bytes(_ range: ClosedRange<Int>) -> NumberBounds { NumberBounds(range: range, unit: "bytes") }

    /// As in "seconds, 1 to 600".
    package var description: String {
        "\(unit), \(range.lowerBound) to \(range.upperBound)\(reason.isEmpty ? "" : ": \(reason)")"
    }

    /// The number that a text of decimal digits stands for; `nil` if the text has another character or the range does
    /// not contain the number.
    package func number(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            return nil
        }
        return number
    }
}
