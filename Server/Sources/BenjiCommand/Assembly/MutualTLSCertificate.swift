import FoundationEssentials
import NIOSSL
import OpenIDProvider
import ServerHTTP
import ServerRuntime

/// The certificate of the listener for apps' servers that show one, or none.
struct MutualTLSCertificate {
    let identity: RenewableTLS.Identity
    /// The authorities of apps' client certificates, as PEM; `nil` if none is named.
    private(set) var clientAuthorities: String?

    /// A client's certificate may be one that it signed itself, so the handshake asks for its key alone.
    init(_ files: CertificateFiles, asking settings: ServerConfiguration.ClientTLS) throws(ConfigurationError) {
        let setting = "openid.client-authority"
        let own = try ServerCertificate(files).identity
        if let path = settings.clientAuthority {
            try ServerCertificate.expectFile(path, key: setting)
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                (try? ClientAuthorities().replace(pem: text)) != nil
            else { throw ConfigurationError(key: setting, problem: "\(path) holds no PEM certificate") }
            clientAuthorities = text
        }
        var configuration = own.configuration
        configuration.trustRoots = .certificates([])
        configuration.certificateVerification = .optionalVerification
        do { self.identity = try own.with(configuration) } catch {
            throw ConfigurationError(key: "listen.mtls", problem: "\(error)")
        }
    }
}
