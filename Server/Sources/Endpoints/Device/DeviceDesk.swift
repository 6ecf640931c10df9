package import Authority
package import BenjiProtocol

/// What the device dialect needs of the authority, so that its routes can be tested without one.
package protocol DeviceDesk: Sendable {
    /// Step 2 of a login: a scrip and the mask.
    func prefetch(_ request: PrefetchRequest, from device: DeviceCall) async throws(Refusal) -> PrefetchResponse
    /// Step 4 of a login: a token.
    func authorize(
        _ request: AuthorizeRequest, from device: DeviceCall
    ) async throws(Refusal) -> AuthorizeResponse
    /// Ends a scrip.
    func forget(_ request: ForgetRequest, from device: DeviceCall) async throws(Refusal)
    /// What phones may know of the policy.
    func policyDocument() async throws(Refusal) -> JSON
    /// What an attestation for this app is to be made for.
    func attestationChallenge(for app: AppID) async throws(Refusal) -> String
    /// Registers a key that the platform's maker vouches for.
    func register(_ request: AttestationRequest, from device: DeviceCall) async throws(Refusal)
}

extension Authority: DeviceDesk {}
