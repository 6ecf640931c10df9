import BenjiProtocol
import Crypto
import Foundation
import Store
import SwiftASN1
import X509

/// The certificate whose key a caller has shown in the TLS handshake. Its signature is unchecked.
package struct ClientCertificate: Sendable {
    /// DER.
    let bytes: [UInt8]
    let certificate: Certificate

    /// `nil` for bytes that are no certificate.
    package init?(_ bytes: [UInt8]) {
        guard let certificate = try? Certificate(derEncoded: bytes) else { return nil }
        self.bytes = bytes
        self.certificate = certificate
    }

    /// `x5t#S256`: the hash by which a token is bound to it (RFC 8705 §3.1).
    package var thumbprint: String { Base64URL.encode(Array(SHA256.hash(data: bytes))) }

    /// Whether it is of this time. A connection may outlive the certificate that opened it.
    func isCurrent(at now: Timestamp) -> Bool {
        let moment = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        return certificate.notValidBefore <= moment && moment <= certificate.notValidAfter
    }

    /// Whether it has a name. Alternative names count whole: one with `*` is the name that it is and stands for no
    /// other.
    func has(_ name: CertificateName) -> Bool {
        guard name.kind != .subjectDN else {
            return SubjectName(parsing: name.value) == SubjectName(certificate.subject)
        }
        return (try? certificate.extensions.subjectAlternativeNames)?.contains { found in
            switch (name.kind, found) {
            case (.dns, .dnsName(let host)): Self.lowercased(host) == Self.lowercased(name.value)
            case (.uri, .uniformResourceIdentifier(let uri)): Array(uri.utf8) == Array(name.value.utf8)
            case (.ip, .ipAddress(let octets)):
                InternetAddress(bytes: octets.bytes).map { $0 == InternetAddress(name.value) } ?? false
            default: false
            }
        } ?? false
    }

    /// ASCII's letters alone: others are no letters of a DNS name, and some would become ASCII's.
    private static func lowercased(_ host: String) -> [UInt8] {
        host.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension CertificateName {
    /// The error in a name that is to be registered, or `nil`.
    var problem: String? {
        let problem: String? =
            switch kind {
            case .subjectDN:
                SubjectName(parsing: value) == nil
                    ? "must be as RFC 4514 writes it, CN=client,O=Example,C=CN; openssl x509 -noout -subject -nameopt "
                        + "RFC2253 prints it"
                    : nil
            case .dns:
                value.wholeMatch(of: /[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,32}/) == nil
                    ? "must be a DNS name in ASCII, such as client.example, without *" : nil
            case .uri:
                value.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]{0,31}:[\x21-\x7e]+/) == nil
                    ? "must be a URI, such as https://client.example/" : nil
            case .ip: InternetAddress(value) == nil ? "must be an IP address" : nil
            }
        return value.utf8.count > 1024 ? "must have 1024 bytes at most" : problem
    }
}
