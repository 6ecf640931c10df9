import Metrics

/// The results of `/health/ready` as gauges: for each check whether it passes, and how many warnings it has.
struct HealthMeters: Sendable {
    private let gauges: [String: (check: Gauge, warnings: Gauge)]

    init(_ names: [String], factory: any MetricsFactory) {
        gauges = Dictionary(
            uniqueKeysWithValues: names.map { name in
                let dimensions = [("check", name)]
                return (
                    name,
                    (
                        Gauge(label: "benji_health_check", dimensions: dimensions, factory: factory),
                        Gauge(label: "benji_health_warnings", dimensions: dimensions, factory: factory)
                    )
                )
            })
    }

    func record(_ finding: HealthEndpoints.Finding) {
        guard let (check, warnings) = gauges[finding.name] else { return }
        check.record(finding.problem == nil ? 1 : 0)
        warnings.record(finding.warnings.count)
    }
}
