internal import Crypto

/// A JSON Web Signature in compact form (RFC 7515 §7.1) under ES256, the only algorithm that Benji's own dialect knows.
public struct CompactJWS: Sendable {
    public let header: JSON
    public let payload: JSON
    private let signingInput: [UInt8]
    private let signature: [UInt8]

    /// The longest JWS that is looked at, in bytes.
    public static let greatestLength = 16384

    /// Takes `text` apart. The signature is not checked: ask ``isSigned(by:)``.
    public init(parsing text: some StringProtocol) throws(JSONError) {
        guard text.utf8.count <= Self.greatestLength else {
            throw JSONError(place: "JWS", problem: "longer than \(Self.greatestLength) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw JSONError(place: "JWS", problem: "must have three parts, has \(parts.count)")
        }
        guard let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw JSONError(place: "JWS", problem: "a part is not base64url") }
        guard signature.count == 64 else { throw JSONError(place: "JWS", problem: "an ES256 signature has 64 bytes") }
        do { self.header = try JSON(parsing: header) } catch { throw error.inside("JWS header") }
        do { self.payload = try JSON(parsing: payload) } catch { throw error.inside("JWS payload") }
        signingInput = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    public func isSigned(by key: DevicePublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.key.isValidSignature(signature, for: signingInput)
    }

    /// Signs and writes. The header must name its `typ`; `alg` is added.
    public static func sign(header: [JSON.Member], payload: JSON, with signer: some DeviceSigner) throws -> String {
        let header = JSON.object([JSON.Member("alg", "ES256")] + header)
        let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(payload.serialized))"
        return "\(input).\(Base64URL.encode(try signer.signature(over: Array(input.utf8))))"
    }
}

extension JSONError {
    /// The same error, found inside `container`.
    public func inside(_ container: String) -> JSONError {
        JSONError(place: "\(container), \(place)", problem: problem)
    }
}
