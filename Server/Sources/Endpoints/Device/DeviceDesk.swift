import Authority
package import BenjiProtocol
package import Requests

/// The authority's interface for the device dialect, so that its routes can be tested without an authority.
package protocol DeviceDesk: Sendable {
    /// Step 2 of a login: a scrip and the mask.
    func prefetch(_ request: PrefetchRequest, from device: DeviceCall) async throws(Refusal) -> PrefetchResponse
    /// Step 4 of a login: a token.
    func authorize(
        _ request: AuthorizeRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse
    /// Ends a scrip.
    func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(Refusal)
    /// The part of the policy that phones may know.
    func policyDocument() async throws(Refusal) -> JSON
    /// The challenge for an attestation of this app.
    func attestationChallenge(for app: AppID) async throws(Refusal) -> String
    /// Registers a key that the platform's maker vouches for.
    func register(_ request: AttestationRequest, from device: DeviceCall) async throws(Refusal)
}

extension Authority: DeviceDesk {}
