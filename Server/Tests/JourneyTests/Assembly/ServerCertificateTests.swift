import Foundation
import ServerTestKit
import Testing

@testable import BenjiCommand
@testable import ServerHTTP
@testable import ServerRuntime

@Suite("The listeners' certificate")
struct ServerCertificateTests {
    private func withFiles(_ body: (String) throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "certificate-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["one", "two"] {
            try await OpenSSL.run([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=localhost",
                "-days", "30", "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem",
            ])
        }
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: folder + "/garbage"))
        try body(folder)
    }

    private func problem(_ certificate: String, _ key: String) -> String {
        do {
            _ = try ServerCertificate(.init(certificate: certificate, key: key))
            return "good"
        } catch { return error.description }
    }

    @Test("A missing, unreadable or mismatched file is named with its setting")
    func files() async throws {
        try await withFiles { folder in
            let (pem, key) = ("\(folder)/one.pem", "\(folder)/one.key")
            #expect(problem(pem, key) == "good")
            #expect(
                problem("\(folder)/no.pem", key).contains(
                    "tls.certificate: \(folder)/no.pem cannot be read: there is no such"))
            #expect(
                problem(pem, "\(folder)/no.key").contains("tls.key: \(folder)/no.key cannot be read: there is no such"))
            #expect(problem("\(folder)/garbage", key).contains("tls.certificate: \(folder)/garbage is not"))
            #expect(problem(pem, "\(folder)/garbage").contains("tls.key: \(folder)/garbage is not"))
            #expect(problem(pem, "\(folder)/two.key").contains("tls.key: \(folder)/two.key is not the key of"))
        }
    }

    @Test("A certificate that has expired, does not count yet, or soon expires is told by its day")
    func times() async throws {
        try await withFiles { folder in
            let certificate = try ServerCertificate(.init(certificate: "\(folder)/one.pem", key: "\(folder)/one.key"))
                .life
            let day: Int64 = 86400
            // openssl reads the clock once for each of them.
            #expect((30 * day...30 * day + 1).contains(certificate.ends - certificate.begins))
            #expect(certificate.problem(at: certificate.ends) == nil)
            #expect(certificate.problem(at: certificate.ends + 1)?.contains("expired on 20") == true)
            #expect(certificate.problem(at: certificate.begins - 1)?.contains("counts from 20") == true)
            #expect(certificate.warning(at: certificate.ends - 20 * day) == nil)
            #expect(certificate.warning(at: certificate.ends - 3 * day) == "the certificate expires in 3 days")
            #expect(certificate.warning(at: certificate.ends + 1) == nil)
        }
    }
}
