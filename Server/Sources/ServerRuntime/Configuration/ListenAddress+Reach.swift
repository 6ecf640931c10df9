@_spi(Server) import BenjiProtocol

extension ListenAddress {
    /// Whether only this machine or a private network reaches it. Inside are loopback (RFC 1122), private (RFC 1918,
    /// RFC 6598, RFC 4193) and link-local addresses (RFC 3927, RFC 4291), not `0.0.0.0` and `::`.
    package var isInside: Bool { isLoopback || Self.inside.contains { $0.contains(host) } }

    /// Whether only this machine reaches it.
    package var isLoopback: Bool { host.isLoopback }

    /// Whether it stands for every address of the machine.
    package var isEverywhere: Bool { host.bytes.allSatisfy { $0 == 0 } }

    private static let inside = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "fc00::/7", "fe80::/10",
    ].compactMap { IPPrefix($0) }
}
