import Crypto
package import Foundation
package import NIOSSL
package import SwiftASN1
package import X509

/// An authority in memory, and certificates of it.
package struct CertificateMaker {
    package struct Issued {
        package let certificate: NIOSSLCertificate
        package let key: NIOSSLPrivateKey

        /// DER.
        package var bytes: [UInt8] { get throws { try certificate.toDERBytes() } }

        package var pem: String {
            get throws { PEMDocument(type: "CERTIFICATE", derBytes: try bytes).pemString }
        }
    }

    package let name: DistinguishedName
    private let key = P256.Signing.PrivateKey()
    package let certificate: NIOSSLCertificate
    private let now: Date

    /// - Parameter now: from when its certificates' dates are counted.
    package init(_ common: String = "Test authority", at now: Date = Date()) throws {
        self.now = now
        name = try DistinguishedName { CommonName(common) }
        let day = Self.day
        certificate = try Self.sign(
            Certificate.PublicKey(key.publicKey), name, by: name, key, valid: now - day...now + day,
            Certificate.Extensions { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)) })
    }

    /// Seconds.
    package static let day: TimeInterval = 86_400

    package var pem: String {
        get throws { PEMDocument(type: "CERTIFICATE", derBytes: try certificate.toDERBytes()).pemString }
    }

    /// - Parameters:
    ///   - common: the subject's common name.
    ///   - subject: in its place, the whole name.
    ///   - names: alternative names besides hosts and URIs.
    ///   - usages: what it is for; anything if there are none.
    ///   - valid: from now, in seconds.
    ///   - isSelfSigned: whether its own key signs it, and not the authority.
    package func issue(
        common: String = "a network element", subject: DistinguishedName? = nil, hosts: [String] = [],
        uris: [String] = [], names: [GeneralName] = [], usages: [ExtendedKeyUsage.Usage] = [],
        valid: ClosedRange<TimeInterval> = -3600...3600, isSelfSigned: Bool = false
    ) throws -> Issued {
        let own = P256.Signing.PrivateKey()
        let names =
            hosts.map { GeneralName.dnsName($0) } + uris.map { GeneralName.uniformResourceIdentifier($0) } + names
        let subject = try subject ?? DistinguishedName { CommonName(common) }
        let usage = usages.isEmpty ? nil : try ExtendedKeyUsage(usages)
        let certificate = try Self.sign(
            Certificate.PublicKey(own.publicKey), subject, by: isSelfSigned ? subject : name,
            isSelfSigned ? own : key, valid: now + valid.lowerBound...now + valid.upperBound,
            Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                if !names.isEmpty { SubjectAlternativeNames(names) }
                if let usage { usage }
            })
        return Issued(
            certificate: certificate, key: try NIOSSLPrivateKey(bytes: Array(own.pemRepresentation.utf8), format: .pem))
    }

    private static func sign(
        _ key: Certificate.PublicKey, _ subject: DistinguishedName, by issuer: DistinguishedName,
        _ issuerKey: P256.Signing.PrivateKey, valid: ClosedRange<Date>, _ extensions: Certificate.Extensions
    ) throws -> NIOSSLCertificate {
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key, notValidBefore: valid.lowerBound,
            notValidAfter: valid.upperBound, issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions, issuerPrivateKey: Certificate.PrivateKey(issuerKey))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
    }
}
