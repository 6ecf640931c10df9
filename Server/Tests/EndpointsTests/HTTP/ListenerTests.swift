import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOSSL
import ServerTestKit
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import ServerHTTP

/// Behaviour that only a real socket can show, on the loopback.
@Suite("A listener on a socket")
struct ListenerTests {
    private let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    @Test("the route learns the address of the socket's other end, and answers carry a date")
    func peer() async throws {
        let route = EndpointRoute(.get, "/peer") { _, context in
            Response(JSON.object(["address": .string(context.peer?.address.description ?? "none")]))
        }
        let application = PublicServer.application(
            PublicServer.router("admin", routes: [route]), address: .hostname("127.0.0.1", port: 0), logger: quiet)
        try await application.test(.live) { client in
            let response = try await client.execute(
                uri: "/peer", method: .get, headers: [HTTPField.Name("X-Forwarded-For")!: "10.9.9.9"])
            let address = try JSON(parsing: String(buffer: response.body))["address"]
            #expect(address == "127.0.0.1" || address == "::1")
            #expect(response.headers[.date] != nil)
            #expect(response.headers[.server] == nil)
        }
    }

    @Test("answers close their connections from the moment that the process is being stopped")
    func draining() async throws {
        let draining = Draining()
        let application = PublicServer.application(
            PublicServer.router("server", routes: [EndpointRoute(.get, "/") { _, _ in Response(status: .ok) }]),
            address: .hostname("127.0.0.1", port: 0), draining: draining, logger: quiet)
        try await application.test(.live) { client in
            let before = try await client.execute(uri: "/", method: .get)
            #expect(before.status == .ok && before.headers[.connection] != "close")
            draining.begin()
            let after = try await client.execute(uri: "/", method: .get)
            #expect(after.status == .ok && after.headers[.connection] == "close")
        }
    }

    @Test("a request with two Host lines is refused, whatever they say")
    func twoHosts() async throws {
        let application = PublicServer.application(
            PublicServer.router("admin", routes: [EndpointRoute(.get, "/") { _, _ in Response(status: .ok) }]),
            address: .hostname("127.0.0.1", port: 0), logger: quiet)
        try await application.test(.live) { client in
            // The client sends one of its own.
            for (second, status) in [(nil, 200), ("localhost", 400), ("attacker.example", 400)] {
                var headers = HTTPFields()
                if let second { headers[HTTPField.Name("Host")!] = second }
                let answer = try await client.execute(uri: "/", method: .get, headers: headers)
                #expect(answer.status.code == status, "\(second ?? "none")")
            }
        }
    }

    @Test("header lines over the limit are refused")
    func headerLimit() async throws {
        let application = PublicServer.application(
            PublicServer.router("admin", routes: []), address: .hostname("127.0.0.1", port: 0),
            limits: ServerLimits(headerLineBytes: 1024, headerBytes: 2048), logger: quiet)
        try await application.test(.live) { client in
            let small = try await client.execute(
                uri: "/", method: .get, headers: [.userAgent: String(repeating: "a", count: 900)])
            #expect(small.status == .notFound)
            let large = try await client.execute(
                uri: "/", method: .get, headers: [.userAgent: String(repeating: "a", count: 1100)])
            #expect(large.status == .badRequest)
        }
    }

    @Test("the operator dialect answers 200 over the wire, whatever the code, also to a body that is too large")
    func operatorDialect() async throws {
        let endpoints = CMPassportEndpoints(service: ScriptedServerService(), clock: TestClock.document)
        let application = PublicServer.application(
            PublicServer.router("server", routes: endpoints.routes), address: .hostname("127.0.0.1", port: 0),
            logger: quiet)
        let path = CMPassportEndpoints.Path.loginTokenValidate.rawValue
        try await application.test(.live) { client in
            let good = try await client.execute(
                uri: path, method: .post, body: ByteBuffer(bytes: Requests.login().serialized))
            #expect(good.status == .ok)
            #expect(try JSON(parsing: String(buffer: good.body))["msisdn"] == "14700000000")
            let broken = try await client.execute(uri: path, method: .post, body: ByteBuffer(string: "{"))
            #expect(broken.status == .ok)
            #expect(try JSON(parsing: String(buffer: broken.body))["resultCode"] == "103112")
            let wrong = try await client.execute(uri: path, method: .get)
            #expect(wrong.status == .methodNotAllowed)
        }
        try await application.test(.live) { client in
            let large = try await client.execute(
                uri: path, method: .post,
                body: ByteBuffer(repeating: 0x20, count: EndpointRoute.maximumServerBody + 1))
            #expect(large.status == .ok)
            #expect(try JSON(parsing: String(buffer: large.body))["resultCode"] == "103112")
        }
    }

    @Test("a client that waits to be bidden go on gets its answer")
    func expectContinue() async throws {
        let endpoints = CMPassportEndpoints(service: ScriptedServerService(), clock: TestClock.document)
        let application = PublicServer.application(
            PublicServer.router("server", routes: endpoints.routes), address: .hostname("127.0.0.1", port: 0),
            logger: quiet)
        try await application.test(.ahc(.http)) { client in
            let response = try await client.execute(
                uri: CMPassportEndpoints.Path.loginTokenValidate.rawValue, method: .post,
                headers: [.expect: "100-continue"], body: ByteBuffer(bytes: Requests.login().serialized))
            #expect(response.status == .ok)
            #expect(try JSON(parsing: String(buffer: response.body))["msisdn"] == "14700000000")
        }
    }

    @Test("with a certificate the listener speaks TLS, and only TLS")
    func tls() async throws {
        let route = EndpointRoute(.get, "/") { _, _ in Response(JSON.object(["code": "success"])) }
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [
                .certificate(try NIOSSLCertificate(bytes: Array(DemoKeys.tlsCertificate.utf8), format: .pem))
            ],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(DemoKeys.tlsKey.utf8), format: .pem)))
        let application = PublicServer.application(
            PublicServer.router("device", routes: [route]), address: .hostname("127.0.0.1", port: 0),
            tls: try RenewableTLS(keeping: configuration),
            logger: quiet)
        try await application.test(.ahc(.https)) { client in
            let response = try await client.execute(uri: "/", method: .get)
            #expect(String(buffer: response.body) == #"{"code":"success"}"#)
        }
        try await application.test(.ahc(.http)) { client in
            await #expect(throws: (any Error).self) { _ = try await client.execute(uri: "/", method: .get) }
        }
    }
}
