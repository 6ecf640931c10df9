package import BenjiProtocol
package import Sightings

/// The gateway, as the device dialect sees it: turns a request's address into a sighting.
package protocol SightingSource: Sendable {
    /// Returns the present holder of this address and port.
    /// - Parameter claimedLocalAddress: the address that the phone named in its signed proof.
    func sighting(
        from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
    ) async -> Result<Sighting, SightingRefusal>
}

extension SightingSource {
    /// Returns the present holder of the address that a request comes from; a refusal if it comes from none. For a
    /// forwarded request it is the holder that the gateway states.
    package func sighting(
        of context: EndpointContext, claimedLocalAddress: InternetAddress? = nil
    ) async -> Result<Sighting, SightingRefusal> {
        if let sender = context.sender { return sender.sighting ?? .failure(.unknownAddress) }
        return await sighting(of: context.peer, claimedLocalAddress: claimedLocalAddress)
    }

    /// Returns the present holder of a connection's other end; a refusal if that has no address.
    package func sighting(
        of peer: Peer?, claimedLocalAddress: InternetAddress? = nil
    ) async -> Result<Sighting, SightingRefusal> {
        guard let peer else { return .failure(.unknownAddress) }
        return await sighting(from: peer.address, port: peer.port, claimedLocalAddress: claimedLocalAddress)
    }
}

/// The sightings of an authority without a gateway in its process: gateways state who sends a request.
package struct StatedSightings: SightingSource {
    package init() {}

    package func sighting(
        from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
    ) async -> Result<Sighting, SightingRefusal> { .failure(.unknownAddress) }
}
