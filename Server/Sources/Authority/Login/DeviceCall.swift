public import BenjiProtocol

/// What stands around a request of a phone: who signed it, who vouches for it, and what the gateway saw.
public struct DeviceCall: Sendable {
    /// Verified, and known to cover this very request.
    public var proof: DeviceProof
    /// The value of `OAuth-Client-Attestation`, if there was one.
    public var attestation: String?
    public var sighting: Result<Sighting, SightingRefusal>
    /// The address that the connection came from; `nil` where a gateway passed the call on.
    public var source: InternetAddress?

    public init(
        proof: DeviceProof, attestation: String?, sighting: Result<Sighting, SightingRefusal>,
        source: InternetAddress? = nil
    ) {
        self.proof = proof
        self.attestation = attestation
        self.sighting = sighting
        self.source = source
    }
}
