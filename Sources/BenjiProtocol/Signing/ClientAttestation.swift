/// An attester's word that a device key lives in a genuine install of an app: a short JWT with the key in `cnf`.
///
/// The shape is that of draft-ietf-oauth-attestation-based-client-auth. The attester checks the platform's attestation
/// once (App Attest, Key Attestation, in the sandbox the virtual phone's own platform key). The device shows the
/// attester's JWT with every request, in the header `OAuth-Client-Attestation`. The device's proof, made with the same
/// key, is the proof of possession.
public struct ClientAttestation: Hashable, Sendable {
    public static let headerName = "OAuth-Client-Attestation"
    public static let type = "oauth-client-attestation+jwt"

    public var appID: AppID
    public var bundleID: String
    /// Thumbprint of the device key that is vouched for.
    public var keyThumbprint: String
    /// When the attester signed; `nil` of one that does not say.
    public var issuedAt: Timestamp?
    public var expiresAt: Timestamp
    /// The server's challenge, which the platform's evidence covered; `nil` of an attester that knows none.
    public var challenge: String?

    /// How long an attestation may count, and how old the challenge in it may be.
    public static let maximumLife: Duration = .seconds(86400)

    public init(
        appID: AppID, bundleID: String, keyThumbprint: String, issuedAt: Timestamp?, expiresAt: Timestamp,
        challenge: String?
    ) {
        self.appID = appID
        self.bundleID = bundleID
        self.keyThumbprint = keyThumbprint
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.challenge = challenge
    }

    public func signed(by attester: some DeviceSigner) throws -> String {
        try CompactJWS.sign(
            header: [JSON.Member("typ", .string(Self.type))],
            payload: .object([
                "sub": .string(appID.rawValue), "bundle": .string(bundleID),
                "iat": issuedAt.map { .integer($0.seconds) }, "exp": .integer(expiresAt.seconds),
                "challenge": challenge.map { .string($0) },
                "cnf": .object(["jkt": .string(keyThumbprint)]),
            ]), with: attester)
    }

    /// Reads an attestation that one of `attesters` has signed.
    public init(verifying text: some StringProtocol, attesters: [DevicePublicKey]) throws(JSONError) {
        let jws = try CompactJWS(parsing: text)
        var header = try JSONObjectReader(jws.header, path: "attestation header")
        guard try header.string("typ") == Self.type, try header.string("alg") == "ES256" else {
            throw JSONError(place: "attestation header", problem: "must be \(Self.type) under ES256")
        }
        try header.finish()
        guard attesters.contains(where: jws.isSigned(by:)) else {
            throw JSONError(place: "attestation", problem: "not signed by an attester of this app")
        }
        var payload = try JSONObjectReader(jws.payload, path: "attestation")
        appID = try payload.value("sub", "must be an app id", AppID.init(rawValue:))
        bundleID = try payload.string("bundle", length: 1...255)
        let maximumTime: Int64 = 4_102_444_800
        expiresAt = Timestamp(seconds: try payload.integer("exp", in: 0...maximumTime))
        issuedAt = nil
        if let time = payload.optional("iat") {
            guard let seconds = time.integerValue, (0...maximumTime).contains(seconds) else {
                throw JSONError(place: "attestation.iat", problem: "must be seconds since 1970")
            }
            issuedAt = Timestamp(seconds: seconds)
        }
        challenge = try payload.optionalString("challenge", length: 1...128)
        var confirmation = try payload.object("cnf")
        keyThumbprint = try confirmation.string("jkt", length: 43...43)
        try confirmation.finish()
        try payload.finish()
    }
}
