public import BenjiProtocol

/// What stands around a request of a phone: who signed it, who vouches for it, and what the gateway saw.
public struct DeviceCall: Sendable {
    /// Verified, and known to cover this very request.
    public var proof: DeviceProof
    /// The value of `OAuth-Client-Attestation`, if there was one.
    public var attestation: String?
    public var sighting: Result<Sighting, SightingRefusal>

    public init(proof: DeviceProof, attestation: String?, sighting: Result<Sighting, SightingRefusal>) {
        self.proof = proof
        self.attestation = attestation
        self.sighting = sighting
    }
}
