public import BenjiProtocol

/// One network interface of a Linux device, with the facts that identify its kind of network.
public struct NetworkInterface: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case cellular, wifi, wired, other }

    /// Such as `wwan0`.
    public var name: String
    /// `DEVTYPE` of the kernel's `uevent` file, such as `wwan` or `wlan`; `nil` when the driver sets none.
    public var deviceType: String?
    /// Up, and with a carrier.
    public var isRunning: Bool
    public var addresses: [InternetAddress]

    public init(name: String, deviceType: String? = nil, isRunning: Bool, addresses: [InternetAddress]) {
        self.name = name
        self.deviceType = deviceType
        self.isRunning = isRunning
        self.addresses = addresses
    }

    /// The kind that the driver reports, because many modems pose as Ethernet; otherwise the kind that the name implies
    /// (systemd's and Android's customs).
    public var kind: Kind {
        switch deviceType {
        case "wwan": return .cellular
        case "wlan": return .wifi
        default: break
        }
        func named(_ prefixes: String...) -> Bool { prefixes.contains { name.hasPrefix($0) } }
        if named("wwan", "wwp", "wwx", "rmnet", "ppp") { return .cellular }
        if named("wl") { return .wifi }
        if named("eth", "en") { return .wired }
        return .other
    }

    /// Whether it has an address that reaches beyond its own link (not 169.254.0.0/16, not fe80::/10, not loopback).
    public var reachesBeyondItsLink: Bool {
        addresses.contains { address in !Self.confined.contains { $0.contains(address) } }
    }

    private static let confined = ["169.254.0.0/16", "127.0.0.0/8", "fe80::/10", "::1/128"].compactMap {
        IPPrefix($0)
    }
}

extension NetworkStatus {
    /// The status of a device with these interfaces. A cable counts as Wi-Fi: both are "not mobile data". Tunnels,
    /// bridges and the loopback count as nothing.
    public init(_ interfaces: some Sequence<NetworkInterface>) {
        self.init(cellular: false, wifi: false)
        for interface in interfaces where interface.isRunning && interface.reachesBeyondItsLink {
            switch interface.kind {
            case .cellular: cellular = true
            case .wifi, .wired: wifi = true
            case .other: break
            }
        }
    }
}
