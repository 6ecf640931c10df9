import BenjiProtocol
import Crypto
import CryptoExtras
import Foundation

/// An app's RSA public key in the old dialects: it checks the app's signs and hides the numbers that are answered.
package struct CMPassportPublicKey: Sendable {
    private let signing: _RSA.Signing.PublicKey
    // Sound to share: the key is read once here and never changed; CryptoExtras only leaves the mark off this type.
    private nonisolated(unsafe) let encryption: _RSA.Encryption.PublicKey

    /// Reads a PEM public key of at least 2048 bits; throws for anything else.
    package init(pem: String) throws {
        signing = try _RSA.Signing.PublicKey(pemRepresentation: pem)
        encryption = try _RSA.Encryption.PublicKey(pemRepresentation: pem)
    }

    /// Whether `sign`, hexadecimal in either case, is SHA256withRSA over app id and token.
    package func isValid(sign: String, appID: String, token: String) -> Bool {
        guard let bytes = Hexadecimal.decode(sign), bytes.count * 8 == signing.keySizeInBits else { return false }
        return signing.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: bytes),
            for: SHA256.hash(data: CMPassportSigning.rsaMessage(appID: appID, token: token)),
            padding: .insecurePKCS1v1_5)
    }

    /// `text` for the key's owner alone: PKCS#1 v1.5 (RFC 8017 §7.2.1), upper-case hexadecimal, as the documents want
    /// it.
    ///
    /// Only used to encrypt. The padding's weakness concerns servers that decrypt for unknown callers, and this one
    /// holds no private key.
    package func encrypt(_ text: String) throws -> String {
        Hexadecimal.encode(
            try encryption.encrypt(Array(text.utf8), padding: ._WEAK_AND_INSECURE_PKCS_V1_5), uppercase: true)
    }
}

/// An app server's RSA private key: signs its requests.
package struct CMPassportPrivateKey: Sendable {
    private let signing: _RSA.Signing.PrivateKey

    package init(pem: String) throws { signing = try _RSA.Signing.PrivateKey(pemRepresentation: pem) }

    /// The sign over app id and token, upper-case hexadecimal.
    package func sign(appID: String, token: String) throws -> String {
        let digest = SHA256.hash(data: CMPassportSigning.rsaMessage(appID: appID, token: token))
        let signature = try signing.signature(for: digest, padding: .insecurePKCS1v1_5)
        return Hexadecimal.encode(signature.rawRepresentation, uppercase: true)
    }
}
