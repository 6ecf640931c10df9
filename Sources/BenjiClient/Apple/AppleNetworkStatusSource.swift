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
