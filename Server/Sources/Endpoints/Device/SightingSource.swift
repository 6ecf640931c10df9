public import BenjiProtocol

/// The gateway, as the device dialect sees it: turns a request's address into a sighting.
public protocol SightingSource: Sendable {
    /// Who holds this address and port now.
    /// - Parameter claimedLocalAddress: the address that the phone named in its signed proof.
    func sighting(
        from address: IPAddress, port: UInt16, claimedLocalAddress: IPAddress?
    ) async -> Result<Sighting, SightingRefusal>
}
