import Foundation
import ServerTestKit
import Store
import Testing

@testable import StorePostgres

@Suite("Servers that are reached over a network are verified")
struct ServerVerificationTests {
    /// PostgreSQL's answer, or that of another machine in its place: HONEST.
    private static func answer(_ text: String) async throws -> String? {
        try await onOwnThread {
            let session = try Session(ConnectionParameters(text), patience: Patience.deadline)
            return try session.row("SELECT upper('honest')", of: "text") { try $0.text() }
        }
    }

    /// Why there is no answer.
    private static func problem(_ text: String) async -> String {
        do {
            let found = try await answer(text)
            return "answered \(found ?? "nothing")"
        } catch {
            return (error as? ServerFailure)?.words ?? "\(error)"
        }
    }

    /// A server on 127.0.0.1 that counts as reached over a network, because of its name.
    private static func place(
        _ port: UInt16, host: String = "db.example.com", root: String = TestServer.shared.certificate
    ) -> String {
        "host=\(host) hostaddr=127.0.0.1 port=\(port) user=benji dbname=postgres sslrootcert=\(root)"
    }

    private static func protection(_ text: String, _ environment: [String: String] = [:]) throws -> String {
        try ConnectionParameters(text, environment: environment).protection
    }

    @Test("A machine that answers no to TLS cannot pose as the server; with libpq's own default it forges answers")
    func noTLS() async throws {
        let port = TestServer.shared.port
        let relay = try PlaintextRelay(to: port)
        defer { relay.stop() }
        #expect(try await Self.answer(Self.place(relay.port) + " sslmode=prefer") == "FORGED")
        let problem = await Self.problem(Self.place(relay.port))
        #expect(problem.contains("PostgreSQL at db.example.com"), "\(problem)")
        #expect(
            problem.contains("127.0.0.1 offers no TLS, which sslmode=verify-full requires; set ssl = on"), "\(problem)")
        #expect(try await Self.answer(Self.place(port)) == "HONEST")
    }

    @Test(
        "A server whose certificate names another host, or whose authority cannot be read, is refused with the remedy",
        arguments: [
            ("other.example.com", nil, "does not name this host (sslmode=verify-full)"),
            ("db.example.com", "/nowhere-of-benji.pem", "name its file with sslrootcert= in store.postgres"),
        ] as [(String, String?, String)])
    func certificate(host: String, root: String?, words: String) async throws {
        let place = Self.place(TestServer.shared.port, host: host, root: root ?? TestServer.shared.certificate)
        let problem = await Self.problem(place)
        #expect(problem.contains("PostgreSQL at \(host)") && problem.contains(words), "\(problem)")
        // Another machine would be believed.
        #expect(try await Self.answer(Self.place(TestServer.shared.port, host: host) + " sslmode=require") == "HONEST")
    }

    @Test("A server whose certificate is of another authority is refused with the remedy")
    func authority() async throws {
        let path = NSTemporaryDirectory() + "authority-\(UUID().uuidString)"
        defer { for end in ["pem", "key"] { try? FileManager.default.removeItem(atPath: "\(path).\(end)") } }
        try await OpenSSL.run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "397", "-subj",
            "/CN=another authority", "-keyout", "\(path).key", "-out", "\(path).pem",
        ])
        let problem = await Self.problem(Self.place(TestServer.shared.port, root: "\(path).pem"))
        #expect(problem.contains("not of the authority in sslrootcert (sslmode=verify-full)"), "\(problem)")
    }

    @Test(
        "A server that is not on this machine is verified by default, also in a list and by its address",
        arguments: [
            "host=db.example.com", "host=10.0.0.11", "host=fe80::1", "host=128.0.0.1", "host=127.0.0.1.example.com",
            "host=localhost.example.com", "host=/run/postgresql,db2", "host=localhost,10.0.0.2", "hostaddr=10.0.0.11",
            "host=localhost hostaddr=10.0.0.11", "host=db.example.com hostaddr=127.0.0.1", "service=benji",
            "host=/run/postgresql service=benji", "postgresql://db.example.com/benji",
        ])
    func isRemote(text: String) throws {
        #expect(try Self.protection(text).contains("sslmode=verify-full: TLS"))
        #expect(try ConnectionParameters(text, environment: [:]).weakness == nil)
    }

    @Test(
        "A server on this machine needs no TLS",
        arguments: [
            "", "dbname=benji", "host=/run/postgresql", "host=@benji", "host=localhost", "host=127.0.0.1",
            "host=127.8.0.1", "host=::1", "host=localhost,/run/postgresql", "hostaddr=127.0.0.1",
            "host=127.0.0.1 sslmode=disable", "postgresql:///benji", "postgresql://[::1]/benji",
        ])
    func isLocal(text: String) throws {
        #expect(try Self.protection(text).hasSuffix("on this machine: TLS is not needed"))
        #expect(try ConnectionParameters(text, environment: [:]).weakness == nil)
    }

    @Test(
        "A server that the environment names is verified by default, and no mode of the environment counts",
        arguments: [["PGHOST": "db.example.com"], ["PGHOSTADDR": "10.0.0.11"], ["PGSERVICE": "benji"]])
    func environment(variables: [String: String]) throws {
        let weaker = variables.merging(["PGSSLMODE": "disable"]) { $1 }
        #expect(try Self.protection("dbname=benji", weaker).contains("sslmode=verify-full: TLS"))
        #expect(try Self.protection("dbname=benji", ["PGHOST": "/tmp"]).contains("PostgreSQL at /tmp, "))
    }

    @Test(
        "A weaker sslmode is obeyed, and stated with its danger and the remedy",
        arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
    func weaker(mode: String) throws {
        let parameters = try ConnectionParameters("host=db.example.com sslmode=\(mode)", environment: [:])
        let weakness = try #require(parameters.weakness)
        #expect(weakness.hasPrefix("PostgreSQL at db.example.com, database benji, sslmode=\(mode): "))
        #expect(weakness.contains("another machine can pose as the server") && weakness.contains("sslrootcert="))
    }

    @Test("Encryption of GSSAPI takes no precedence over TLS that verifies, unless the text asks for it")
    func gssapi() throws {
        func mode(_ text: String) throws -> String? {
            try ConnectionParameters(text, environment: [:]).options.first { $0.keyword == "gssencmode" }?.value
        }
        #expect(try mode("host=db.example.com") == "disable")
        #expect(try mode("host=db.example.com sslmode=verify-full") == "disable")
        #expect(try mode("host=db.example.com gssencmode=require") == "require")
        // libpq's own default, as before.
        #expect(try mode("host=db.example.com sslmode=prefer") == nil)
        #expect(try mode("host=localhost") == nil)
    }

    @Test("An sslmode that libpq does not know is refused by name")
    func unknown() {
        let error = #expect(throws: StoreError.self) { try ConnectionParameters("host=localhost sslmode=full") }
        #expect(error?.detail.contains("sslmode=full is unknown; leave it out") == true)
    }
}
