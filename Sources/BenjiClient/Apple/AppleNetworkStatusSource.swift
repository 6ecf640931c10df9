#if canImport(Network)
import Dispatch
import Network

/// Asks Network.framework, each time anew.
///
/// A device on Wi-Fi does not list its cellular path, so each kind of network is asked for by a monitor of its own.
public struct AppleNetworkStatusSource: NetworkStatusSource {
    private let queue = DispatchQueue(label: "benji.network-status")

    public init() {}

    public func networkStatus() async -> NetworkStatus {
        async let cellular = isUp(.cellular)
        async let wifi = isUp(.wifi)
        async let wired = isUp(.wiredEthernet)
        let (overWifi, overCable) = await (wifi, wired)
        return await NetworkStatus(cellular: cellular, wifi: overWifi || overCable)
    }

    /// The same for callers that cannot await: it blocks for the few milliseconds until the monitors have reported.
    ///
    /// - Parameter greatest: milliseconds; `nil` is answered when they take longer.
    package func networkStatus(within greatest: Int) -> NetworkStatus? {
        let types = [NWInterface.InterfaceType.cellular, .wifi, .wiredEthernet]
        let reports = Locked<[Int: Bool]>([:])
        let reported = DispatchSemaphore(value: 0)
        let monitors = types.enumerated().map { index, type in
            let monitor = NWPathMonitor(requiredInterfaceType: type)
            monitor.pathUpdateHandler = { path in
                let isUp = path.status == .satisfied && path.usesInterfaceType(type)
                let isLast = reports.withLock { reports in
                    let isFirst = reports.updateValue(isUp, forKey: index) == nil
                    return isFirst && reports.count == types.count
                }
                if isLast { reported.signal() }
            }
            monitor.start(queue: queue)
            return monitor
        }
        defer { for monitor in monitors { monitor.cancel() } }
        guard reported.wait(timeout: .now() + .milliseconds(greatest)) == .success else { return nil }
        let isUp = reports.withLock { $0 }
        return NetworkStatus(cellular: isUp[0] == true, wifi: isUp[1] == true || isUp[2] == true)
    }

    /// A monitor reports its path once as soon as it starts, and is asked no further.
    private func isUp(_ type: NWInterface.InterfaceType) async -> Bool {
        let monitor = NWPathMonitor(requiredInterfaceType: type)
        let paths = AsyncStream<Bool> { continuation in
            monitor.pathUpdateHandler = { path in
                continuation.yield(path.status == .satisfied && path.usesInterfaceType(type))
                continuation.finish()
            }
            continuation.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: queue)
        }
        for await isUp in paths { return isUp }
        // The asking task was cancelled.
        return false
    }
}
#endif
