import Metrics
import Synchronization

/// The counters and timers of one listener, made once for each combination of labels and kept. Making one looks it up
/// in the metrics' registry by its labels' texts, which costs more than answering many a request.
final class RequestMeters: Sendable {
    private struct Key: Hashable {
        var route: String
        var status: Int
        var code: String
    }

    private let listener: String
    private let factory: any MetricsFactory
    // Routes, statuses and codes all come from fixed lists, so these stay small.
    private let made = Mutex<[Key: (counter: Counter, timer: Metrics.Timer)]>([:])

    init(listener: String, factory: any MetricsFactory) {
        self.listener = listener
        self.factory = factory
    }

    func record(route: String, status: Int, code: String, duration: Duration) {
        let key = Key(route: route, status: status, code: code)
        let (counter, timer) = made.withLock { made in
            if let meters = made[key] { return meters }
            // Timers that differ in status or code alone are one: the registry knows them by their labels.
            let meters = (makeCounter(key), makeTimer(route))
            made[key] = meters
            return meters
        }
        counter.increment()
        timer.record(duration: duration)
    }

    private func makeCounter(_ key: Key) -> Counter {
        Counter(
            label: "benji_http_requests_total",
            dimensions: [
                ("listener", listener), ("route", key.route), ("status", "\(key.status)"), ("code", key.code),
            ],
            factory: factory)
    }

    private func makeTimer(_ route: String) -> Metrics.Timer {
        Metrics.Timer(
            label: "benji_http_request_duration", dimensions: [("listener", listener), ("route", route)],
            factory: factory)
    }
}
