public import BenjiProtocol

/// Gets an attester's word that a device key lives in a genuine install of the app.
///
/// Optional: without one, tokens carry the assurance `net`.
public protocol AttestationProvider: Sendable {
    /// A ``BenjiProtocol/ClientAttestation`` as text for `key`, or `nil` when there is none now. Called for every
    /// request, so keep what is still valid.
    ///
    /// An attestation holds the server's challenge and counts for a day from it at most. When you make a new one, put
    /// `try await challenge.value()` into what the platform signs, and have the attester repeat it.
    ///
    /// An error does not end the login: the request goes out unattested, and the authority refuses it if the app asks
    /// for more.
    func attestation(
        for key: DevicePublicKey, appID: AppID, bundleID: String, challenge: AttestationChallenge
    ) async throws -> String?
}

/// The server's challenge for a new attestation. It comes with every answer to a prefetch, so it seldom costs a request: only
/// when there was none yet, or the last one is half a day old.
public struct AttestationChallenge: Sendable {
    private let ask: @Sendable () async throws -> String

    /// - Parameter ask: gets one. Tests of an app's own provider pass what they like.
    public init(_ ask: @escaping @Sendable () async throws -> String) { self.ask = ask }

    /// Up to 128 characters, of base64url's alphabet.
    public func value() async throws -> String { try await ask() }
}
