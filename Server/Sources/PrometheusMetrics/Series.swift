import CoreMetrics
import Synchronization

/// The values of one metric under one combination of labels.
protocol Series: AnyObject, Sendable {
    /// Appends this series' lines. `labels` are rendered, without braces.
    func write(name: String, labels: String, to text: inout String)
}

/// Only ever goes up, as Prometheus asks: a step back or a NaN is not counted.
final class CounterSeries: Series, CounterHandler, FloatingPointCounterHandler {
    /// Whole steps apart from fractions, because a Double loses single steps beyond 2^53.
    private let value = Mutex((whole: Int64(0), fraction: 0.0))

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        value.withLock { value in
            let (sum, overflow) = value.whole.addingReportingOverflow(amount)
            value.whole = overflow ? .max : sum
        }
    }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        value.withLock { $0.fraction += amount }
    }

    func reset() { value.withLock { $0 = (0, 0) } }

    func write(name: String, labels: String, to text: inout String) {
        let (whole, fraction) = value.withLock { $0 }
        let number = fraction == 0 ? String(whole) : Exposition.number(Double(whole) + fraction)
        Exposition.line(name, labels, number, to: &text)
    }
}

/// Shows the last value set.
final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }

    func write(name: String, labels: String, to text: inout String) {
        Exposition.line(name, labels, Exposition.number(value.withLock { $0 }), to: &text)
    }
}

/// Counts values by fixed upper ends.
final class HistogramSeries: Series, TimerHandler, RecorderHandler {
    private struct State {
        /// One for each bound and one for values above all of them; not cumulative.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    /// - Parameter bounds: as ``bounds(_:)`` returns them.
    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    /// Usable upper ends: finite, ascending, each once.
    static func bounds(_ wanted: [Double]) -> [Double] { Set(wanted.filter(\.isFinite)).sorted() }

    func recordNanoseconds(_ duration: Int64) { record(Double(max(duration, 0)) / 1_000_000_000) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    func write(name: String, labels: String, to text: inout String) {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        let prefix = labels.isEmpty ? "" : labels + ","
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            let end = index < bounds.count ? Exposition.number(bounds[index]) : "+Inf"
            Exposition.line(name + "_bucket", prefix + "le=\"\(end)\"", String(total), to: &text)
        }
        Exposition.line(name + "_sum", labels, Exposition.number(sum), to: &text)
        Exposition.line(name + "_count", labels, String(total), to: &text)
    }
}
