package import BenjiProtocol
package import Requests

/// Lets each proof count once at this gateway, whichever of an authority's nodes decides.
///
/// A node remembers the proofs that were shown to it and knows nothing of the others' (``Authority/FreshProofs``). All
/// requests from one address arrive at one gateway, so a gateway of several nodes remembers for all of them. Only
/// proofs from subscribers' addresses are remembered. Other callers get nothing, and must not fill the memory.
package struct ReplayGuard: Sendable {
    private let proofs: FreshProofs
    private let ownedSince: @Sendable () -> Timestamp?

    /// - Parameter ownedSince: since when this gateway owns its pair: older proofs may have been shown to the other
    ///   gateway.
    package init(_ proofs: FreshProofs, ownedSince: @escaping @Sendable () -> Timestamp? = { nil }) {
        self.proofs = proofs
        self.ownedSince = ownedSince
    }

    /// Remembers the proof of a call.
    /// - Throws: `proofReplayed` if it was shown before, `clockSkew` if it is not of our time, `overloaded` if the
    ///   memory is full.
    func check(_ device: DeviceCall) throws(Refusal) {
        guard case .success = device.sighting else { return }
        try proofs.checkTime(of: device.proof)
        if let since = ownedSince(), device.proof.issuedAt.seconds < since.seconds {
            throw Refusal(.clockSkew, "the proof is older than this gateway's taking over; make a new one")
        }
        try proofs.checkNew(device.proof)
    }
}
