@_spi(Server) package import BenjiProtocol

/// Secrets of the OpenID provider that are made again instead of being kept, under one that no rotation of the master
/// key changes.
extension Vault {
    /// The secret of a client whose messages are checked with the secret itself (`client_secret_jwt`).
    package func clientSecret(of app: AppID, version: Int, createdAt: Timestamp) -> String {
        let made = "\(version)/\(createdAt.milliseconds)"
        return Base64URL.encode(
            Self.code(secrets.attestation, "openid-client-secret", [Array(app.rawValue.utf8), Array(made.utf8)]))
    }

    private static let dpopNonceCodeBytes = 16

    /// The nonce that a client must repeat in its proofs of possession (RFC 9449 §8), so that none can be made in
    /// advance. It is recognised without having been kept.
    package func dpopNonce(at moment: Timestamp) -> String {
        let time = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: moment.seconds >> Int64($0)) }
        return Base64URL.encode(time + dpopNonceCode(time))
    }

    /// When it was handed out; `nil` if it is none of ours.
    package func dpopNonceTime(_ text: String) -> Timestamp? {
        guard let bytes = Base64URL.decode(text), bytes.count == 8 + Self.dpopNonceCodeBytes else { return nil }
        let time = Array(bytes.prefix(8))
        guard ConstantTime.areEqual(Array(bytes.suffix(Self.dpopNonceCodeBytes)), dpopNonceCode(time)) else {
            return nil
        }
        return Timestamp(seconds: time.reduce(0) { $0 << 8 | Int64($1) })
    }

    private func dpopNonceCode(_ time: [UInt8]) -> [UInt8] {
        Array(Self.code(secrets.attestation, "openid-dpop-nonce", [time]).prefix(Self.dpopNonceCodeBytes))
    }
}
