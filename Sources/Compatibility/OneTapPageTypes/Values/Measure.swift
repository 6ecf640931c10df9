/// Brings lengths that an app sets freely within what a page description takes, so that no number is a trap.
package enum Measure {
    /// The length, or `nil`, the default, when it is no number.
    package static func any(_ length: Double, upTo limit: Double = 10_000) -> Double? {
        guard length.isFinite else { return nil }
        // A description knows thousandths of a point.
        return (min(max(length, -limit), limit) * 1000).rounded() / 1000
    }

    /// The length, or `nil`, the default, when it is not above zero.
    package static func aboveZero(_ length: Double, upTo limit: Double = 10_000) -> Double? {
        any(length, upTo: limit).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The length, or `nil`, the default, when it is negative.
    package static func zeroOrMore(_ length: Double, upTo limit: Double = 1000) -> Double? {
        any(length, upTo: limit).flatMap { $0 >= 0 ? $0 : nil }
    }
}
