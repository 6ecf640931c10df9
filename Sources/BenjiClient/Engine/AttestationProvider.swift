public import BenjiProtocol

/// Gets an attester's word that a device key lives in a genuine install of the app.
///
/// Optional: without one, tokens carry the assurance `net`.
public protocol AttestationProvider: Sendable {
    /// A ``BenjiProtocol/ClientAttestation`` as text for `key`, or `nil` when there is none now. Called for every
    /// request, so keep what is still valid.
    ///
    /// An error does not end the login: the request goes out unattested, and the authority refuses it if the app asks
    /// for more.
    func attestation(for key: DevicePublicKey, appID: AppID, bundleID: String) async throws -> String?
}
