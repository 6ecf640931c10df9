@_spi(Server) public import BenjiProtocol
import NIOConcurrencyHelpers

extension GatewayService {
    /// Says who sent a request.
    ///
    /// It waits for no disk and no network. `source` and `port` are those of the connection on a carrier-side listener,
    /// or what a listed balancer's ``ProxyProtocolHeader`` says; never what a device writes in a request (edge case
    /// 14).
    ///
    /// - Parameters:
    ///   - port: 0 if it is not known; behind a NAT the answer is then a refusal.
    ///   - domain: the ip-domain of the listener that the connection came through (edge case 9).
    ///   - claimedLocalAddress: the address that the phone's signed proof names. It is confirmed when it is the
    ///     Framed-IP-Address of the session, or for IPv6 the source itself. Behind a phone that shares its connection,
    ///     another device has another IPv4 address; over IPv6 it has an address of its own in the same prefix, so there
    ///     the word of an attested app that binds to the cellular interface is what keeps them apart, not this
    ///     comparison.
    @_spi(Server) public func sighting(
        from source: InternetAddress, port: UInt16, domain: String, claimedLocalAddress: InternetAddress?
    ) -> Result<Sighting, SightingRefusal> {
        let now = clock.now
        let found = directory.withLockedValue { directory -> Result<Directory.Match, SightingRefusal> in
            for nat in configuration.deterministicNATs[domain] ?? [] where nat.outside.contains(source) {
                guard port != 0 else { return .failure(.ambiguousAddress) }
                guard let inside = nat.insideAddress(of: source, port: port) else { return .failure(.unknownAddress) }
                return directory.find(inside, port: 0, domain: nat.insideDomain, at: now)
            }
            return directory.find(source, port: port, domain: domain, at: now)
        }
        switch found {
        case .failure(let refusal): metrics.refused(refusal)
        case .success: metrics.sighted()
        }
        return found.map { match in
            Sighting(
                subscription: match.session.reference, carrier: match.session.carrier,
                binding: BindingID(rawValue: match.session.binding), gateway: configuration.name, time: now,
                localAddressConfirmed: Self.isConfirmed(claimedLocalAddress, source: source, match: match),
                roaming: match.session.flags.contains(.roaming))
        }
    }

    private static func isConfirmed(_ claimed: InternetAddress?, source: InternetAddress, match: Directory.Match)
        -> Bool
    {
        guard let claimed, claimed.family == source.family else { return false }
        switch claimed.family {
        case .v4: return claimed == match.framedAddress
        case .v6: return claimed == source
        }
    }
}
