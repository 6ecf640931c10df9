package import BenjiProtocol
package import NIOSSL
import Synchronization

/// The certificate of a listener, or of a gateway's calls, which can be read again while connections live.
///
/// A new connection uses the files as last read; an open one keeps its certificate. An error in new files leaves the
/// previous certificate in use.
package final class RenewableTLS: Sendable {
    /// A certificate with its key and whom it trusts, read and held against each other.
    package struct Identity: Sendable {
        package let configuration: TLSConfiguration
        package let context: NIOSSLContext
        /// The certificate in log lines: serial number, common name and alternative names.
        package let subject: String
        package let life: CertificateLife
        /// The file that the certificate was read from.
        package let file: String

        /// - Throws: what BoringSSL says if the key is another certificate's.
        package init(_ configuration: TLSConfiguration, certificate: NIOSSLCertificate, file: String) throws {
            self.configuration = configuration
            context = try NIOSSLContext(configuration: configuration)
            subject = Self.subject(of: certificate)
            life = CertificateLife(certificate)
            self.file = file
        }

        /// The same certificate under another configuration.
        package func with(_ configuration: TLSConfiguration) throws -> Identity {
            try Identity(configuration: configuration, subject: subject, life: life, file: file)
        }

        private init(
            configuration: TLSConfiguration, subject: String, life: CertificateLife, file: String
        ) throws {
            self.configuration = configuration
            context = try NIOSSLContext(configuration: configuration)
            (self.subject, self.life, self.file) = (subject, life, file)
        }

        private static func subject(of certificate: NIOSSLCertificate) -> String {
            // "<NIOSSLCertificate;serial_number=…;common_name=…;alternative_names=…>"
            certificate.description.split(separator: ";").dropFirst().joined(separator: ", ").replacing(">", with: "")
        }
    }

    /// How reading the files again ended.
    package enum Renewal: Sendable {
        case renewed(Identity)
        /// The certificate before stays, for this reason.
        case kept(String)
    }

    /// The setting that names the files: "tls" or "mutual-tls".
    package let setting: String
    /// Whether a client may show whatever certificate it has the key of: routes look at whose it is.
    package let takesAnyCertificate: Bool
    private let read: @Sendable () throws -> Identity
    private let state: Mutex<(identity: Identity, problem: String?)>

    /// - Parameters:
    ///   - takesAnyCertificate: whether any certificate with its key will do. The configuration must ask for one.
    ///   - read: reads the files. Its errors name the file and the problem, and hold nothing of a key.
    package init(
        _ setting: String, takesAnyCertificate: Bool = false, read: @escaping @Sendable () throws -> Identity
    ) throws {
        self.setting = setting
        self.takesAnyCertificate = takesAnyCertificate
        self.read = read
        state = Mutex((try read(), nil))
    }

    /// The identity for new connections.
    package var current: Identity { state.withLock { $0.identity } }

    /// Why the files that were read last are not in use; `nil` if they are.
    package var problem: String? { state.withLock { $0.problem } }

    /// Reads the files again. A certificate that does not count at this moment is not taken either.
    package func renew(at now: Timestamp) -> Renewal {
        let identity: Identity
        do { identity = try read() } catch { return keep("\(error)") }
        if let problem = identity.life.problem(at: now.seconds) { return keep("\(identity.file): \(problem)") }
        state.withLock { $0 = (identity, nil) }
        return .renewed(identity)
    }

    private func keep(_ problem: String) -> Renewal {
        state.withLock { $0.problem = problem }
        return .kept(problem)
    }

    /// The warnings for an operator, for a readiness check.
    package func warnings(at now: Timestamp) -> [String] {
        let (identity, problem) = state.withLock { $0 }
        let life = identity.life.problem(at: now.seconds) ?? identity.life.warning(at: now.seconds)
        return [
            problem.map { "the certificate was not renewed, the one before stays in use: \($0)" },
            life.map { "\(identity.file): \($0)" },
        ].compactMap(\.self)
    }
}
