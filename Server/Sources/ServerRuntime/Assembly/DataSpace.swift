import Foundation
package import Metrics

/// How much room database and journal have left, for monitoring: a full disk stops both.
package struct DataSpace: Sendable {
    private let path: String
    private let gauge: Gauge

    package init(path: String, factory: any MetricsFactory = MetricsSystem.factory) {
        self.path = path
        gauge = Gauge(label: "benji_data_free_bytes", factory: factory)
    }

    /// Bytes that a program without special rights may still write; `nil` if the folder cannot be asked.
    package var free: UInt64? {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return nil }
        return UInt64(system.f_bavail) * UInt64(system.f_frsize)
    }

    package func measure() { if let free { gauge.record(Double(free)) } }
}
