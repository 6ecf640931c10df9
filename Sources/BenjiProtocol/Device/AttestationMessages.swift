import Crypto

/// Registers a key that the platform's maker vouches for, so that its assertions count from then on.
public struct AttestationRequest: Hashable, Sendable {
    /// The platform and format of an attestation.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// The result of Apple's `DCAppAttestService.attestKey`.
        case appAttest = "apple-appattest"
    }

    public var appID: AppID
    public var bundleID: String
    /// As of ``PrefetchRequest/appKeyProof``.
    public var appKeyProof: String?
    public var format: Format
    /// The key's name: base64url of 32 bytes.
    public var keyID: String
    /// The server's, which the evidence covers.
    public var challenge: String
    /// The platform's own form, at most 16 KiB.
    public var evidence: [UInt8]

    static let maximumEvidence = 16 * 1024

    public init(
        appID: AppID, bundleID: String, appKeyProof: String?, format: Format, keyID: String, challenge: String,
        evidence: [UInt8]
    ) {
        self.appID = appID
        self.bundleID = bundleID
        self.appKeyProof = appKeyProof
        self.format = format
        self.keyID = keyID
        self.challenge = challenge
        self.evidence = evidence
    }

    public var json: JSON {
        .object([
            "app": .string(appID.rawValue), "bundle": .string(bundleID),
            "appKeyProof": appKeyProof.map { .string($0) }, "format": .string(format.rawValue),
            "key": .string(keyID), "challenge": .string(challenge), "evidence": .string(Base64URL.encode(evidence)),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appID = try reader.value("app", AppID.rule, AppID.init(rawValue:))
        bundleID = try reader.string("bundle", length: 1...255)
        appKeyProof = try reader.optionalString("appKeyProof", length: 43...43)
        format = try reader.value("format", "must be a form of evidence that is taken", Format.init(rawValue:))
        keyID = try reader.value("key", "must be base64url of 32 bytes") { text in
            Base64URL.decode(text)?.count == 32 ? text : nil
        }
        challenge = try reader.string("challenge", length: 1...128)
        evidence = try reader.value("evidence", "must be base64url of at most \(Self.maximumEvidence) bytes") { text in
            Base64URL.decode(text).flatMap { $0.count <= Self.maximumEvidence ? $0 : nil }
        }
        try reader.finish()
    }

    /// The input for which the platform's key is attested: this app, this challenge, and the device key that asks.
    ///
    /// - Returns: SHA-256: 32 bytes.
    public static func clientDataHash(appID: AppID, challenge: String, keyThumbprint: String) -> [UInt8] {
        var text = LengthPrefixed(domain: "benji-attestation-v1")
        text.append(appID.rawValue)
        text.append(challenge)
        text.append(keyThumbprint)
        return Array(SHA256.hash(data: text.bytes))
    }
}

/// A registered key's assertion for one request. It is sent in the header `OAuth-Client-Attestation` in place of a
/// ``ClientAttestation`` where the server itself knows the platform's key.
public struct KeyAssertion: Hashable, Sendable {
    /// As of ``AttestationRequest/keyID``.
    public var keyID: String
    /// The server's. It bounds how long an assertion can have been made in advance.
    public var challenge: String
    /// The platform's own form, at most 4 KiB.
    public var evidence: [UInt8]

    static let maximumEvidence = 4096

    public init(keyID: String, challenge: String, evidence: [UInt8]) {
        self.keyID = keyID
        self.challenge = challenge
        self.evidence = evidence
    }

    /// The header's value: four parts between dots, the first the form's name. A JWT has three.
    public var text: String {
        [AttestationRequest.Format.appAttest.rawValue, keyID, challenge, Base64URL.encode(evidence)]
            .joined(separator: ".")
    }

    /// Whether a header's value means to be one.
    public static func isNamed(in text: some StringProtocol) -> Bool {
        text.hasPrefix(AttestationRequest.Format.appAttest.rawValue + ".")
    }

    public init(parsing text: some StringProtocol) throws(JSONError) {
        func wrong(_ problem: String) -> JSONError { JSONError(place: "attestation", problem: problem) }
        guard Self.isNamed(in: text) else { throw wrong("is no assertion of a registered key") }
        let parts: [String] = String(text).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else { throw wrong("must have four parts") }
        guard Base64URL.decode(parts[1])?.count == 32 else { throw wrong("names no key") }
        guard (1...128).contains(parts[2].utf8.count) else { throw wrong("has no challenge") }
        guard let evidence = Base64URL.decode(parts[3]), (1...Self.maximumEvidence).contains(evidence.count) else {
            throw wrong("must end in base64url of at most \(Self.maximumEvidence) bytes")
        }
        self.init(keyID: parts[1], challenge: parts[2], evidence: evidence)
    }

    /// The input that the platform's key signs: this request of this device key to this app, under this challenge. It
    /// covers everything in the proof, so an assertion counts with one proof only.
    ///
    /// - Returns: SHA-256: 32 bytes.
    public static func clientDataHash(appID: AppID, challenge: String, proof: DeviceProof) -> [UInt8] {
        var text = LengthPrefixed(domain: "benji-assertion-v1")
        text.append(appID.rawValue)
        text.append(challenge)
        text.append(proof.id)
        text.append(proof.method)
        text.append(proof.url)
        text.append(String(proof.issuedAt.seconds))
        text.append(proof.bodyHash)
        text.append(proof.localAddress?.description)
        text.append(proof.key.thumbprint)
        return Array(SHA256.hash(data: text.bytes))
    }
}
