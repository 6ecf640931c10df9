import AppAttest
import AppAttestModel
import ArgumentParser
import Authority
import BenjiClient
import BenjiProtocol
import Foundation
import Logging
import Metrics
import PrometheusMetrics
import Sandbox
import ServerRuntime
import ServiceLifecycle
import Store
import Synchronization
import UnixSignals

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Watch three phones log in by their own numbers, on this machine, without a SIM.",
        discussion: """
            Starts a real server, three virtual packet cores that speak RADIUS, three virtual phones with the real SDK \
            engine, and an
            example app server, all on loopback. Each line is the outcome of a request that crossed a socket. Then it \
            serves the
            sandbox: one page on which you choose SIM, network and fault of virtual phones, use an example shop on \
            them, and
            see every message (docs/sandbox.md); `benji phone list` and its kin do the same. Ctrl-C ends it. With \
            --once it
            leaves after the run, with status 1 if a line ended otherwise than stated.
            """.paragraphs)

    @Flag(help: "Leave when the run is over; status 1 if any line ended otherwise than stated.") var once = false
    @Flag(help: "One JSON object a line. The last says where the sandbox's page is.") var json = false
    @Flag(help: "Leave the stories out and open the sandbox at once.") var sandboxOnly = false
    @Flag(help: "With face login, for a browser with a camera on this machine. Needs the models: make face-models.")
    var face = false
    @Option(help: "Port of the sandbox's page; \(DemoSandbox.usualPort) if that is free, else any. 0 for any.")
    var pagePort: UInt16?
    @Option(
        help: """
            Where the sandbox's page listens. 0.0.0.0 is for a container: publish the page's port to the loopback of \
            your machine alone, \
            as the page has no log-in.
            """)
    var pageAddress = SandboxParts.usualAddress
    @Option(help: "Keep the data here instead of in a temporary directory that is deleted at the end.") var data:
        String?
    @Option(help: "Port for phones; 0 lets the system choose.") var devicePort: UInt16 = 0
    @Option(help: "Port for app servers; 0 lets the system choose.") var serverPort: UInt16 = 0
    @Option(help: "Port for health and metrics; 0 lets the system choose.") var adminPort: UInt16 = 0
    @Option(help: "Port for RADIUS accounting; 0 lets the system choose.") var accountingPort: UInt16 = 0
    @Option(
        help: ArgumentHelp(
            "Write the run's secrets, metrics and traces into this directory, for a leak check.", visibility: .hidden))
    var evidence: String?
    @Option(
        help: ArgumentHelp(
            "Be two nodes of an authority and a gateway; this directory has PostgreSQL and certificates.",
            visibility: .hidden))
    var cluster: String?
    @Option(help: "What the server logs: error, warning, info, debug …") var log: String = "error"

    func run() async throws {
        let directory = data ?? "\(NSTemporaryDirectory())/benji-demo-\(UUID().uuidString)"
        let isTemporary = data == nil
        defer { if isTemporary { try? FileManager.default.removeItem(atPath: directory) } }
        var logger = Logger(label: "benji") { StreamLogHandler.standardError(label: $0) }
        guard let level = Logger.Level(rawValue: log) else {
            throw ValidationError("--log \(log.prefix(20)): write error, warning, notice, info, debug or trace")
        }
        logger.logLevel = level
        let factory = PrometheusMetricsFactory(describing: KnownMetrics.all)
        MetricsSystem.bootstrap(factory)
        let metrics: @Sendable () -> String = { factory.render() }
        var configuration = try DemoStage.configuration(
            dataDirectory: directory, ports: (devicePort, serverPort, adminPort, accountingPort))
        // No other server knows this root.
        let apple = try ModelAuthority(at: SystemWallClock().now)
        configuration.appAttest = try AppAttestVerifier(pem: apple.rootPEM)
        let sandboxPorts = once ? nil : try DemoSandbox.Ports.take(device: devicePort, server: serverPort)
        let parts = try sandboxPorts.map {
            try SandboxParts(wiring: SandboxWiring(), ports: $0, pageAddress: pageAddress, pagePort: pagePort)
        }
        if let parts { DemoSandbox.configure(&configuration, parts) }
        if face {
            guard cluster == nil else {
                throw ValidationError("this demo cannot show face login with --cluster; leave one of them out")
            }
            try DemoFace.prepare(&configuration)
        }
        let wiring = parts?.wiring
        let serverLog = logger
        func open(_ configuration: ServerConfiguration) async throws -> Installation {
            try await Installation.open(
                configuration, beginning: true, logger: serverLog, traceObserver: { wiring?.observe($0) })
        }
        func assembly(_ configuration: ServerConfiguration) -> ServerAssembly {
            ServerAssembly(
                configuration: configuration, metrics: metrics, logger: serverLog,
                middleware: wiring.map(Middleware.init) ?? Middleware())
        }
        let server: AssembledServer
        let installations: [Installation]
        if let cluster {
            let opened = try await DemoCluster.open(configuration, in: cluster, open: open, assemble: assembly)
            (server, installations) = (opened.server, opened.installations)
        } else {
            installations = [try await open(configuration)]
            server = try await assembly(configuration).all(installations[0])
        }
        let story = DemoStory(terminal: Terminal(), isJSON: json)
        let play = DemoPlay(
            server: server, installation: installations[0], apple: apple, story: story, once: once,
            sandboxOnly: sandboxOnly,
            json: json,
            face: face,
            evidence: evidence, metrics: metrics, sandbox: parts, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: server.services.map {
                    ServiceGroupConfiguration.ServiceConfiguration(service: $0)
                } + [
                    // The play is a service like the others: when it is over, everything else is shut down in order.
                    ServiceGroupConfiguration.ServiceConfiguration(
                        service: play, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup)
                ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await installations.closing { _ in try await group.run() }
        let (surprises, lines) = (await story.surprises, await story.lines)
        if surprises > 0 || lines == 0 && !sandboxOnly { throw ExitCode(1) }
    }
}

struct SandboxParts: Sendable {
    static let usualAddress = "127.0.0.1"

    let wiring: SandboxWiring
    let ports: DemoSandbox.Ports
    /// Where the page listens.
    let pageAddress: String
    /// 0 for any.
    let pagePort: UInt16

    /// Whether callers reach the page's port alone, from outside of this machine.
    var isEnclosed: Bool { pageAddress != Self.usualAddress }

    /// - Parameter pagePort: as given on the command line.
    init(wiring: SandboxWiring, ports: DemoSandbox.Ports, pageAddress: String, pagePort: UInt16?) throws {
        (self.wiring, self.ports, self.pageAddress) = (wiring, ports, pageAddress)
        let isEnclosed = pageAddress != Self.usualAddress
        let wanted = pagePort ?? DemoSandbox.usualPort
        guard wanted != 0 || !isEnclosed else {
            throw ConfigurationError(
                key: "page-port", problem: "must not be 0 with --page-address: the port is part of the issuer's address"
            )
        }
        // The code that waits for the listener gets no error if the port is taken.
        let isTaken = wanted != 0 && FreePorts.isListening(wanted)
        guard !isTaken || pagePort == nil && !isEnclosed else {
            throw ConfigurationError(key: "page-port", problem: "port \(wanted) is taken")
        }
        self.pagePort = isTaken ? 0 : wanted
    }

    /// How the OpenID provider names itself. Where only the page may be reachable, both are on its port.
    var provider: SandboxServers.Provider {
        guard isEnclosed else {
            return SandboxServers.Provider(
                issuer: "http://127.0.0.1:\(ports.line)", pages: "http://127.0.0.1:\(ports.device)")
        }
        let port = pagePort == 80 ? "" : ":\(pagePort)"
        return SandboxServers.Provider(
            issuer: "http://localhost\(port)\(SandboxServers.pathForServers)",
            pages: WindowLabel("phone-1", .pages, port: port).origin
        )
    }
}

/// The demo's run, as a service beside the server's.
struct DemoPlay: Service {
    let server: AssembledServer
    let installation: Installation
    /// In Apple's place for phones with App Attest.
    let apple: ModelAuthority
    let story: DemoStory
    let once: Bool
    let sandboxOnly: Bool
    let json: Bool
    let face: Bool
    let evidence: String?
    let metrics: @Sendable () -> String
    /// The parts of the sandbox; `nil` if there will be none.
    let sandbox: SandboxParts?
    let logger: Logger

    func run() async throws {
        let appServerPort = BoundPorts()
        let secrets = evidence == nil ? nil : SecretsList()
        let started = ContinuousClock.now
        let (servers, continuation) = AsyncStream.makeStream(of: ServiceGroup.self)
        let logger = logger
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await server in servers { try await server.run() }
            }
            let appServer = Mutex<ServiceGroup?>(nil)
            let stage = try await DemoStage.set(
                server, installation, appServerPort: { await appServerPort.port(.server) }, apple: apple,
                startAppServer: { server in
                    let group = ServiceGroup(services: [server], logger: logger)
                    appServer.withLock { $0 = group }
                    continuation.yield(group)
                    continuation.finish()
                }, onAppServerListening: { await appServerPort.set(.server, $0) }, secrets: secrets,
                logger: logger)
            if !json {
                Terminal().print(
                    Terminal().styled("Benji 本机", .bold)
                        + "  a phone proves its own number: one tap, no SMS, here without a SIM")
            }
            let acts = DemoActs(stage: stage, story: story)
            if sandboxOnly { try await acts.connectPhones() } else { try await acts.play() }
            if let evidence, let secrets { try await write(secrets, to: evidence) }
            if let sandbox {
                try await serve(sandbox, stage, elapsed: ContinuousClock.now - started)
            } else {
                await summary(stage, elapsed: ContinuousClock.now - started)
            }
            await appServer.withLock { $0 }?.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    /// The sandbox, until Ctrl-C.
    private func serve(_ parts: SandboxParts, _ stage: DemoStage, elapsed: Duration) async throws {
        let sandbox = try await DemoSandbox.make(
            stage, parts: parts, logger: logger)
        let services = ServiceGroup(services: sandbox.services, logger: logger)
        try await sandbox.closing { sandbox in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await services.run() }
                group.addTask {
                    let page = await sandbox.page
                    let faceLogin = face ? try await DemoFace.set(stage) : nil
                    if let faceLogin { await sandbox.world.offerFaceLogin(at: faceLogin.page) }
                    if installation.configuration.administration != nil {
                        let console = DemoConsole(installation)
                        let address = try ServerURL("http://127.0.0.1:\(await server.ports.port(.administration))")
                        await sandbox.world.offer(
                            SandboxWorld.Console(server: address) { try await console.signIn() })
                    }
                    await summary(stage, elapsed: elapsed, page: page, face: faceLogin)
                    try? await gracefulShutdown()
                }
                try await group.next()
                await services.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
    }

    /// Writes the inputs of a leak check: the secrets themselves, and the server's output about the run besides its
    /// logs and files.
    private func write(_ secrets: SecretsList, to directory: String) async throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var traces: [String] = []
        for trace in await story.traces {
            traces += try await installation.authority.traceEvents(trace).map { "\($0)" }
        }
        for (name, text) in [
            ("secrets.json", secrets.json.text), ("metrics.txt", metrics()),
            ("traces.txt", traces.joined(separator: "\n")),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
        }
    }

    private func summary(_ stage: DemoStage, elapsed: Duration, page: String? = nil, face: DemoFace? = nil) async {
        let terminal = Terminal()
        guard !json else {
            if let page {
                terminal.print(
                    JSON.object(["sandbox": .string(page), "face": face.map { .string($0.page) }]).text)
            }
            return
        }
        let lines = await story.lines
        let surprises = await story.surprises
        terminal.print()
        if !sandboxOnly {
            terminal.print(
                surprises == 0
                    ? terminal.styled("\(lines) requests, every one as stated.", .green, .bold)
                    : terminal.styled("\(lines) requests, \(surprises) ended otherwise than stated.", .red, .bold))
        }
        if let page {
            terminal.print()
            terminal.print(
                "\(terminal.styled("The sandbox is at", .bold)) \(terminal.styled(page, .bold, .cyan))"
                    + "  choose SIM, network and fault, use a shop, see every message")
            if sandbox?.isEnclosed == true {
                terminal.print(
                    "  It has no log-in: whoever reaches this port controls the console, its secrets and the phones.")
            }
        }
        if let face {
            terminal.print(
                "\(terminal.styled("Face login is at", .bold)) \(terminal.styled(face.page, .bold, .cyan))"
                    + "  this machine's browser has the number \(face.number.masked);")
            terminal.print("  \(DemoFace.weakness)")
        }
        terminal.print()
        terminal.print("What to try next:")
        if once {
            terminal.print(
                "  make demo                                   the same, then it stays up for you to play with")
        } else {
            let app = stage.casual
            let address = stage.phones[1].phone.address
            terminal.print("  in another terminal; the demo stays up:")
            if !sandboxOnly {
                terminal.print(
                    "    benji phone login --server \(stage.deviceURL.origin) --from \(address) --app \(app.id) "
                        + "--key \(app.key) --bundle \(app.bundleID)")
            }
            if let page, page != SandboxOptions.usual + "/" {
                terminal.print("    export BENJI_SANDBOX=\(page.dropLast())")
            }
            terminal.print(
                "    benji phone list                          the sandbox's phones; then set-network, set-fault, tap …"
            )
            terminal.print("    benji sandbox app                         connect your own app: id, key, redirect URIs")
            terminal.print(
                "    benji phone attach --gateway 127.0.0.1:\(stage.accountingPort) --from 127.0.1.1 --secret "
                    + "\(DemoStage.accountingSecret) --address 127.11.0.9 --number 13900000009 --imsi 460000000000009")
            let admin = await server.ports.port(.admin)
            terminal.print("    curl http://127.0.0.1:\(admin)/health/ready")
            terminal.print("    curl http://127.0.0.1:\(admin)/metrics")
        }
        if !self.face {
            terminal.print("  benji demo --face                           \(DemoFace.invitation)")
        }
        terminal.print("  benji explain 105018                        what any code means, and what to do")
        terminal.print("  benji serve --example                       a configuration to run the service with")
        if !once { terminal.print("\nServing. Ctrl-C ends it.") }
    }
}
