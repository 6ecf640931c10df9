// Keeps what the server counts and writes it in the text format that Prometheus reads. A backend of swift-metrics; it knows
// nothing of what is counted. Begin with `MetricRegistry.swift`.
