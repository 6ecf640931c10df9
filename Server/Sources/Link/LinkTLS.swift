import Foundation
import NIOCore
package import NIOSSL
package import ServerHTTP

/// One end's certificate and key for the link, and the private certificate authority that must have signed the other
/// end's.
///
/// Trust is in that authority alone, never in the system's: certificates of public authorities are not accepted. TLS
/// 1.3 only, since both ends are ours.
package struct LinkTLS: Sendable {
    /// For the authority's listener: a client without a certificate of our authority is refused in the handshake.
    package let server: TLSConfiguration
    /// For the gateway: the authority's certificate must also name the host of its address.
    package let client: TLSConfiguration
    /// The one DNS name of this end's certificate, which for a gateway must be its own; `nil` if there are none or
    /// more.
    package let name: String?
    package let certificate: NIOSSLCertificate
    package let certificatePath: String

    /// How long a closing connection waits for the other end's goodbye.
    private static let closingTime: TimeAmount = .seconds(1)

    /// Reads PEM files.
    /// - Parameters:
    ///   - certificatePath: this end's certificate, then any between it and the authority.
    ///   - keyPath: its private key, not encrypted.
    ///   - authorityPath: certificates of the private authority.
    /// - Throws: ``LinkConfigurationError`` that names the file.
    package init(certificatePath: String, keyPath: String, authorityPath: String) throws(LinkConfigurationError) {
        func readable(_ path: String) throws(LinkConfigurationError) {
            guard access(path, R_OK) != 0 else { return }
            throw LinkConfigurationError("\(path) cannot be read: \(String(cString: strerror(errno)).lowercased())")
        }
        func certificates(_ path: String) throws(LinkConfigurationError) -> [NIOSSLCertificate] {
            try readable(path)
            guard let found = try? NIOSSLCertificate.fromPEMFile(path), !found.isEmpty else {
                throw LinkConfigurationError("\(path) holds no PEM certificate")
            }
            return found
        }
        let chain = try certificates(certificatePath)
        certificate = chain[0]
        self.certificatePath = certificatePath
        let roots = NIOSSLTrustRoots.certificates(try certificates(authorityPath))
        try readable(keyPath)
        guard let key = try? NIOSSLPrivateKey(file: keyPath, format: .pem) else {
            throw LinkConfigurationError("\(keyPath) is not an unencrypted PEM private key")
        }
        var server = TLSConfiguration.makeServerConfigurationWithMTLS(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key), trustRoots: roots)
        server.minimumTLSVersion = .tlsv13
        server.shutdownTimeout = Self.closingTime
        var client = TLSConfiguration.makeClientConfiguration()
        client.certificateChain = chain.map { .certificate($0) }
        client.privateKey = .privateKey(key)
        client.trustRoots = roots
        client.certificateVerification = .fullVerification
        client.minimumTLSVersion = .tlsv13
        client.shutdownTimeout = Self.closingTime
        // Finds a key that does not belong to the certificate now, not at the first connection.
        guard (try? NIOSSLContext(configuration: server)) != nil else {
            throw LinkConfigurationError("\(keyPath) is not the key of the certificate in \(certificatePath)")
        }
        name = GatewayIdentity.name(in: certificate)
        self.server = server
        self.client = client
    }

    /// From when until when this end's certificate counts.
    package var life: CertificateLife { CertificateLife(certificate) }

    /// This end as the authority's listener has it.
    package var serverIdentity: RenewableTLS.Identity { get throws { try identity(server) } }

    /// This end as a gateway's calls have it.
    package var clientIdentity: RenewableTLS.Identity { get throws { try identity(client) } }

    private func identity(_ configuration: TLSConfiguration) throws -> RenewableTLS.Identity {
        try RenewableTLS.Identity(configuration, certificate: certificate, file: certificatePath)
    }
}

/// The error in the configuration of one end of the link, in words for the operator.
package struct LinkConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    package var problem: String

    init(_ problem: String) { self.problem = problem }

    package var description: String { "link: \(problem)" }
}
