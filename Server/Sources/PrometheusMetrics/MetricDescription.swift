/// The description of a metric, for its `# HELP` line.
package struct MetricDescription: Sendable {
    /// As the page has it, with its ending: `_total` of counters, `_seconds` of timers.
    package var name: String
    package var kind: MetricKind
    /// The labels that its series have, sorted.
    package var labels: [String]
    /// The measured quantity, and its unit.
    package var help: String
    /// Label combinations that it may have; the factory's limit if `nil`.
    package var seriesLimit: Int?

    package init(
        _ name: String, _ kind: MetricKind, labels: [String] = [], seriesLimit: Int? = nil, help: String
    ) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
        self.seriesLimit = seriesLimit
    }
}
