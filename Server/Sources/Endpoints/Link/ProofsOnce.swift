package import Authority
package import BenjiProtocol

/// Lets each proof count once at this gateway, whichever of an authority's nodes decides.
///
/// A node remembers the proofs that were shown to it and knows nothing of the others' (``Authority/FreshProofs``). All
/// requests from one address arrive at one gateway, so a gateway of several nodes remembers for all of them. Only
/// proofs from subscribers' addresses are remembered. Other callers get nothing, and must not fill the memory.
package struct ProofsOnce: DeviceDesk {
    private let desk: any DeviceDesk
    private let proofs: FreshProofs
    private let ownedSince: @Sendable () -> Timestamp?

    /// - Parameter ownedSince: since when this gateway owns its pair: older proofs may have been shown to the other
    ///   gateway.
    package init(
        _ desk: any DeviceDesk, _ proofs: FreshProofs, ownedSince: @escaping @Sendable () -> Timestamp? = { nil }
    ) {
        self.desk = desk
        self.proofs = proofs
        self.ownedSince = ownedSince
    }

    private func check(_ device: DeviceCall) throws(Refusal) {
        guard case .success = device.sighting else { return }
        try proofs.checkTime(of: device.proof)
        if let since = ownedSince(), device.proof.issuedAt.seconds < since.seconds {
            throw Refusal(.clockSkew, "the proof is older than this gateway's taking over; make a new one")
        }
        try proofs.checkNew(device.proof)
    }

    package func prefetch(_ request: PrefetchRequest, from device: DeviceCall) async throws(Refusal)
        -> PrefetchResponse
    {
        try check(device)
        return try await desk.prefetch(request, from: device)
    }

    package func authorize(
        _ request: AuthorizeRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse {
        try check(device)
        return try await desk.authorize(request, from: device)
    }

    package func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(Refusal) {
        try check(device)
        try await desk.forget(request, from: device)
    }

    package func register(_ request: AttestationRequest, from device: DeviceCall) async throws(Refusal) {
        try check(device)
        try await desk.register(request, from: device)
    }

    package func policyDocument() async throws(Refusal) -> JSON { try await desk.policyDocument() }

    package func attestationChallenge(for app: AppID) async throws(Refusal) -> String {
        try await desk.attestationChallenge(for: app)
    }
}
