#if canImport(Network)
import Dispatch
import Network

/// Whether the person has been asked yet if this app may use networks.
///
/// iPhones sold in mainland China ask at an app's first launch. Until the person answers, mobile data and Wi-Fi are
/// both denied to the app, as after a refusal of both. The two cases cannot be distinguished, so the answer is given
/// time. If the app may use either network, or is denied mobile data only, the person has decided.
enum NetworkPermission {
    /// Calls `then` on `queue` when Wi-Fi is denied too. For callers to whom mobile data was just denied.
    static func whenUndecided(on queue: DispatchQueue, _ then: @escaping @Sendable () -> Void) {
        let monitor = NWPathMonitor(requiredInterfaceType: .wifi)
        let watch = PathWatch(monitor)
        watch.first(on: queue) { path in
            if path.status != .satisfied, path.unsatisfiedReason == .wifiDenied { then() }
        }
    }
}

/// A monitor that is asked once.
///
/// `@unchecked Sendable`: the monitor is configured before it starts. It may be cancelled on any thread. iOS declares
/// it `Sendable` from iOS 17 on.
final class PathWatch: @unchecked Sendable {
    private let monitor: NWPathMonitor

    init(_ monitor: NWPathMonitor) { self.monitor = monitor }

    /// Hands over the first path that the monitor reports, as soon as it starts.
    func first(on queue: DispatchQueue, _ take: @escaping @Sendable (NWPath) -> Void) {
        // Held until it has reported.
        monitor.pathUpdateHandler = { [self] path in
            cancel()
            take(path)
        }
        monitor.start(queue: queue)
    }

    func cancel() {
        monitor.cancel()
        monitor.pathUpdateHandler = nil
    }
}
#endif
