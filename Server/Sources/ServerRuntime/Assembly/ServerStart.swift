import Foundation
package import Logging
import Metrics
package import PrometheusMetrics

/// The beginning of a server's process: its log and its metrics. Call it once, before the first line of the log.
package struct ServerStart: Sendable {
    package let logger: Logger
    /// The metrics as text.
    package let metrics: @Sendable () -> String

    /// - Parameter known: every metric that the process may have.
    package init(_ configuration: ProcessConfiguration, describing known: [MetricDescription]) {
        let factory = PrometheusMetricsFactory(describing: known)
        MetricsSystem.bootstrap(factory)
        switch configuration.logFormat {
        case .json: LoggingSystem.bootstrap { _ in JSONLogHandler() }
        case .text: LoggingSystem.bootstrap { TextLogHandler(label: $0) }
        }
        // However it ends, but for a crash.
        atexit { LogOutput.standardError.flush() }
        let log = Logger(label: "benji")
        LogOutput.standardError.whenLeftOut { count in
            log.warning(
                "lines of the log were left out here, because nothing read it", metadata: ["lines": "\(count)"])
        }
        var logger = Logger(label: "benji")
        logger.logLevel = configuration.logLevel
        self.logger = logger
        metrics = { factory.render() }
    }
}
