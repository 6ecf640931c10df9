package import BenjiProtocol

/// Which addresses a callback may lead to: public ones, and those that the operator allows. Else an app could have this
/// server call what only this server reaches (server-side request forgery).
package struct ReceiverAddresses: Sendable {
    /// Networks of the operator's in which receivers may be.
    private let allowed: [IPPrefix]

    package init(allowing allowed: [IPPrefix] = []) { self.allowed = allowed }

    /// Whether an address may be called.
    /// - Parameter isPlain: without TLS, which is for this machine alone.
    package func mayBeCalled(_ address: InternetAddress, isPlain: Bool = false) -> Bool {
        if isPlain { return Self.loopback.contains { $0.contains(address) } }
        if Self.metadata.contains(address) { return false }
        if allowed.contains(where: { $0.contains(address) }) { return true }
        switch address.family {
        case .v4: return !Self.specialV4.contains { $0.contains(address) }
        // IANA assigns only 2000::/3. So no list is needed for the forms that lead to an IPv4 address: compatible
        // (::/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48). InternetAddress reads mapped ones as the IPv4 address.
        case .v6: return Self.unicast.contains(address) && !Self.specialV6.contains { $0.contains(address) }
        }
    }

    private static func prefixes(_ texts: String...) -> [IPPrefix] { texts.compactMap { IPPrefix($0) } }

    private static let loopback = prefixes("127.0.0.0/8", "::1/128")

    /// Where clouds tell a machine its credentials, and what such machines are controlled by. Never called, whatever is
    /// allowed.
    private static let metadata = Set(
        ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"]
            .compactMap { InternetAddress($0) })

    /// IANA's registry of special-purpose IPv4 addresses, multicast, and the reserved block.
    private static let specialV4 = prefixes(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")

    private static let unicast = IPPrefix("2000::/3")!

    /// Within the assigned block: protocols' own (Teredo among them), documentation, 6to4, AS112.
    private static let specialV6 = prefixes(
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
}
