/// The ports that listeners got, for whoever asked for port 0.
actor BoundPorts {
    enum Listener: Hashable, CaseIterable { case device, server, admin, gateways, accounting }

    private var ports: [Listener: UInt16] = [:]
    private var waiting: [Listener: [CheckedContinuation<UInt16, Never>]] = [:]

    func set(_ listener: Listener, _ port: Int?) {
        guard let port, let port = UInt16(exactly: port) else { return }
        ports[listener] = port
        for continuation in waiting.removeValue(forKey: listener) ?? [] { continuation.resume(returning: port) }
    }

    /// Waits until the listener is up.
    func port(_ listener: Listener) async -> UInt16 {
        if let port = ports[listener] { return port }
        return await withCheckedContinuation { waiting[listener, default: []].append($0) }
    }
}
