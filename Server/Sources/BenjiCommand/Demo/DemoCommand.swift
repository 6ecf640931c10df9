internal import ArgumentParser
internal import BenjiProtocol
internal import Foundation
internal import Logging
internal import Metrics
internal import Sandbox
internal import ServiceLifecycle
internal import UnixSignals

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Watch three phones log in by their own numbers, on this machine, without a SIM.",
        discussion: """
            Starts a real server, three virtual packet cores that speak RADIUS, three virtual phones with the real SDK engine, and an
            example app server, all on loopback. Each line is the outcome of a request that crossed a socket. Then it goes on
            serving for you to try things; Ctrl-C ends it. With --once it leaves after the run, with status 1 if a line
            ended otherwise than stated.
            """)

    @Flag(help: "Leave when the run is over; status 1 if any line ended otherwise than stated.") var once = false
    @Flag(help: "One JSON object a line.") var json = false
    @Option(help: "Keep the data here instead of in a temporary directory that is deleted at the end.") var data: String?
    @Option(help: "Port for phones; 0 lets the system choose.") var devicePort: UInt16 = 0
    @Option(help: "Port for app servers; 0 lets the system choose.") var serverPort: UInt16 = 0
    @Option(help: "Port for health and metrics; 0 lets the system choose.") var adminPort: UInt16 = 0
    @Option(help: "Port for RADIUS accounting; 0 lets the system choose.") var accountingPort: UInt16 = 0
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
        let metrics: @Sendable () -> String = { "" }
        let configuration = try DemoStage.configuration(
            dataDirectory: directory, ports: (devicePort, serverPort, adminPort, accountingPort))
        let installation = try await Installation.open(configuration, logger: logger)
        let assembly = try await ServerAssembly.make(installation, metrics: metrics, logger: logger)
        let story = DemoStory(terminal: Terminal(), isJSON: json)
        let play = DemoPlay(
            assembly: assembly, story: story, once: once, json: json, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: assembly.services.map {
                    ServiceGroupConfiguration.ServiceConfiguration(service: $0)
                } + [
                    // The play is a service like the others: when it is over, everything else is shut down in order.
                    ServiceGroupConfiguration.ServiceConfiguration(
                        service: play, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup)
                ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        do {
            try await group.run()
        } catch {
            await installation.close()
            throw error
        }
        await installation.close()
        let (surprises, lines) = (await story.surprises, await story.lines)
        if surprises > 0 || lines == 0 { throw ExitCode(1) }
    }
}

/// The demo's run, as a service beside the server's.
struct DemoPlay: Service {
    let assembly: ServerAssembly
    let story: DemoStory
    let once: Bool
    let json: Bool
    let logger: Logger

    func run() async throws {
        let appServerPort = BoundPorts()
        let started = ContinuousClock.now
        let (servers, continuation) = AsyncStream.makeStream(of: ExampleAppServer.self)
        let logger = logger
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await server in servers { try await server.run() }
            }
            let stage = try await DemoStage.set(
                assembly, appServerPort: { await appServerPort.port(.server) },
                startAppServer: { server in
                    continuation.yield(server)
                    continuation.finish()
                }, onAppServerListening: { await appServerPort.set(.server, $0) }, logger: logger)
            if !json {
                Terminal().print(
                    Terminal().styled("Benji 本机", .bold) + "  a phone proves its own number: one tap, no SMS, here without a SIM")
            }
            try await DemoActs(stage: stage, story: story).play()
            await summary(stage, elapsed: ContinuousClock.now - started)
            if !once {
                try? await gracefulShutdown()
            }
            group.cancelAll()
            // What is cancelled here is the app server, whose end is no news.
            while let _ = await group.nextResult() {}
        }
    }

    private func summary(_ stage: DemoStage, elapsed: Duration) async {
        guard !json else { return }
        let terminal = Terminal()
        let lines = await story.lines
        let surprises = await story.surprises
        terminal.print()
        terminal.print(
            surprises == 0
                ? terminal.styled("\(lines) requests, every one as stated.", .green, .bold)
                : terminal.styled("\(lines) requests, \(surprises) ended otherwise than stated.", .red, .bold))
        terminal.print()
        terminal.print("What to try next:")
        if once {
            terminal.print("  make demo                                   the same, then it stays up for you to play with")
        } else {
            let app = stage.casual
            let address = stage.places[2].phone.address
            terminal.print("  in another terminal, be phone 3 (the demo stays up; its binary is Server/.build/debug/benji):")
            terminal.print(
                "    benji phone login --server \(stage.deviceURL) --from \(address) --app \(app.id) --key \(app.key) "
                    + "--bundle \(app.bundleID)")
            terminal.print(
                "    benji phone attach --gateway 127.0.0.1:\(stage.accountingPort) --from 127.0.1.1 --secret "
                    + "\(DemoStage.accountingSecret) --address 127.11.0.9 --number 13900000009 --imsi 460000000000009")
            let admin = await assembly.ports.port(.admin)
            terminal.print("    curl http://127.0.0.1:\(admin)/health/ready")
            terminal.print("    curl http://127.0.0.1:\(admin)/metrics")
        }
        terminal.print("  benji explain 103810                        what any code means, and what to do")
        terminal.print("  benji serve --example                       a configuration to run the service with")
        if !once { terminal.print("\nServing. Ctrl-C ends it.") }
    }
}
