package import BenjiProtocol
import Crypto
import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// A key whose attestation holds.
package struct AttestedKey: Hashable, Sendable {
    /// The public key, 65 bytes (X9.62, uncompressed).
    package var publicKey: [UInt8]
    /// Which of the apps it was asked about has made it: its id at Apple.
    package var appleID: String
    package var environment: AppAttestEnvironment
}

/// Checks attestations by Apple's steps, under roots that the operator has named.
package struct AppAttestVerifier: Sendable {
    /// `nonce`: a sequence of one octet string, in Apple's tag 1.
    static let nonceExtension: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

    private let roots: CertificateStore

    /// - Parameter pem: one or more certificates; Apple's is its App Attestation Root CA.
    package init(pem: String) throws(AppAttestError) {
        do {
            let roots = try PEMDocument.parseMultiple(pemString: pem).map { try Certificate(pemDocument: $0) }
            guard !roots.isEmpty else { throw AppAttestError(.chain, "no certificate") }
            self.roots = CertificateStore(roots)
        } catch { throw AppAttestError(.chain, "the roots of App Attest must be certificates in PEM") }
    }

    /// Apple's nine steps.
    ///
    /// - Parameters:
    ///   - keyID: the key's name as the phone says it: 32 bytes.
    ///   - clientDataHash: what the phone had attested together with its key.
    ///   - appleIDs: the app's ids at Apple: team id, a dot, bundle id.
    ///   - environments: in which the key may have been attested.
    ///   - now: certificates must be valid then.
    package func verify(
        _ object: [UInt8], keyID: [UInt8], clientDataHash: [UInt8], appleIDs: [String],
        environments: Set<AppAttestEnvironment>, at now: Timestamp
    ) async throws(AppAttestError) -> AttestedKey {
        let object = try AttestationObject(decoding: object)
        let data = try AuthenticatorData(decoding: object.authenticatorData, hasCredential: true)
        // 1. The chain.
        let leaf = try await leaf(of: object, at: now)
        // 2, 3 and 4. The attested data.
        let nonce = Array(SHA256.hash(data: object.authenticatorData + clientDataHash))
        guard try Self.nonce(in: leaf) == nonce else {
            throw AppAttestError(.nonce, "the attestation was made for another challenge, app or device key")
        }
        // 5. The key's name.
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else {
            throw AppAttestError(.form, "the certificate's key is not of P-256")
        }
        let publicKey = Array(key.x963Representation)
        guard Array(SHA256.hash(data: publicKey)) == keyID else {
            throw AppAttestError(.keyID, "the key's id is not the hash of its public key")
        }
        // 6. The app.
        guard let appleID = appleIDs.first(where: { Self.hash(of: $0) == data.appHash }) else {
            throw AppAttestError(.app, "the key is of another app")
        }
        // 7. Never used.
        guard data.counter == 0 else { throw AppAttestError(.counter, "the key was used before it was attested") }
        // 8. Where.
        guard let credential = data.credential,
            let environment = AppAttestEnvironment.allCases.first(where: { $0.aaguid == credential.aaguid }),
            environments.contains(environment)
        else { throw AppAttestError(.environment, "the key was attested in another environment than this app takes") }
        // 9. The credential.
        guard credential.id == keyID else {
            throw AppAttestError(.credential, "the authenticator data names another key")
        }
        return AttestedKey(publicKey: publicKey, appleID: appleID, environment: environment)
    }

    static func hash(of appleID: String) -> [UInt8] { Array(SHA256.hash(data: Array(appleID.utf8))) }

    private func leaf(of object: AttestationObject, at now: Timestamp) async throws(AppAttestError) -> Certificate {
        guard !object.certificates.isEmpty else { throw AppAttestError(.chain, "the attestation has no certificate") }
        var chain: [Certificate] = []
        do { for der in object.certificates { chain.append(try Certificate(derEncoded: der)) } } catch {
            throw AppAttestError(.chain, "a certificate of the attestation cannot be read")
        }
        // Apple's are of these curves, and no chain of others costs us time.
        for certificate in chain
        where P256.Signing.PublicKey(certificate.publicKey) == nil
            && P384.Signing.PublicKey(certificate.publicKey) == nil
        {
            throw AppAttestError(.chain, "a certificate's key is neither of P-256 nor of P-384")
        }
        let moment = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        var verifier = Verifier(rootCertificates: roots) { RFC5280Policy(fixedExpiryValidationTime: moment) }
        let result = await verifier.validate(leaf: chain[0], intermediates: CertificateStore(chain.dropFirst()))
        guard case .validCertificate = result else {
            throw AppAttestError(.chain, "the certificates lead to no root of this server, or are not valid now")
        }
        // A root that came as the key's certificate would be its own chain.
        guard chain[0].extensions[oid: Self.nonceExtension] != nil else {
            throw AppAttestError(.nonce, "the key's certificate has no nonce")
        }
        return chain[0]
    }

    private static func nonce(in leaf: Certificate) throws(AppAttestError) -> [UInt8] {
        do {
            guard let value = leaf.extensions[oid: nonceExtension]?.value else { throw CBORReader.wrong("no nonce") }
            let octets = try DER.sequence(try DER.parse(Array(value)), identifier: .sequence) { nodes in
                try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
                    try ASN1OctetString(derEncoded: node)
                }
            }
            return Array(octets.bytes)
        } catch { throw AppAttestError(.nonce, "the nonce of the key's certificate cannot be read") }
    }
}

/// An assertion whose signature holds. Whether its counter has risen is the store's to say.
package struct VerifiedAssertion: Hashable, Sendable {
    package var counter: UInt32

    /// - Parameters:
    ///   - publicKey: as of ``AttestedKey/publicKey``.
    ///   - clientDataHash: SHA-256 of the data to sign.
    ///   - appleID: the app that the key was attested for.
    package init(
        verifying object: [UInt8], publicKey: [UInt8], clientDataHash: [UInt8], appleID: String
    ) throws(AppAttestError) {
        let object = try AssertionObject(decoding: object)
        let data = try AuthenticatorData(decoding: object.authenticatorData, hasCredential: false)
        guard data.appHash == AppAttestVerifier.hash(of: appleID) else {
            throw AppAttestError(.app, "the assertion is of another app")
        }
        let isSigned: Bool
        do {
            let key = try P256.Signing.PublicKey(x963Representation: publicKey)
            let signature = try P256.Signing.ECDSASignature(derRepresentation: object.signature)
            // The key signs the hash as a message: ECDSA hashes it once more.
            let nonce = SHA256.hash(data: object.authenticatorData + clientDataHash)
            isSigned = key.isValidSignature(signature, for: Data(nonce))
        } catch { throw AppAttestError(.signature, "the assertion's signature cannot be read") }
        guard isSigned else { throw AppAttestError(.signature, "the assertion was made for another request or key") }
        counter = data.counter
    }
}
