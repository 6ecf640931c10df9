import NIOSSL

@testable import Endpoints

extension RenewableTLS {
    /// A configuration that never changes. One without a certificate, as a stranger's, has the life of one that nobody sees.
    convenience init(keeping configuration: TLSConfiguration) throws {
        var certificate = try NIOSSLCertificate(bytes: Array(DemoKeys.tlsCertificate.utf8), format: .pem)
        if case .certificate(let own)? = configuration.certificateChain.first { certificate = own }
        let identity = try Identity(configuration, certificate: certificate, file: "memory")
        try self.init("tls") { identity }
    }
}
