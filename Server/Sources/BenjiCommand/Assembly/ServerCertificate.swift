import Foundation
import NIOSSL

/// A certificate and its key, read and held against each other.
struct ServerCertificate {
    /// TLS 1.2 or newer under this certificate.
    let tls: TLSConfiguration
    /// When it begins and ceases to count, in seconds since 1970.
    let begins: Int64
    let ends: Int64

    /// - Throws: ``ConfigurationError`` that names the file at fault.
    init(_ identity: ServerConfiguration.Identity) throws(ConfigurationError) {
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
        // Says now, and not when the listener starts, that the key is another certificate's.
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            throw ConfigurationError(
                key: "tls.key", problem: "\(identity.key) is not the key of the certificate in \(identity.certificate)")
        }
        tls = configuration
        begins = Int64(first.notValidBefore)
        ends = Int64(first.notValidAfter)
    }

    /// Why clients refuse it at a moment; `nil` if they do not.
    func problem(at seconds: Int64) -> String? {
        func day(_ seconds: Int64) -> String {
            Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
        }
        if seconds > ends { return "the certificate expired on \(day(ends)); clients refuse it" }
        if seconds < begins { return "the certificate counts from \(day(begins)); clients refuse it until then" }
        return nil
    }

    /// What should be said a while before it expires; `nil` while there is time.
    func warning(at seconds: Int64) -> String? {
        let days = (ends - seconds) / 86400
        return problem(at: seconds) == nil && days < 14 ? "the certificate expires in \(days) days" : nil
    }

    private static func expectFile(_ path: String, key: String) throws(ConfigurationError) {
        if access(path, R_OK) != 0 {
            let reason = String(cString: strerror(errno)).lowercased()
            throw ConfigurationError(key: key, problem: "\(path) cannot be read: \(reason)")
        }
    }
}
