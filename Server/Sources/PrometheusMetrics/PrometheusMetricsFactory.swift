package import CoreMetrics
import Synchronization

/// Collects what the program measures through swift-metrics and writes it down in Prometheus' text format 0.0.4
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/>).
///
/// Names follow Prometheus' habits: a counter `redeem.spent` is shown as `redeem_spent_total`, a timer `redeem` as the
/// histogram `redeem_seconds`. Each metric keeps a bounded number of label combinations. So memory and answer stay
/// small even if an attacker varies a label. All further ones are counted together under `overflow="true"`.
///
/// ```swift
/// let factory = PrometheusMetricsFactory()
/// MetricsSystem.bootstrap(factory)
/// Counter(label: "redeem.spent", dimensions: [("dialect", "device")]).increment()
/// print(factory.render())
/// ```
package final class PrometheusMetricsFactory: MetricsFactory {
    /// The `Content-Type` of what ``render()`` returns.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Upper ends in seconds, from half a millisecond to ten seconds: a cached prefetch and a timeout both fall inside.
    package static let defaultTimerBuckets: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// Upper ends for recorders, whose unit is unknown: sizes and counts from one to ten thousand.
    package static let defaultRecorderBuckets: [Double] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000,
    ]

    private let registry: Mutex<MetricRegistry>
    private let timerBuckets: [Double]
    private let recorderBuckets: [Double]

    /// - Parameters:
    ///   - descriptions: metrics with their `# HELP` lines; they are on the page before something is counted.
    ///   - seriesLimit: label combinations that one metric may have, one at least; more are counted together.
    ///   - timerBuckets: upper ends of a timer's buckets in seconds. `+Inf` is always added.
    ///   - recorderBuckets: upper ends of an aggregating recorder's buckets, in the recorder's own unit.
    package init(
        describing descriptions: [MetricDescription] = [], seriesLimit: Int = 200,
        timerBuckets: [Double] = defaultTimerBuckets,
        recorderBuckets: [Double] = defaultRecorderBuckets
    ) {
        registry = Mutex(MetricRegistry(seriesLimit: max(seriesLimit, 1), descriptions: descriptions))
        self.timerBuckets = HistogramSeries.bounds(timerBuckets)
        self.recorderBuckets = HistogramSeries.bounds(recorderBuckets)
    }

    /// Everything collected so far, sorted by name. Each histogram is consistent in itself.
    package func render() -> String {
        let families = registry.withLock { $0.snapshot }
        var text = ""
        for family in families {
            if let help = family.help { text += "# HELP \(family.name) \(Exposition.help(help))\n" }
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for (labels, series) in family.series { series.write(name: family.name, labels: labels, to: &text) }
        }
        return text
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, Exposition.counterName(label), dimensions) { CounterSeries() }
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, Exposition.counterName(label), dimensions) { CounterSeries() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, Exposition.name(label), dimensions) { GaugeSeries() }
    }

    /// A recorder that does not aggregate is a gauge (swift-metrics' `Gauge`), one that does a histogram.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if !aggregate { return series(.gauge, Exposition.name(label), dimensions) { GaugeSeries() } }
        return series(.histogram, Exposition.name(label), dimensions) { [recorderBuckets] in
            HistogramSeries(bounds: recorderBuckets)
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(.histogram, Exposition.timerName(label), dimensions) { [timerBuckets] in
            HistogramSeries(bounds: timerBuckets)
        }
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func series<S: Series>(
        _ kind: MetricKind, _ name: String, _ dimensions: [(String, String)], _ make: () -> S
    ) -> S {
        let labels = Exposition.labels(dimensions, of: kind)
        return registry.withLock { $0.series(kind, name, labels, make) }
    }

    private func remove(_ handler: AnyObject) { registry.withLock { $0.remove(ObjectIdentifier(handler)) } }
}
