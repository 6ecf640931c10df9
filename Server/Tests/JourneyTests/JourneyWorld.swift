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

/// The whole system in one process on loopback: a real server behind its sockets, a packet core, phones and an app's
/// server.
struct JourneyWorld: Sendable {
    static let bundle = "com.example.shop"
    static let secret = "sixteen-bytes-or-more"

    let server: AssembledServer
    let installation: Installation
    let directory: String
    let core: VirtualPacketCore
    let app: RegisteredApp
    let appServer: OperatorClient
    let deviceURL: ServerURL
    let platform = PlatformAttester()
    let sims = VirtualSIM.demonstration

    /// Runs `story` in a world of its own, and takes the world down in order whatever happens.
    static func play(
        face: ServerConfiguration.Face? = nil,
        _ story: @Sendable @escaping (JourneyWorld) async throws -> Void
    ) async throws {
        let directory = NSTemporaryDirectory() + "journey-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        var configuration = try DemoStage.configuration(dataDirectory: directory, ports: (0, 0, 0, 0))
        configuration.networkElements = [
            NetworkAccessServer(
                name: "core", sources: [IPPrefix("127.0.1.9")!], secret: SharedSecret(secret)!, domain: "default",
                pools: [IPPrefix("127.20.0.0/16")!], carrier: .mobile, interimInterval: .seconds(3600))
        ]
        configuration.face = face
        let assembled = try await ServerAssembly(configuration: configuration, metrics: { "" }, logger: logger).open()
        let server = ServiceGroup(services: assembled.services, logger: logger)
        let result: Result<Void, any Error> = await withTaskGroup(of: Result<Void, any Error>?.self) { group in
            group.addTask {
                do {
                    try await server.run()
                    return nil
                } catch { return .failure(error) }
            }
            group.addTask {
                let result: Result<Void, any Error>
                do {
                    try await story(try await JourneyWorld(assembled, directory))
                    result = .success(())
                } catch { result = .failure(error) }
                await server.triggerGracefulShutdown()
                return result
            }
            var outcome: Result<Void, any Error> = .success(())
            for await ended in group { if let ended, case .success = outcome { outcome = ended } }
            return outcome
        }
        await assembled.close()
        try result.get()
    }

    private init(_ server: AssembledServer, _ directory: String) async throws {
        self.server = server
        installation = try #require(server.installation)
        self.directory = directory
        let accounting = await server.ports.port(.accounting)
        core = VirtualPacketCore(
            name: "core",
            client: try await AccountingClient(
                gateway: InternetAddress("127.0.0.1")!, port: accounting, secret: SharedSecret(Self.secret)!,
                source: InternetAddress("127.0.1.9"),
                tries: Int(Patience.deadline.components.seconds)))
        deviceURL = try ServerURL("http://127.0.0.1:\(await server.ports.port(.device))")
        var registration = Apps.Registration(name: "Shop")
        registration.bundleIDs = [Self.bundle]
        registration.serverAddresses = ["127.0.2.1"]
        registration.attesters = [platform.publicKey.text]
        app = try await installation.authority.apps.register(registration)
        appServer = OperatorClient(
            server: try ServerURL("http://127.0.0.1:\(await server.ports.port(.server))"), appID: app.record.id,
            serverSecret: app.serverSecret.reveal(), source: InternetAddress("127.0.2.1")!)
    }

    func phone(_ address: String) -> VirtualPhone {
        VirtualPhone(name: address, address: InternetAddress(address)!, platform: platform)
    }

    /// Waits until the clock shows another second. Accounting counts in seconds, so the order of two events in one
    /// second is unknown.
    static func nextSecond() async throws {
        let second = SystemWallClock().now.seconds
        try await until { SystemWallClock().now.seconds > second }
    }

    func engine(on phone: VirtualPhone) -> LoginEngine {
        phone.install(
            LoginEngine.Configuration(
                appID: app.record.id, appKey: app.key.reveal(), bundleID: Self.bundle, server: deviceURL,
                timeout: Patience.deadline))
    }

    func attach(_ sim: VirtualSIM, at address: String) async throws -> VirtualPacketCore.Session {
        try await core.attach(sim, at: InternetAddress(address)!).0
    }

    /// The code that redeeming ends in.
    func redeem(_ token: LoginToken) async throws -> String { try await appServer.loginTokenValidate(token.token).code }
}
