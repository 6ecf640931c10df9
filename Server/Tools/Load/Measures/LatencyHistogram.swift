/// How often which time was taken, in microseconds, with an error below 1.6 % and in bounded memory.
///
/// Up to 64 µs every microsecond has a bucket; above, every power of two is cut into 64.
package struct LatencyHistogram: Hashable, Sendable {
    private static let subBuckets = 64
    /// 2³⁶ µs are nineteen hours; longer times count as that.
    private static let greatest: Int64 = (1 << 36) - 1

    private var buckets: [Int] = []
    package private(set) var count = 0
    /// The longest, exactly; 0 if there is none.
    package private(set) var greatest: Int64 = 0

    package init() {}

    /// - Parameter microseconds: a negative one counts as 0.
    package mutating func add(_ microseconds: Int64) {
        let value = min(max(microseconds, 0), Self.greatest)
        let index = Self.index(of: value)
        if index >= buckets.count { buckets += Array(repeating: 0, count: index + 1 - buckets.count) }
        buckets[index] += 1
        count += 1
        greatest = max(greatest, value)
    }

    /// The time, in microseconds, that this share of all stayed at or below; 0 if there is none.
    /// - Parameter share: 0 to 1.
    package func quantile(_ share: Double) -> Int64 {
        guard count > 0 else { return 0 }
        let wanted = max(1, Int((share * Double(count)).rounded(.up)))
        var seen = 0
        for (index, number) in buckets.enumerated() {
            seen += number
            if seen >= wanted { return min(Self.maximumValue(of: index), greatest) }
        }
        return greatest
    }

    /// Adds all that another has counted.
    package mutating func merge(_ other: LatencyHistogram) {
        if other.buckets.count > buckets.count {
            buckets += Array(repeating: 0, count: other.buckets.count - buckets.count)
        }
        for (index, number) in other.buckets.enumerated() { buckets[index] += number }
        count += other.count
        greatest = max(greatest, other.greatest)
    }

    private static func index(of value: Int64) -> Int {
        guard value >= subBuckets else { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - 6
        return (shift + 1) * subBuckets + Int(value >> Int64(shift)) - subBuckets
    }

    private static func maximumValue(of index: Int) -> Int64 {
        guard index >= subBuckets else { return Int64(index) }
        let shift = Int64(index / subBuckets - 1)
        let first = Int64(index % subBuckets + subBuckets) << shift
        return first + (1 << shift) - 1
    }
}
