package import BenjiProtocol
import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

extension ClientKeySet {
    /// The key set of a client whose certificates are in a file, for `self_signed_tls_client_auth`: each with its key
    /// (RFC 7517 §4.7).
    ///
    /// - Parameter pem: one certificate or more.
    package static func text(ofCertificates pem: String) throws(JSONError) -> String {
        func fail(_ problem: String) -> JSONError { JSONError(place: "certificate", problem: problem) }
        let documents: [PEMDocument]
        do { documents = try PEMDocument.parseMultiple(pemString: pem) } catch { throw fail("is no PEM") }
        guard !documents.isEmpty else { throw fail("is no PEM") }
        var keys: [JSON] = []
        for document in documents {
            guard let certificate = try? Certificate(pemDocument: document) else { throw fail("is no certificate") }
            let chain = JSON.array([.string(Data(document.derBytes).base64EncodedString())])
            if let key = P256.Signing.PublicKey(certificate.publicKey) {
                let point = Array(key.rawRepresentation)
                keys.append(
                    .object([
                        "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point.prefix(32))),
                        "y": .string(Base64URL.encode(point.suffix(32))), "x5c": chain,
                    ]))
            } else if let parts = try? _RSA.Signing.PublicKey(certificate.publicKey)?.getKeyPrimitives() {
                keys.append(
                    .object([
                        "kty": "RSA", "n": .string(Base64URL.encode(Array(parts.modulus))),
                        "e": .string(Base64URL.encode(Array(parts.publicExponent))), "x5c": chain,
                    ]))
            } else {
                throw fail("its key must be of P-256, or of RSA")
            }
        }
        return JSON.object(["keys": .array(keys)]).text
    }

    /// The certificate of a key of a set, as DER; `nil` if it names none. Only the first of a chain is kept: it is the
    /// client's, and its signer does not matter.
    static func certificate(_ jwk: JSON, of key: SignaturePublicKey, path: String) throws(JSONError) -> [UInt8]? {
        guard let chain = jwk["x5c"] else { return nil }
        func fail(_ problem: String) -> JSONError {
            JSONError(place: path, problem: "\(problem); the key counts without it")
        }
        guard let text = chain.arrayValue?.first?.stringValue, let bytes = Data(base64Encoded: text).map(Array.init),
            let certificate = try? Certificate(derEncoded: bytes)
        else { throw fail("x5c must be a list of certificates that can be read, each as DER in base64") }
        let own: Certificate.PublicKey =
            switch key {
            case .p256(let key): .init(key)
            case .rsa(let key): .init(key)
            }
        guard certificate.publicKey == own else { throw fail("x5c is the certificate of another key") }
        return bytes
    }
}
