import Administration
import Authority
import BenjiClient
import BenjiPage
@_spi(Server) import BenjiProtocol
import Logging
import OpenIDProvider
import Requests
import Sandbox
import SandboxWeb
import ServerRuntime
import ServiceLifecycle
import Store

extension Middleware {
    /// The sandbox's faults and its timeline.
    init(_ sandbox: SandboxWiring) {
        self.init(
            server: { sandbox.service($0) }, sender: sandbox.sender, openID: { sandbox.service($0) },
            routes: { routes, listener in
                switch listener {
                case .device: sandbox.routes(routes, of: .device)
                case .server: sandbox.routes(routes, of: .server)
                case .mtls, .admin, .administration, .gateways, .accounting, .radsec: routes
                }
            })
    }
}

/// The sandbox that the demo ends with: phones, the example shop, and the page that controls them.
struct DemoSandbox: Sendable {
    /// Ports that must be known before anything listens: they are in the names that servers know each other by.
    struct Ports: Sendable {
        var device: UInt16
        var server: UInt16
        var line: UInt16
        var shop: UInt16

        /// - Parameters: as given on the command line; 0 for any.
        static func take(device: UInt16, server: UInt16) throws -> Ports {
            let free = try FreePorts.take(4)
            return Ports(
                device: device == 0 ? free[0] : device, server: server == 0 ? free[1] : server, line: free[2],
                shop: free[3])
        }
    }

    /// Where the page is, for as long as it is free; otherwise anywhere.
    static let usualPort: UInt16 = 8090
    /// The example shop's server, as the authority sees it.
    static let shopAddress = "127.0.2.2"

    let world: SandboxWorld
    let line: ShopLink
    let services: [any Service]
    let port: BoundPorts
    /// The name or address by which people call the page.
    let pageHost: String

    /// Configures the server before it starts.
    static func configure(_ configuration: inout ServerConfiguration, _ parts: SandboxParts) {
        configuration.device.port = parts.ports.device
        configuration.server.port = parts.ports.server
        // The console, on a port that the system chooses.
        configuration.administration = ServerConfiguration.Administration(
            address: ListenAddress(host: configuration.device.host, port: 0))
        configuration.openID = OpenIDProvider.Configuration(
            issuer: parts.provider.issuer, pages: parts.provider.pages)
    }

    /// Builds everything around a server that listens.
    static func make(
        _ stage: DemoStage, parts: SandboxParts, logger: Logger
    ) async throws -> DemoSandbox {
        let (wiring, ports) = (parts.wiring, parts.ports)
        guard let source = InternetAddress(shopAddress) else {
            throw ConfigurationError(key: "demo", problem: "its own addresses cannot be read")
        }
        let shopURL = try ServerURL("http://127.0.0.1:\(ports.shop)")
        let shop = DemoShop(shopURL)
        let line = try await ShopLink(source: source, authority: stage.serverURL, wiring: wiring, port: ports.line)
        var registration = Apps.Registration(name: "Example Shop")
        registration.bundleIDs = ["com.example.shop"]
        registration.workflow = .oneTapThenSMS
        registration.leastAssurance = .sms
        registration.serverAddresses = [shopAddress]
        registration.attesters = [stage.platform.publicKey.text]
        let installation = stage.installation
        let clients = installation.openIDClients
        let app = try await installation.authority.apps.register(registration, by: .machineUser("app.create"))
        var client = OpenIDClients.Registration(appID: app.record.id, page: try inShopColor(StartPage.fullScreen.page))
        client.media = [try StartPage.fullScreen.page.logo.image.name: DemoShop.logo]
        client.redirectURIs = [shop.redirectURI]
        client.authentication = .clientSecretBasic
        let secret = try await clients.register(client, by: .machineUser("app.openid.set")).secret?.reveal() ?? ""
        let servers = SandboxServers(
            pages: stage.deviceURL, provider: parts.provider, shop: shopURL, shopLogo: DemoShop.logo,
            app: SandboxServers.AppCredentials(
                id: app.record.id, key: app.key.reveal(), bundleID: "com.example.shop"))
        let (ownApp, ownID) = try await own(installation, stage, line: line)
        let cores = Dictionary(stage.phones.map { ($0.sim.carrier, $0.core) }) { first, _ in first }
        let world = SandboxWorld(
            wiring: wiring, servers: servers, ownApp: ownApp, cores: cores, platform: stage.platform,
            page: try shopPage()
        ) { uris in
            do throws(Refusal) {
                _ = try await clients.set(ownID, by: .machineUser("app.openid.set")) { $0.redirectURIs = uris }
            } catch {
                throw SandboxWorld.Problem(kind: .invalid, description: "$.redirectURIs: \(error.detail)")
            }
        }
        _ = try await world.add()
        let second = try await world.add()
        _ = try await world.change(second.phone.id, SandboxWorld.Change(tray: .dual, network: .both))
        let port = BoundPorts()
        let shopService = shop.service(
            issuer: parts.provider.issuer, authority: line.url, app: app.record.id, secret: secret,
            serverSecret: app.serverSecret.reveal(),
            logger: logger)
        return DemoSandbox(
            world: world, line: line,
            services: [
                shopService,
                try SandboxSite(world: world, address: parts.pageAddress, port: parts.pagePort, logger: logger) {
                    await port.set(.server, $0)
                },
            ], port: port, pageHost: parts.pageAddress == SandboxParts.usualAddress ? parts.pageAddress : "localhost")
    }

    private static func inShopColor(_ page: PageDescription) -> PageDescription {
        DemoShop.color.map { page.colored($0) } ?? page
    }

    /// The authorization page of the shop's app. A person who taps without the tick is asked once more.
    private static func shopPage() throws -> PageDescription {
        var page = try inShopColor(StartPage.fullScreen.page)
        page.consentDialog = PageDescription.ConsentDialog()
        page.navigationBar.title = PageDescription.NavigationTitle(LocalizedText("示例商店", "Example Shop"))
        return page
    }

    /// An app for a developer who tries the sandbox with code of their own.
    private static func own(
        _ installation: Installation, _ stage: DemoStage, line: ShopLink
    ) async throws -> (app: OwnApp, id: AppID) {
        var registration = Apps.Registration(name: "Your App")
        registration.bundleIDs = ["com.example.yours"]
        registration.workflow = .oneTapThenSMS
        registration.leastAssurance = .sms
        // Calls through the sandbox's line come from the first address, direct calls to the listener for servers from
        // the second.
        registration.serverAddresses = [shopAddress, "127.0.0.1"]
        registration.attesters = [stage.platform.publicKey.text]
        let app = try await installation.authority.apps.register(registration, by: .machineUser("app.create"))
        var client = OpenIDClients.Registration(appID: app.record.id, page: try StartPage.fullScreen.page)
        client.redirectURIs = ["http://localhost:3000/callback"]
        client.authentication = .clientSecretBasic
        let secret =
            try await installation.openIDClients.register(client, by: .machineUser("app.openid.set")).secret?.reveal()
            ?? ""
        let credentials = SandboxServers.AppCredentials(
            id: app.record.id, key: app.key.reveal(), bundleID: "com.example.yours")
        return (
            OwnApp(
                credentials: credentials, clientSecret: secret, serverSecret: app.serverSecret.reveal(),
                server: line.url,
                redirectURIs: client.redirectURIs),
            app.record.id
        )
    }

    /// Where the page is. Waits until it listens.
    var page: String { get async { "http://\(pageHost):\(await port.port(.server))/" } }

    func close() async {
        await world.close()
        await line.close()
    }
}

extension DemoSandbox: Closable {}
