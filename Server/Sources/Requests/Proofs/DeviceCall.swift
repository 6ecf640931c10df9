package import BenjiProtocol
package import Sightings

/// The context of a phone's request: who signed it, who vouches for it, and what the gateway saw.
package struct DeviceCall: Sendable {
    /// Verified, and known to cover this very request.
    package var proof: DeviceProof
    /// The value of `OAuth-Client-Attestation`, if there was one.
    package var attestation: String?
    package var sighting: Result<Sighting, SightingRefusal>
    /// The address that the connection came from; `nil` where a gateway passed the call on.
    package var source: InternetAddress?

    package init(
        proof: DeviceProof, attestation: String?, sighting: Result<Sighting, SightingRefusal>,
        source: InternetAddress? = nil
    ) {
        self.proof = proof
        self.attestation = attestation
        self.sighting = sighting
        self.source = source
    }
}
