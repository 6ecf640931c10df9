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
    /// Returns the present holder of a connection's other end; a refusal if that has no address.
    func sighting(
        of peer: Peer?, claimedLocalAddress: InternetAddress? = nil
    ) async -> Result<Sighting, SightingRefusal> {
        guard let peer else { return .failure(.unknownAddress) }
        return await sighting(from: peer.address, port: peer.port, claimedLocalAddress: claimedLocalAddress)
    }
}
