import Foundation
import NIOSSL
import ServerTestKit

@testable import Link

/// Certificates made for one test with the `openssl` command, as `docs/operations/gateways.md` shows it, in a directory
/// that the test removes.
struct LinkCertificates {
    let directory: String

    init() async throws {
        directory = NSTemporaryDirectory() + "link-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for authority in ["link-ca", "other-ca"] {
            try await openssl([
                "-subj", "/CN=Benji link", "-days", "2", "-addext", "keyUsage=critical,keyCertSign,cRLSign",
                "-keyout", path("\(authority).key"), "-out", path("\(authority).pem"),
            ])
        }
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Issues a certificate and gives one end of the link with it.
    /// - Parameters:
    ///   - usage: `clientAuth` for a gateway, `serverAuth` for an authority.
    ///   - names: `DNS:gateway-1`, `IP:127.0.0.1`.
    ///   - signer: who signs it, and `trust`: whom its holder believes.
    func end(
        _ name: String, usage: String, names: String, signer: String = "link-ca", trust: String = "link-ca"
    ) async throws -> LinkTLS {
        let file = UUID().uuidString
        try await issue(file, for: name, usage: usage, names: names, signer: signer)
        return try LinkTLS(
            certificatePath: path("\(file).pem"), keyPath: path("\(file).key"), authorityPath: path("\(trust).pem"))
    }

    /// Writes `file.pem` and `file.key`.
    func issue(_ file: String, for name: String, usage: String, names: String, signer: String = "link-ca") async throws
    {
        try await openssl([
            "-CA", path("\(signer).pem"), "-CAkey", path("\(signer).key"), "-days", "1", "-subj", "/CN=\(name)",
            "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=\(usage)",
            "-addext", "subjectAltName=\(names)", "-keyout", path("\(file).key"), "-out", path("\(file).pem"),
        ])
    }

    func gateway(_ name: String, signer: String = "link-ca") async throws -> LinkTLS {
        try await end(name, usage: "clientAuth", names: "DNS:\(name)", signer: signer)
    }

    func authority(
        names: String = "DNS:authority.internal,IP:127.0.0.1", usage: String = "serverAuth", signer: String = "link-ca",
        trust: String = "link-ca"
    ) async throws -> LinkTLS {
        try await end("authority.internal", usage: usage, names: names, signer: signer, trust: trust)
    }

    func remove() { try? FileManager.default.removeItem(atPath: directory) }

    private func openssl(_ arguments: [String]) async throws {
        try await OpenSSL.run(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"] + arguments)
    }
}
