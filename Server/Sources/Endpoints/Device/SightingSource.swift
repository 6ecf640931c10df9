package import BenjiProtocol
package import Sightings

/// The gateway, as the device dialect sees it: turns a request's address into a sighting.
package protocol SightingSource: Sendable {
    /// Who holds this address and port now.
    /// - Parameter claimedLocalAddress: the address that the phone named in its signed proof.
    func sighting(
        from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
    ) async -> Result<Sighting, SightingRefusal>
}

extension SightingSource {
    /// Who holds the other end of a connection now; nobody, where it has no address.
    func sighting(
        of peer: Peer?, claimedLocalAddress: InternetAddress? = nil
    ) async -> Result<Sighting, SightingRefusal> {
        guard let peer else { return .failure(.unknownAddress) }
        return await sighting(from: peer.address, port: peer.port, claimedLocalAddress: claimedLocalAddress)
    }
}
