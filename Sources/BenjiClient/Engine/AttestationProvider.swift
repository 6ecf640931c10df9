public import BenjiProtocol

/// Gets an attestation that a device key lives in a genuine install of the app. It comes from an attester, or from a
/// key which the platform's maker attested (``AppAttestation``).
///
/// Optional: without one, tokens carry the assurance `net`.
public protocol AttestationProvider: Sendable {
    /// A ``BenjiProtocol/ClientAttestation`` as text for `key`, or `nil` when there is none now. Called for every
    /// request, so keep an attestation while it is valid.
    ///
    /// An attestation holds the server's challenge and counts for a day from it at most. When you make a new one, put
    /// `try await challenge.value()` into what the platform signs, and have the attester repeat it.
    ///
    /// An error does not end the login: the request goes out unattested, and the authority refuses it if the app asks
    /// for more.
    func attestation(
        for key: DevicePublicKey, appID: AppID, bundleID: String, challenge: AttestationChallenge
    ) async throws -> String?

    /// For providers that attest each request by itself. By default ``attestation(for:appID:bundleID:challenge:)``.
    func attestation(for request: AttestedRequest) async throws -> String?

    /// Notifies the provider that the server did not accept the last attestation.
    ///
    /// - Returns: whether to send the request once more, with a new attestation. Usually `false`.
    func attestationWasRefused() async -> Bool
}

extension AttestationProvider {
    public func attestation(for request: AttestedRequest) async throws -> String? {
        try await attestation(
            for: request.proof.key, appID: request.appID, bundleID: request.bundleID, challenge: request.challenge)
    }

    public func attestationWasRefused() async -> Bool { false }
}

/// A request that somebody is to vouch for.
public struct AttestedRequest: Sendable {
    public var appID: AppID
    public var bundleID: String
    /// All that the device key says of the request.
    public var proof: DeviceProof
    public var challenge: AttestationChallenge
    private let register: @Sendable (_ keyID: String, _ challenge: String, _ evidence: [UInt8]) async throws -> Void

    /// - Parameter register: registers a key of the platform at the server. Tests of an app's own provider pass what
    ///   they like.
    public init(
        appID: AppID, bundleID: String, proof: DeviceProof, challenge: AttestationChallenge,
        register: @escaping @Sendable (_ keyID: String, _ challenge: String, _ evidence: [UInt8]) async throws -> Void
    ) {
        self.appID = appID
        self.bundleID = bundleID
        self.proof = proof
        self.challenge = challenge
        self.register = register
    }

    /// Registers a key of App Attest at the server.
    ///
    /// - Parameters:
    ///   - keyID: base64url of 32 bytes.
    ///   - challenge: the one that the key was attested for.
    ///   - evidence: what `DCAppAttestService.attestKey` gave.
    /// - Throws: ``BenjiError``. If its situation is `attestationInvalid`, the server does not accept this key. After
    ///   any other the same request may be repeated. The server accepts a key again that it has registered already.
    public func register(keyID: String, challenge: String, evidence: [UInt8]) async throws {
        try await register(keyID, challenge, evidence)
    }
}

/// The server's challenge for a new attestation. It comes with every reply to a prefetch. It costs a request only when
/// there was none yet, or the last one is half a day old.
public struct AttestationChallenge: Sendable {
    private let ask: @Sendable () async throws -> String

    /// - Parameter ask: gets one. Tests of an app's own provider pass what they like.
    public init(_ ask: @escaping @Sendable () async throws -> String) { self.ask = ask }

    /// Up to 128 characters, of base64url's alphabet.
    public func value() async throws -> String { try await ask() }
}
