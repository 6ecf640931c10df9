internal import Metrics
internal import Synchronization

/// The counters and timers of one listener, made once for each combination of labels and kept: making one looks it up
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
    private let made = Mutex<(counters: [Key: Counter], timers: [String: Metrics.Timer])>(([:], [:]))

    init(listener: String, factory: any MetricsFactory) {
        self.listener = listener
        self.factory = factory
    }

    func record(route: String, status: Int, code: String, duration: Duration) {
        let key = Key(route: route, status: status, code: code)
        let (counter, timer) = made.withLock { made in
            let counter = made.counters[key] ?? makeCounter(key)
            let timer = made.timers[route] ?? makeTimer(route)
            if made.counters[key] == nil { made.counters[key] = counter }
            if made.timers[route] == nil { made.timers[route] = timer }
            return (counter, timer)
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
