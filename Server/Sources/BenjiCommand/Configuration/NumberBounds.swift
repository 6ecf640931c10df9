import Authority

/// The whole numbers that a setting takes. Every product and sum that is computed from a setting fits its type at both
/// ends of the range.
struct NumberBounds: Sendable, CustomStringConvertible {
    var range: ClosedRange<Int>
    /// The unit, for messages: "seconds", "bytes"; "a number" for a count.
    var unit: String
    /// The reason for the range; empty where it is plain.
    var reason = ""

    static func count(_ range: ClosedRange<Int>) -> NumberBounds { NumberBounds(range: range, unit: "a number") }
    static func seconds(_ range: ClosedRange<Int>) -> NumberBounds { NumberBounds(range: range, unit: "seconds") }
    static func days(_ range: ClosedRange<Int>) -> NumberBounds { NumberBounds(range: range, unit: "days") }
    static func bytes(_ range: ClosedRange<Int>) -> NumberBounds { NumberBounds(range: range, unit: "bytes") }

    /// The days of a kind of record.
    /// - Parameter name: as in ``Authority/Retention/kinds``; `nil` for another name.
    static func retention(_ name: String) -> NumberBounds? {
        Retention.kinds.first { $0.name == name }.map {
            NumberBounds(range: $0.range, unit: "days", reason: $0.reason)
        }
    }

    /// As in "seconds, 1 to 600".
    var description: String {
        "\(unit), \(range.lowerBound) to \(range.upperBound)\(reason.isEmpty ? "" : ": \(reason)")"
    }

    /// The number that a text of decimal digits stands for; `nil` if the text has another character or the range does
    /// not contain the number.
    func number(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            return nil
        }
        return number
    }
}
