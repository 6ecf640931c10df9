import NIOSSL

@testable import ServerHTTP

extension RenewableTLS {
    /// A configuration that never changes. Without a certificate of its own it has the life of the demo one.
    convenience init(keeping configuration: TLSConfiguration) throws {
        var certificate = try NIOSSLCertificate(bytes: Array(DemoKeys.tlsCertificate.utf8), format: .pem)
        if case .certificate(let own)? = configuration.certificateChain.first { certificate = own }
        let identity = try Identity(configuration, certificate: certificate, file: "memory")
        try self.init("tls") { identity }
    }
}
