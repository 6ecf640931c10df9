/// A moment on the wall clock: milliseconds since 1970-01-01T00:00:00Z.
///
/// Everything that expires, is billed or is traced carries one. It is an integer so that it survives JSON, SQL and
/// a journal without rounding.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since the Unix epoch.
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
    /// Saturates: seconds come from the wire.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since the Unix epoch, rounded down.
    public var seconds: Int64 { milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0) }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `duration` later. Saturates instead of trapping, because durations come from configuration and wire.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = moment.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        return Timestamp(milliseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    public static func - (moment: Timestamp, duration: Duration) -> Timestamp { moment + (.zero - duration) }

    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        let (difference, overflow) = later.milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return .milliseconds(overflow ? (later > earlier ? Int64.max : Int64.min) : difference)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero and saturated to what an `Int64` holds.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }
}
