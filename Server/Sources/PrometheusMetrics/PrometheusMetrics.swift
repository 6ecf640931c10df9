// Keeps the server's metrics and writes them in the text format that Prometheus reads. A backend of swift-metrics; it
// knows nothing of the meaning of a metric. Begin with `MetricRegistry.swift`.
