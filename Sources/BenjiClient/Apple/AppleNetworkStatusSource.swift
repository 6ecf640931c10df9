#if canImport(Network)
import Dispatch
import Network

/// Asks Network.framework at each call.
///
/// A device on Wi-Fi does not list its cellular path, so each kind of network is asked for by a monitor of its own.
public struct AppleNetworkStatusSource: NetworkStatusSource {
    private let queue = DispatchQueue(label: "benji.network-status")

    public init() {}

    public func networkStatus() async -> NetworkStatus {
        async let cellular = report(on: .cellular)
        async let wifi = report(on: .wifi)
        async let wired = report(on: .wiredEthernet)
        return await Self.status(cellular, wifi, wired)
    }

    /// The same for callers that cannot await: it blocks for the few milliseconds until the monitors have reported.
    ///
    /// - Parameter greatest: milliseconds; `nil` is answered when they take longer.
    package func networkStatus(within greatest: Int) -> NetworkStatus? {
        let types = [NWInterface.InterfaceType.cellular, .wifi, .wiredEthernet]
        let reports = Locked<[Int: Report]>([:])
        let reported = DispatchSemaphore(value: 0)
        let watches = types.enumerated().map { index, type in
            let watch = PathWatch(NWPathMonitor(requiredInterfaceType: type))
            watch.first(on: queue) { path in
                let isLast = reports.withLock { reports in
                    let isFirst = reports.updateValue(Report(path, type), forKey: index) == nil
                    return isFirst && reports.count == types.count
                }
                if isLast { reported.signal() }
            }
            return watch
        }
        defer { for watch in watches { watch.cancel() } }
        guard reported.wait(timeout: .now() + .milliseconds(greatest)) == .success else { return nil }
        let heard = reports.withLock { $0 }
        return Self.status(heard[0], heard[1], heard[2])
    }

    /// A monitor's report on one kind of network.
    private struct Report: Sendable {
        var isUp: Bool
        var isDenied: Bool

        init(_ path: NWPath, _ type: NWInterface.InterfaceType) {
            isUp = path.status == .satisfied && path.usesInterfaceType(type)
            isDenied = !isUp && path.unsatisfiedReason == .cellularDenied
        }
    }

    private static func status(_ cellular: Report?, _ wifi: Report?, _ wired: Report?) -> NetworkStatus {
        NetworkStatus(
            cellular: cellular?.isUp == true, wifi: wifi?.isUp == true || wired?.isUp == true,
            cellularDenied: cellular.flatMap { $0.isUp ? nil : $0.isDenied })
    }

    /// A monitor reports its path once as soon as it starts, and is asked no further. `nil` when the asking task was
    /// cancelled.
    private func report(on type: NWInterface.InterfaceType) async -> Report? {
        let watch = PathWatch(NWPathMonitor(requiredInterfaceType: type))
        let reports = AsyncStream<Report> { continuation in
            continuation.onTermination = { _ in watch.cancel() }
            watch.first(on: queue) { path in
                continuation.yield(Report(path, type))
                continuation.finish()
            }
        }
        for await report in reports { return report }
        return nil
    }
}
#endif
