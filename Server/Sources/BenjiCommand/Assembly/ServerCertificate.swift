import Endpoints
import Foundation
import NIOSSL

/// A certificate and its key, read and held against each other.
struct ServerCertificate {
    /// TLS 1.2 or newer under this certificate.
    let identity: RenewableTLS.Identity
    /// From when until when it counts.
    var life: CertificateLife { identity.life }

    /// - Parameter clientAuthority: PEM file with the authorities of clients' certificates. A client may then show one, which is
    ///   verified, or none.
    /// - Throws: ``ConfigurationError`` that names the file at fault.
    init(_ identity: ServerConfiguration.Identity, clientAuthority: String? = nil) throws(ConfigurationError) {
        try Self.expectFile(identity.certificate, key: "tls.certificate")
        try Self.expectFile(identity.key, key: "tls.key")
        guard let chain = try? NIOSSLCertificate.fromPEMFile(identity.certificate), let first = chain.first else {
            throw ConfigurationError(
                key: "tls.certificate", problem: "\(identity.certificate) is not a PEM certificate")
        }
        guard let key = try? NIOSSLPrivateKey(file: identity.key, format: .pem) else {
            throw ConfigurationError(
                key: "tls.key", problem: "\(identity.key) is not an unencrypted PEM private key")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        if let clientAuthority {
            try Self.expectFile(clientAuthority, key: "administration.client-authority")
            guard let roots = try? NIOSSLCertificate.fromPEMFile(clientAuthority), !roots.isEmpty else {
                throw ConfigurationError(
                    key: "administration.client-authority", problem: "\(clientAuthority) holds no PEM certificate")
            }
            configuration.trustRoots = .certificates(roots)
            configuration.certificateVerification = .optionalVerification
        }
        // Says now, and not when the listener starts, that the key is another certificate's.
        do {
            self.identity = try RenewableTLS.Identity(
                configuration, certificate: first, file: identity.certificate)
        } catch {
            throw ConfigurationError(
                key: "tls.key", problem: "\(identity.key) is not the key of the certificate in \(identity.certificate)")
        }
    }

    private static func expectFile(_ path: String, key: String) throws(ConfigurationError) {
        if let reason = CommandFile.readingProblem(path) {
            throw ConfigurationError(key: key, problem: "\(path) cannot be read: \(reason)")
        }
    }
}
