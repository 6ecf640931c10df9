import Foundation
import NIOSSL
import ServerTestKit
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Link
@testable import ServerHTTP

@Suite("A certificate that is read again")
struct RenewableTLSTests {
    // An hour on: the certificates that the test has made meanwhile count already.
    private let clock = TestClock(Timestamp(seconds: Int64(Date().timeIntervalSince1970) + 3600))

    /// The certificate and key files that are read from now on.
    private final class Files: Sendable {
        let paths: Mutex<(certificate: String, key: String)>
        let certificates: LinkCertificates

        init(_ certificates: LinkCertificates, _ name: String) {
            self.certificates = certificates
            paths = Mutex((certificates.path("\(name).pem"), certificates.path("\(name).key")))
        }

        func put(_ certificate: String, key: String) {
            paths.withLock { $0 = (certificates.path("\(certificate).pem"), certificates.path("\(key).key")) }
        }

        func tls() throws -> RenewableTLS {
            try RenewableTLS("mutual-tls") { [self] in
                let (certificate, key) = paths.withLock { $0 }
                return try LinkTLS(
                    certificatePath: certificate, keyPath: key, authorityPath: certificates.path("link-ca.pem")
                ).serverIdentity
            }
        }
    }

    private func withFiles(_ body: (Files) throws -> Void) async throws {
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        for name in ["one", "two"] {
            try await certificates.issue(name, for: name, usage: "serverAuth", names: "DNS:\(name).example")
        }
        try body(Files(certificates, "one"))
    }

    @Test("new connections begin with the certificate that was read last")
    func renewed() async throws {
        try await withFiles { files in
            let tls = try files.tls()
            #expect(tls.current.subject.contains("alternative_names=one.example"))
            #expect(!tls.current.subject.contains("<") && !tls.current.subject.contains(">"))
            let before = tls.current.context
            files.put("two", key: "two")
            guard case .renewed(let identity) = tls.renew(at: clock.now) else {
                Issue.record("not renewed: \(tls.problem ?? "")")
                return
            }
            #expect(identity.subject.contains("two.example"))
            #expect(tls.current.context !== before)
            #expect(tls.warnings(at: clock.now).map { $0.contains("two.pem: the certificate expires in") } == [true])
        }
    }

    @Test("files that are missing or do not fit leave the certificate before in use, and the warning names the file")
    func kept() async throws {
        try await withFiles { files in
            let tls = try files.tls()
            for (certificate, key, named) in [
                ("two", "one", "one.key is not the key of"), ("gone", "one", "gone.pem cannot be read"),
                ("two", "gone", "gone.key cannot be read"),
            ] {
                files.put(certificate, key: key)
                guard case .kept(let problem) = tls.renew(at: clock.now) else {
                    Issue.record("\(certificate) with the key of \(key) was taken")
                    continue
                }
                #expect(problem.contains(named), "\(problem)")
                #expect(tls.current.subject.contains("one.example"))
                #expect(tls.warnings(at: clock.now).contains { $0.contains("not renewed") && $0.contains(named) })
            }
            files.put("two", key: "two")
            _ = tls.renew(at: clock.now)
            #expect(tls.problem == nil)
        }
    }

    @Test("a certificate that has expired, or does not count yet, is not taken in the place of another")
    func expired() async throws {
        try await withFiles { files in
            let tls = try files.tls()
            files.put("two", key: "two")
            for (step, word) in [(Duration.seconds(30 * 86400), "expired on"), (.seconds(-60 * 86400), "counts from")] {
                clock.set(by: step)
                guard case .kept(let problem) = tls.renew(at: clock.now) else {
                    Issue.record("taken at another time")
                    continue
                }
                #expect(problem.contains("two.pem: the certificate \(word)"), "\(problem)")
                #expect(tls.current.subject.contains("one.example"))
            }
        }
    }

    @Test("a certificate is warned about in its last two weeks, and when it has expired")
    func life() {
        let day: Int64 = 86400
        let life = CertificateLife(begins: 0, ends: 100 * day)
        #expect(life.warning(at: 86 * day) == nil)
        #expect(life.warning(at: 86 * day + 1) == "the certificate expires in 13 days")
        #expect(life.problem(at: 100 * day) == nil)
        #expect(life.problem(at: 100 * day + 1)?.hasPrefix("the certificate expired on 1970-04-11") == true)
    }
}
