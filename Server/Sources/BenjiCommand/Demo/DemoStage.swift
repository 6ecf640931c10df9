import AppAttest
import AppAttestModel
import Authority
import BenjiClient
@_spi(Server) import BenjiProtocol
import Foundation
import Gateway
import Logging
import RADIUS
import Sandbox
import ServerRuntime
import ServiceLifecycle
import Store

/// The demo's world on loopback: one real server, three carriers' packet cores, three phones, and an app server.
struct DemoStage: Sendable {
    struct AttachedPhone: Sendable {
        var phone: VirtualPhone
        var sim: VirtualSIM
        var core: VirtualPacketCore
    }

    /// An app as its developer knows it.
    struct App: Sendable {
        var id: AppID
        var key: String
        var bundleID: String
        var client: OperatorClient
        var oneLoginClient: OneLoginClient
        var geYanClient: GeYanClient
    }

    let installation: Installation
    let deviceURL: ServerURL
    let serverURL: ServerURL
    let accountingPort: UInt16
    let appServerURL: ServerURL
    let phones: [AttachedPhone]
    let platform: PlatformAttester
    /// In Apple's place for phones with App Attest.
    let apple: ModelAuthority
    /// Asks for `net+app`.
    let shop: App
    /// Is content with `net`.
    let casual: App
    /// Its scrips live one second.
    let hasty: App
    /// Came from OneLogin.
    let oneLogin: App
    /// Came from GeYan.
    let geYan: App

    /// The shop's team at Apple.
    static let team = "DEMOTEAM01"
    static let appServerAddress = "127.0.2.1"
    /// How long the demo waits for an answer: longer than a slow machine needs.
    static let timeout: Duration = .seconds(90)
    static let accountingSecret = "sandbox-secret-of-the-demo"

    /// The addresses of the demo: carrier by carrier, its packet core and the pool that its phones get addresses from.
    static func networkElements() -> [NetworkAccessServer] {
        zip(Carrier.documented, 1...).compactMap { carrier, number in
            guard let source = IPPrefix("127.0.1.\(number)"), let pool = IPPrefix("127.1\(number).0.0/16"),
                let secret = SharedSecret(accountingSecret)
            else { return nil }
            // 1064 begins the numbers that carriers give to things.
            return NetworkAccessServer(
                name: "core-\(carrier.rawValue)", sources: [source], secret: secret, domain: "default", pools: [pool],
                carrier: carrier,
                excludedNumberRanges: ["1064", "861064"], interimInterval: .seconds(3600))
        }
    }

    static func configuration(
        dataDirectory: String, ports: (device: UInt16, server: UInt16, admin: UInt16, accounting: UInt16)
    )
        throws -> ServerConfiguration
    {
        guard let loopback = InternetAddress("127.0.0.1") else {
            throw ConfigurationError(key: "listen", problem: "no loopback")
        }
        func listener(_ port: UInt16) -> ListenAddress { ListenAddress(host: loopback, port: port) }
        var configuration = ServerConfiguration(
            process: ProcessConfiguration(dataDirectory: dataDirectory, admin: listener(ports.admin)),
            gateway: GatewaySettings(device: listener(ports.device), accounting: listener(ports.accounting)),
            server: listener(ports.server))
        configuration.gatewayName = "sandbox"
        configuration.networkElements = networkElements()
        return configuration
    }

    /// Registers the apps and builds everything that stands around a server that is already listening.
    static func set(
        _ server: AssembledServer, _ installation: Installation,
        appServerPort: @escaping @Sendable () async -> UInt16,
        apple: ModelAuthority, startAppServer: @escaping @Sendable (ExampleAppServer) -> Void,
        onAppServerListening: @escaping @Sendable (Int?) async -> Void,
        secrets: SecretsList?, logger: Logger
    ) async throws -> DemoStage {
        let deviceURL = try ServerURL("http://127.0.0.1:\(await server.ports.port(.device))")
        let serverURL = try ServerURL("http://127.0.0.1:\(await server.ports.port(.server))")
        let accountingPort = await server.ports.port(.accounting)
        let platform = PlatformAttester()
        guard let source = InternetAddress(appServerAddress), let gateway = InternetAddress("127.0.0.1"),
            let secret = SharedSecret(accountingSecret)
        else { throw ConfigurationError(key: "demo", problem: "its own addresses cannot be read") }

        func register(_ name: String, _ bundle: String, _ change: (inout Apps.Registration) -> Void) async throws -> App
        {
            var registration = Apps.Registration(name: name)
            registration.bundleIDs = [bundle]
            registration.serverAddresses = [appServerAddress]
            registration.attesters = [platform.publicKey.text]
            change(&registration)
            let app = try await installation.authority.apps.register(registration, by: .machineUser("app.create"))
            secrets?.add("key", app.key.reveal())
            secrets?.add("key", app.serverSecret.reveal())
            return App(
                id: app.record.id, key: app.key.reveal(), bundleID: bundle,
                client: OperatorClient(
                    server: serverURL, appID: app.record.id, serverSecret: app.serverSecret.reveal(), source: source,
                    secrets: secrets),
                oneLoginClient: OneLoginClient(
                    server: serverURL, appID: app.record.id, serverSecret: app.serverSecret.reveal(), source: source,
                    secrets: secrets),
                geYanClient: GeYanClient(
                    server: serverURL, appID: app.record.id, masterSecret: app.serverSecret.reveal(), source: source,
                    secrets: secrets))
        }
        let shop = try await register("Corner Shop", "com.example.shop") {
            $0.leastAssurance = .netApp
            $0.appleTeam = team
        }
        let casual = try await register("Casual Game", "com.example.casual") { _ in }
        let hasty = try await register("Hasty App", "com.example.hasty") { $0.scripLifetime = 1 }
        func move(_ name: String, _ bundle: String, id: String) async throws -> App {
            try await register(name, bundle) {
                $0.id = AppID(rawValue: id)
                $0.phonesWithoutKey = true
            }
        }
        // In the shapes of these vendors' ids; drawn, because a data directory may be used again.
        let random = SystemRandomSource()
        let oneLogin = try await move(
            "From OneLogin", "com.example.one", id: Hexadecimal.encode(random.bytes(16)))
        let geYan = try await move("From GeYan", "com.example.geyan", id: random.alphanumerics(22))

        var phones: [AttachedPhone] = []
        for (number, sim) in zip(1..., VirtualSIM.demonstration) {
            guard let address = InternetAddress("127.1\(number).0.2") else { continue }
            secrets?.add("number", sim.number.e164)
            secrets?.add("number", sim.number.national)
            secrets?.add("imsi", sim.imsi)
            let client = try await AccountingClient(
                gateway: gateway, port: accountingPort, secret: secret, source: InternetAddress("127.0.1.\(number)"),
                tries: Int(timeout.components.seconds))
            phones.append(
                AttachedPhone(
                    phone: VirtualPhone(
                        name: "phone \(number)", address: address, platform: platform, secrets: secrets), sim: sim,
                    core: VirtualPacketCore(name: "core-\(sim.carrier.rawValue)", client: client)))
        }
        startAppServer(
            ExampleAppServer(operator: shop.client, logger: logger, onListening: onAppServerListening))
        return DemoStage(
            installation: installation, deviceURL: deviceURL, serverURL: serverURL, accountingPort: accountingPort,
            appServerURL: try ServerURL("http://127.0.0.1:\(await appServerPort())"), phones: phones,
            platform: platform, apple: apple,
            shop: shop, casual: casual, hasty: hasty, oneLogin: oneLogin, geYan: geYan)
    }

    func engine(_ app: App, on phone: VirtualPhone) -> LoginEngine { phone.install(configuration(app)) }

    /// An app for which a phone's chip vouches.
    /// - Parameter authority: who has attested the chip's keys.
    func engine(_ app: App, on phone: VirtualPhone, attestedBy authority: ModelAuthority) -> LoginEngine {
        phone.install(
            configuration(app), with: ModelChip(by: authority, team: Self.team, bundleID: app.bundleID))
    }

    private func configuration(_ app: App) -> LoginEngine.Configuration {
        LoginEngine.Configuration(
            appID: app.id, appKey: app.key, bundleID: app.bundleID, server: deviceURL,
            timeout: Self.timeout)
    }
}
