package import BenjiProtocol
package import NIOSSL

/// Who is at the other end of the link, as its certificate says: verified in the handshake, read here.
package struct GatewayIdentity: Hashable, Sendable {
    /// The gateway's name in sightings and in the authority's configuration.
    package let name: String

    /// - Parameter now: a connection may outlive the certificate that opened it, so its dates count at every message.
    /// - Returns: `nil` unless the certificate is of our time and holds exactly one DNS name.
    package init?(_ certificate: NIOSSLCertificate, now: Timestamp) {
        guard Int64(certificate.notValidBefore) <= now.seconds, now.seconds <= Int64(certificate.notValidAfter) else {
            return nil
        }
        guard let name = Self.name(in: certificate) else { return nil }
        self.name = name
    }

    /// The one DNS name of a certificate, regardless of its signer and time.
    package static func name(in certificate: NIOSSLCertificate) -> String? {
        // The subject's common name is free text (RFC 9525 §2); a certificate vouches for the alternative names.
        let names = certificate._subjectAlternativeNames().filter { $0.nameType == .dnsName }
            .map { String(decoding: $0.contents, as: UTF8.self) }
        guard names.count == 1, let name = names.first, (1...64).contains(name.utf8.count) else { return nil }
        return name
    }
}
