/// Which kinds of network are up with an address.
public struct NetworkStatus: Hashable, Sendable {
    /// Mobile data.
    public var cellular: Bool
    /// Wi-Fi or a cable.
    public var wifi: Bool
    /// Whether mobile data is down because it is switched off, for all apps or for this one. `nil` where it is up or
    /// the system does not report it.
    public var cellularDenied: Bool?
    /// Whether there is a SIM in the phone; `nil` where the system does not tell, as on iOS.
    public var hasSIM: Bool?

    public init(cellular: Bool, wifi: Bool, hasSIM: Bool? = nil, cellularDenied: Bool? = nil) {
        self.cellular = cellular
        self.wifi = wifi
        self.cellularDenied = cellularDenied
        self.hasSIM = hasSIM
    }

    /// Whether there is any way out.
    public var isConnected: Bool { cellular || wifi }
}

/// Reports whether there is a network at all, before anything is sent.
///
/// A hint for early and clear errors, never a permission: a network can go between the answer and the request.
public protocol NetworkStatusSource: Sendable {
    func networkStatus() async -> NetworkStatus
}
