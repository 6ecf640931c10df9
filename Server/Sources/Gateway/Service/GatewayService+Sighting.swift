@_spi(Server) package import BenjiProtocol
import NIOConcurrencyHelpers
package import Sightings

extension GatewayService {
    /// Says who sent a request.
    ///
    /// It waits for no disk and no network. `source` and `port` are those of the connection on a carrier-side listener,
    /// or what a listed balancer's ``ProxyProtocolHeader`` says; never what a device writes in a request.
    ///
    /// - Parameters:
    ///   - port: 0 if it is not known; behind a NAT the answer is then a refusal.
    ///   - domain: the ip-domain of the listener that the connection came through, because another domain may use the
    ///     same private addresses.
    ///   - claimedLocalAddress: the address that the phone's signed proof names. It is confirmed when it is the
    ///     Framed-IP-Address of the session, or for IPv6 the source itself; where the session has no IPv4 and the
    ///     carrier translates on the way (NAT64, RFC 6146), an address of the session's prefix. What a phone behind its own
    ///     translator calls itself in IPv4 (192.0.0.0/29) is every such phone's and confirms nobody. Behind a phone that shares its
    ///     connection, another device has another IPv4 address; over IPv6 it has an address of its own in the same
    ///     prefix, so there the word of an attested app that binds to the cellular interface is what keeps them apart,
    ///     not this comparison.
    package func sighting(
        from source: InternetAddress, port: UInt16, domain: String, claimedLocalAddress: InternetAddress?
    ) -> Result<Sighting, SightingRefusal> {
        let now = clock.now
        var fence: Int64?
        if let pair = processor.pair {
            fence = pair.fence
            guard fence != nil else {
                metrics.refused(.unconfirmedAddress)
                return .failure(.unconfirmedAddress)
            }
        }
        let found = find(source, port: port, domain: domain, at: now)
        switch found {
        case .failure(let refusal): metrics.refused(refusal)
        case .success: metrics.sighted()
        }
        return found.map { session, carrier in
            Sighting(
                subscription: session.reference, carrier: carrier,
                binding: BindingID(rawValue: session.binding), gateway: configuration.name, time: now,
                localAddressConfirmed: Self.isConfirmed(claimedLocalAddress, source: source, session: session),
                roaming: session.flags.contains(.roaming), fence: fence)
        }
    }

    /// The sessions that hold an address, for an operator who asks.
    ///
    /// - Parameters:
    ///   - port: the source port of a connection; `nil` for all sessions behind a shared address, of which at most
    ///     ``statesLimit`` are told.
    ///   - domain: an ip-domain; `nil` for all that the gateway knows.
    package func states(of source: InternetAddress, port: UInt16?, domain: String?) -> [SessionState] {
        let now = clock.now
        return directory.look { directory in
            (domain.map { [$0] } ?? directory.domainNames).flatMap { domain -> [SessionState] in
                var (address, domain) = (source, domain)
                if let nat = deterministicNAT(of: source, in: domain) {
                    // Without a port it is nobody's.
                    guard let port, let inside = nat.insideAddress(of: source, port: port) else { return [] }
                    (address, domain) = (inside, nat.insideDomain)
                }
                return directory.states(of: address, port: port, domain: domain, at: now, limit: Self.statesLimit)
            }
        }
    }

    package static let statesLimit = 100

    private func deterministicNAT(of source: InternetAddress, in domain: String) -> DeterministicNAT? {
        guard !configuration.deterministicNATs.isEmpty else { return nil }
        return configuration.deterministicNATs[domain]?.first { $0.outside.contains(source) }
    }

    private func find(
        _ source: InternetAddress, port: UInt16, domain: String, at now: Timestamp
    ) -> Result<(Session, Carrier), SightingRefusal> {
        var (address, port, domain) = (source, port, domain)
        if let nat = deterministicNAT(of: source, in: domain) {
            guard port != 0 else { return .failure(.ambiguousAddress) }
            guard let inside = nat.insideAddress(of: source, port: port) else { return .failure(.unknownAddress) }
            (address, port, domain) = (inside, 0, nat.insideDomain)
        }
        return directory.look { directory in
            directory.find(address, port: port, domain: domain, at: now).map { ($0, directory.carrier(of: $0)) }
        }
    }

    private static func isConfirmed(_ claimed: InternetAddress?, source: InternetAddress, session: Session) -> Bool {
        guard let claimed else { return false }
        return switch (claimed.family, source.family) {
        case (.v4, .v4): !claimed.isOfTranslator && session.address != 0 && claimed.v4Value == session.address
        case (.v4, .v6): false
        case (.v6, .v4): session.address == 0 && session.hasPrefix(of: claimed)
        case (.v6, .v6): claimed == source
        }
    }
}
