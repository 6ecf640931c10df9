/// A name that a client's certificate must have, for a client of `tls_client_auth` (RFC 8705 §2.1.2).
package struct CertificateName: RawRepresentable, Hashable, Sendable {
    /// Where in the certificate the name is, as the registration calls it.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The subject, as RFC 4514 writes it: `CN=client,O=Example,C=CN`.
        case subjectDN = "tls_client_auth_subject_dn"
        /// A DNS name among the subject's alternative names.
        case dns = "tls_client_auth_san_dns"
        /// A URI among them.
        case uri = "tls_client_auth_san_uri"
        /// An IP address among them.
        case ip = "tls_client_auth_san_ip"
    }

    package var kind: Kind
    package var value: String

    package init(_ kind: Kind, _ value: String) {
        self.kind = kind
        self.value = value
    }

    /// As it is kept: `tls_client_auth_san_dns=client.example`.
    package var rawValue: String { "\(kind.rawValue)=\(value)" }

    package init?(rawValue: String) {
        let parts = rawValue.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else { return nil }
        self.init(kind, parts[1])
    }
}
