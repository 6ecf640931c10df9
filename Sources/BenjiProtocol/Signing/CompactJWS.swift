import Crypto

/// A JSON Web Signature in compact form (RFC 7515 §7.1) under ES256, the only algorithm that Benji's own dialect knows.
public struct CompactJWS: Sendable {
    private let parts: JWSParts

    public var header: JSON { parts.header }
    public var payload: JSON { parts.payload }

    /// The longest JWS that is looked at, in bytes.
    public static let maximumLength = 16384

    /// Takes `text` apart. The signature is not checked: ask ``isSigned(by:)``.
    public init(parsing text: some StringProtocol) throws(JSONError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw JSONError(place: "JWS", problem: "longer than \(Self.maximumLength) bytes")
        }
        parts = try JWSParts(parsing: text)
        guard parts.signature.count == 64 else {
            throw JSONError(place: "JWS", problem: "an ES256 signature has 64 bytes")
        }
    }

    public func isSigned(by key: DevicePublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: parts.signature) else {
            return false
        }
        return key.key.isValidSignature(signature, for: parts.signingInput)
    }

    /// Signs and writes. The header must name its `typ`; `alg` is added.
    public static func sign(header: [JSON.Member], payload: JSON, with signer: some DeviceSigner) throws -> String {
        try JWSParts.write(header: .object([JSON.Member("alg", "ES256")] + header), payload: payload) {
            try signer.signature(over: $0)
        }
    }
}

extension JSONError {
    /// The same error, found inside `container`.
    public func inside(_ container: String) -> JSONError {
        JSONError(place: "\(container), \(place)", problem: problem)
    }
}
