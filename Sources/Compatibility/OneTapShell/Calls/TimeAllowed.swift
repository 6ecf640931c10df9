/// A time-out as an app wrote it. The vendors count in different units, and an app may write anything.
package enum TimeAllowed: Hashable, Sendable {
    /// The time in the facade's document.
    case standard
    case milliseconds(Double)
    case seconds(Double)

    /// Longer than anybody waits, and short enough to count with.
    private static let greatest = 3600.0

    /// `nil` for a negative value and for one that is no number. Zero means `standard`, as it does to apps that leave a
    /// number out.
    package func duration(standard: Duration) -> Duration? {
        let seconds =
            switch self {
            case .standard: 0.0
            case .milliseconds(let value): value / 1000
            case .seconds(let value): value
            }
        guard seconds.isFinite, seconds >= 0 else { return nil }
        return seconds == 0 ? standard : .seconds(min(seconds, Self.greatest))
    }
}
