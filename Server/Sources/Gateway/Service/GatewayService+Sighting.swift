@_spi(Server) package import BenjiProtocol
import NIOConcurrencyHelpers
package import Sightings

extension GatewayService {
    /// Says who sent a request.
    ///
    /// It waits for no disk and no network. `source` and `port` are those of the connection on a carrier-side listener,
    /// or of a listed balancer's ``ProxyProtocolHeader``. They never come from a device's request.
    ///
    /// - Parameters:
    ///   - port: 0 if it is not known; behind a NAT the answer is then a refusal.
    ///   - domain: the ip-domain of the listener that received the connection. Another domain may use the same private
    ///     addresses.
    ///   - claimedLocalAddress: the address that the phone's signed proof names. It is confirmed when it is the
    ///     session's Framed-IP-Address, or for IPv6 the source itself. Without IPv4 and with a translating carrier
    ///     (NAT64, RFC 6146), an address of the session's prefix is confirmed. A phone behind its own translator uses
    ///     an IPv4 address of 192.0.0.0/29. Every such phone has it, so it confirms none. A device tethered behind a
    ///     phone has another IPv4 address, but over IPv6 an address of the same prefix. There only an attested app that
    ///     binds to the cellular interface separates the two, not this comparison.
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
                    // Without a port it has no holder.
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
