/// The listeners that a server can have, as the configuration calls them.
package enum ListenerName: Hashable, CaseIterable {
    case device, server, mtls, admin, administration, gateways, accounting, radsec
}

/// The ports that listeners got, for callers that requested port 0.
package actor BoundPorts {
    private var ports: [ListenerName: UInt16] = [:]
    private var waiting: [ListenerName: [CheckedContinuation<UInt16, Never>]] = [:]

    package init() {}

    package func set(_ listener: ListenerName, _ port: Int?) {
        guard let port, let port = UInt16(exactly: port) else { return }
        ports[listener] = port
        for continuation in waiting.removeValue(forKey: listener) ?? [] { continuation.resume(returning: port) }
    }

    /// Those of `listeners` that are not up, in their order.
    package func missing(of listeners: [ListenerName]) -> [ListenerName] { listeners.filter { ports[$0] == nil } }

    /// Waits until the listener is up.
    package func port(_ listener: ListenerName) async -> UInt16 {
        if let port = ports[listener] { return port }
        return await withCheckedContinuation { waiting[listener, default: []].append($0) }
    }
}
