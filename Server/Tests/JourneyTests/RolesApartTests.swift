import BenjiClient
import Foundation
import Logging
import RADIUS
import Sandbox
import ServerTestKit
import ServiceLifecycle
import Store
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol
@testable import Gateway
@testable import ServerRuntime

/// A login through a gateway and an authority that share nothing but the link.
@Suite("Gateway and authority apart", .serialized)
struct RolesApartTests {
    private static let secret = "sixteen-bytes-or-more"

    @Test(
        """
        a phone logs in through the gateway, its app's server redeems at the authority, and without the authority \
        nothing is given
        """
    )
    func login() async throws {
        let folders = try await Folders()
        defer { folders.remove() }
        let authority = try await ServerAssembly(
            configuration: try folders.authority(), metrics: { "" }, logger: folders.logger
        ).open()
        var registration = Apps.Registration(name: "Shop")
        registration.bundleIDs = ["com.example.shop"]
        registration.serverAddresses = ["127.0.2.1"]
        let platform = PlatformAttester()
        registration.attesters = [platform.publicKey.text]
        let app = try await #require(authority.installation).authority.apps.register(registration)
        let server = ServiceGroup(services: authority.services, logger: folders.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let link = await authority.ports.port(.gateways)
            let gateway = try await ServerAssembly(
                configuration: try folders.gateway(authorityPort: link), metrics: { "" }, logger: folders.logger
            ).open()
            #expect(gateway.installation == nil)
            let front = ServiceGroup(services: gateway.services, logger: folders.logger)
            group.addTask { try await front.run() }

            let nas = try await AccountingClient(
                gateway: try #require(InternetAddress("127.0.0.1")), port: await gateway.ports.port(.accounting),
                secret: try #require(SharedSecret(Self.secret)), source: InternetAddress("127.0.0.1"),
                tries: Int(Patience.deadline.components.seconds))
            let core = VirtualPacketCore(name: "core", client: nas)
            let sim = try #require(VirtualSIM.demonstration.first)
            let address = try #require(InternetAddress("127.11.0.2"))
            let (session, _) = try await core.attach(sim, at: address)
            let phone = VirtualPhone(name: "phone", address: address, platform: platform)
            let engine = phone.install(
                LoginEngine.Configuration(
                    appID: app.record.id, appKey: app.key.reveal(), bundleID: "com.example.shop",
                    server: try ServerURL("http://127.0.0.1:\(await gateway.ports.port(.device))"),
                    timeout: Patience.deadline))
            let token = try await engine.logIn(with: ScriptedPerson())
            let shop = OperatorClient(
                server: try ServerURL("http://127.0.0.1:\(await authority.ports.port(.server))"), appID: app.record.id,
                serverSecret: app.serverSecret.reveal(), source: try #require(InternetAddress("127.0.2.1")))
            let answer = try await shop.loginTokenValidate(token.token)
            #expect(answer.code == "103000")
            #expect(answer.body["msisdn"] == .string(sim.number.national))
            #expect(try await shop.loginTokenValidate(token.token).code != "103000")

            // The address is free again; the gateway alone knows it.
            _ = try await core.detach(session)
            let refused = await #expect(throws: BenjiError.self) { try await engine.logIn(with: ScriptedPerson()) }
            #expect(refused?.situation == .addressUnknown)

            _ = try await core.attach(sim, at: address)
            await server.triggerGracefulShutdown()
            try await group.next()
            let alone = await #expect(throws: BenjiError.self) { try await engine.logIn(with: ScriptedPerson()) }
            #expect(alone?.situation == .overloaded)
            await nas.close()
            await front.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        await authority.close()
        // The gateway's files name no subscriber.
        let journal = try Data(contentsOf: URL(fileURLWithPath: "\(folders.directory)/gateway/directory.journal"))
        #expect(!journal.isEmpty)
        let number = try #require(VirtualSIM.demonstration.first?.number)
        #expect(journal.range(of: Data(number.national.utf8)) == nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(folders.directory)/gateway") == ["directory.journal"]
        )
    }

    @Test("a gateway whose certificate bears another name than its configuration does not start")
    func wrongName() async throws {
        let folders = try await Folders()
        defer { folders.remove() }
        var configuration = try folders.gateway(authorityPort: 1)
        configuration.gatewayName = "gateway-2"
        let fixed = configuration
        let error = await #expect(throws: ConfigurationError.self) {
            try await ServerAssembly(configuration: fixed, metrics: { "" }, logger: folders.logger).open()
        }
        #expect(error?.key == "gateway.name")
    }

    /// Certificates and configurations in a directory of their own.
    private struct Folders {
        let directory = NSTemporaryDirectory() + "apart-\(UUID().uuidString)"
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

        init() async throws {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try await issue("link-ca", ["-addext", "keyUsage=critical,keyCertSign,cRLSign"])
            let leaf = [
                "-CA", "\(directory)/link-ca.pem", "-CAkey", "\(directory)/link-ca.key", "-addext",
                "basicConstraints=critical,CA:FALSE",
            ]
            try await issue(
                "authority",
                leaf + ["-addext", "extendedKeyUsage=serverAuth", "-addext", "subjectAltName=IP:127.0.0.1"])
            try await issue(
                "gateway-1",
                leaf + ["-addext", "extendedKeyUsage=clientAuth", "-addext", "subjectAltName=DNS:gateway-1"])
        }

        func remove() { try? FileManager.default.removeItem(atPath: directory) }

        private func issue(_ name: String, _ arguments: [String]) async throws {
            try await OpenSSL.run(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-keyout", "\(directory)/\(name).key", "-out", "\(directory)/\(name).pem",
                ] + arguments)
        }

        private func configuration(_ role: ServerRole, _ data: String, _ name: String) throws
            -> ServerConfiguration
        {
            let loopback = ListenAddress(host: try #require(InternetAddress("127.0.0.1")), port: 0)
            var configuration = ServerConfiguration(
                process: ProcessConfiguration(dataDirectory: "\(directory)/\(data)", admin: loopback),
                gateway: GatewaySettings(device: loopback, accounting: loopback), server: loopback)
            configuration.role = role
            configuration.mutualTLS = .init(
                identity: .init(certificate: "\(directory)/\(name).pem", key: "\(directory)/\(name).key"),
                certificateAuthority: "\(directory)/link-ca.pem")
            return configuration
        }

        func authority() throws -> ServerConfiguration {
            var configuration = try configuration(.authority, "authority", "authority")
            configuration.gatewayListener = configuration.admin
            configuration.gatewayCarriers = ["gateway-1": [.mobile]]
            return configuration
        }

        func gateway(authorityPort: UInt16) throws -> ServerConfiguration {
            var configuration = try configuration(.gateway, "gateway", "gateway-1")
            configuration.authorityURLs = ["https://127.0.0.1:\(authorityPort)"]
            configuration.authorityTimeout = Patience.deadline
            configuration.networkElements = [
                NetworkAccessServer(
                    name: "core", sources: [try #require(IPPrefix("127.0.0.1"))],
                    secret: try #require(SharedSecret(RolesApartTests.secret)), domain: "default",
                    pools: [try #require(IPPrefix("127.11.0.0/16"))], carrier: .mobile, interimInterval: .seconds(300))
            ]
            return configuration
        }
    }
}
