import Load
import Testing

@Suite("The histogram of latencies")
struct LatencyHistogramTests {
    @Test("a quantile is never below the true one and at most 1.6 % above", arguments: [0.01, 0.5, 0.9, 0.99, 1])
    func error(share: Double) {
        var histogram = LatencyHistogram()
        // Spread over six powers of ten, in no order.
        let values = (Int64(0)..<10_000).map { (index: Int64) -> Int64 in
            let magnitude: Int64 = [1, 10, 100, 1000, 10_000, 100_000][Int(index % 6)]
            return 1 + (index * 7919 % 10_000) * magnitude
        }
        for value in values { histogram.add(value) }
        let sorted = values.sorted()
        let exact = sorted[Int((share * 10_000).rounded(.up)) - 1]
        #expect(histogram.quantile(share) >= exact)
        #expect(Double(histogram.quantile(share)) <= Double(exact) * 1.016)
        #expect(histogram.greatest == sorted.last)
    }

    @Test("small times are exact")
    func exact() {
        for value in Int64(0)...127 {
            var histogram = LatencyHistogram()
            histogram.add(value)
            #expect(histogram.quantile(0.5) == value)
        }
    }

    @Test("nothing, negative and endless times are bounded")
    func bounded() {
        var histogram = LatencyHistogram()
        #expect(histogram.quantile(0.99) == 0)
        histogram.add(-5)
        #expect(histogram.quantile(1) == 0)
        histogram.add(.max)
        #expect(histogram.quantile(1) == (1 << 36) - 1)
        #expect(histogram.count == 2)
    }

    @Test("merging two is counting both")
    func merge() {
        var left = LatencyHistogram()
        var right = LatencyHistogram()
        var both = LatencyHistogram()
        for value in Int64(0)..<3000 {
            if value % 3 == 0 { left.add(value) } else { right.add(value * 17) }
            both.add(value % 3 == 0 ? value : value * 17)
        }
        left.merge(right)
        #expect(left == both)
    }
}
