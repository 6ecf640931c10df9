package import BenjiProtocol
package import Crypto
import Foundation
import SwiftASN1
import X509

/// In Apple's place: a root and an authority under it, which certifies the keys of chips.
package struct ModelAuthority: Sendable {
    private let rootKey: Certificate.PrivateKey
    private let root: Certificate
    private let middleKey: Certificate.PrivateKey
    private let middle: Certificate

    /// - Parameter moment: since when its certificates are valid, for ten years.
    package init(at moment: Timestamp) throws {
        rootKey = Certificate.PrivateKey(P384.Signing.PrivateKey())
        middleKey = Certificate.PrivateKey(P384.Signing.PrivateKey())
        let rootName = try DistinguishedName { CommonName("Model of an App Attestation Root CA") }
        let middleName = try DistinguishedName { CommonName("Model of an App Attestation CA") }
        let end = moment + .seconds(10 * 365 * 86400)
        root = try Self.certificate(
            of: rootKey.publicKey, rootName, by: rootName, rootKey, from: moment, until: end,
            Certificate.Extensions { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)) })
        middle = try Self.certificate(
            of: middleKey.publicKey, middleName, by: rootName, rootKey, from: moment, until: end,
            Certificate.Extensions { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0)) })
    }

    /// The root, as an operator would name it.
    package var rootPEM: String {
        get throws { try root.serializeAsPEM().pemString }
    }

    /// The chain of a key: its certificate, valid for three days, and the authority's. DER.
    ///
    /// - Parameter nonce: what the certificate says that it was asked for.
    package func certify(
        _ key: P256.Signing.PublicKey, nonce: [UInt8], at moment: Timestamp
    ) throws -> [[UInt8]] {
        var value = DER.Serializer()
        try value.appendConstructedNode(identifier: .sequence) { body in
            try body.serialize(
                ASN1OctetString(contentBytes: nonce[...]), explicitlyTaggedWithTagNumber: 1, tagClass: .contextSpecific)
        }
        let leaf = try Self.certificate(
            of: Certificate.PublicKey(key), try DistinguishedName { CommonName("Model of a key") }, by: middle.subject,
            middleKey, from: moment - .seconds(60), until: moment + .seconds(3 * 86400),
            Certificate.Extensions([
                Certificate.Extension(BasicConstraints.notCertificateAuthority, critical: true),
                Certificate.Extension(
                    oid: [1, 2, 840, 113635, 100, 8, 2], critical: false, value: value.serializedBytes[...]),
            ]))
        return try [leaf, middle].map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        }
    }

    private static func certificate(
        of key: Certificate.PublicKey, _ name: DistinguishedName, by issuer: DistinguishedName,
        _ issuerKey: Certificate.PrivateKey, from begin: Timestamp, until end: Timestamp,
        _ extensions: Certificate.Extensions
    ) throws -> Certificate {
        func date(_ moment: Timestamp) -> Date { Date(timeIntervalSince1970: Double(moment.seconds)) }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key, notValidBefore: date(begin),
            notValidAfter: date(end), issuer: issuer, subject: name, extensions: extensions,
            issuerPrivateKey: issuerKey)
    }
}
