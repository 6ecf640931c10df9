import Foundation
import NIOCore
import NIOSSL
package import ServerHTTP

/// A certificate and its key, read and held against each other.
package struct ServerCertificate {
    /// TLS 1.2 or newer under this certificate.
    package let identity: RenewableTLS.Identity
    /// From when until when it counts.
    package var life: CertificateLife { identity.life }

    /// - Parameter clientAuthority: PEM file with the authorities of clients' certificates. A client may then show one,
    ///   which is verified, or none.
    /// - Throws: ``ConfigurationError`` that names the file at fault.
    package init(
        _ identity: CertificateFiles, setting: String = "tls", clientAuthority: String? = nil
    ) throws(ConfigurationError) {
        try Self.expectFile(identity.certificate, key: "\(setting).certificate")
        try Self.expectFile(identity.key, key: "\(setting).key")
        guard let chain = try? NIOSSLCertificate.fromPEMFile(identity.certificate), let first = chain.first else {
            throw ConfigurationError(
                key: "\(setting).certificate", problem: "\(identity.certificate) is not a PEM certificate")
        }
        guard let key = try? NIOSSLPrivateKey(file: identity.key, format: .pem) else {
            throw ConfigurationError(
                key: "\(setting).key", problem: "\(identity.key) is not an unencrypted PEM private key")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        // The suites of RFC 9325 §4.2, as FAPI 2.0 requires of servers. TLS 1.3 has suites of its own besides these.
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        ]
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
                key: "\(setting).key",
                problem: "\(identity.key) is not the key of the certificate in \(identity.certificate)")
        }
    }

    /// For accounting over TLS: who shows no certificate of these authorities is refused in the handshake.
    package init(_ radSec: GatewaySettings.RadSec) throws(ConfigurationError) {
        let identity = try ServerCertificate(radSec.identity, setting: "radsec").identity
        let authority = radSec.clientAuthority
        try Self.expectFile(authority, key: "radsec.client-authority")
        guard let roots = try? NIOSSLCertificate.fromPEMFile(authority), !roots.isEmpty else {
            throw ConfigurationError(
                key: "radsec.client-authority", problem: "\(authority) holds no PEM certificate")
        }
        var configuration = identity.configuration
        configuration.trustRoots = .certificates(roots)
        // A client has no host to be checked against; whose the certificate is, is told by its names.
        configuration.certificateVerification = .noHostnameVerification
        configuration.shutdownTimeout = .seconds(1)
        do { self.identity = try identity.with(configuration) } catch {
            throw ConfigurationError(key: "radsec.client-authority", problem: "\(authority): \(error)")
        }
    }

    /// Fails if a file cannot be read.
    package static func expectFile(_ path: String, key: String) throws(ConfigurationError) {
        if let reason = CommandFile.readingProblem(path) {
            throw ConfigurationError(key: key, problem: "\(path) cannot be read: \(reason)")
        }
    }
}
