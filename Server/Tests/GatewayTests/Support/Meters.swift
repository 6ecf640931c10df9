import CoreMetrics
import NIOConcurrencyHelpers

/// Keeps what meters of a test say, by their names and labels.
final class Meters: MetricsFactory {
    private let kept = NIOLockedValueBox<[String: Double]>([:])

    /// Of those whose names begin so, without that.
    func values(of prefix: String) -> [String: Double] {
        let found = kept.withLockedValue { $0 }.filter { $0.key.hasPrefix(prefix) }
        return Dictionary(uniqueKeysWithValues: found.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    }

    private final class Meter: CounterHandler, RecorderHandler, FloatingPointCounterHandler, TimerHandler {
        let name: String
        let kept: NIOLockedValueBox<[String: Double]>

        init(_ label: String, _ dimensions: [(String, String)], _ kept: NIOLockedValueBox<[String: Double]>) {
            name = ([label] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
            self.kept = kept
        }

        func increment(by amount: Int64) { kept.withLockedValue { $0[name, default: 0] += Double(amount) } }
        func increment(by amount: Double) { kept.withLockedValue { $0[name, default: 0] += amount } }
        func reset() {}
        func record(_ value: Int64) { record(Double(value)) }
        func record(_ value: Double) { kept.withLockedValue { $0[name] = value } }
        func recordNanoseconds(_ duration: Int64) {}
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Meter(label, dimensions, kept)
    }
    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { Meter(label, dimensions, kept) }
    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { Meter(label, dimensions, kept) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Meter(label, dimensions, kept)
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
