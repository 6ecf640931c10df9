#if Face
import ServerRuntime
import ServerHTTP
import ArgumentParser
import BenjiProtocol
import FaceEndpoints
import FaceMatching
import Hummingbird
import Logging
import Metrics
import ServiceLifecycle
import UnixSignals

struct FaceTryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try", abstract: "Serve a page on which to try the camera and the challenge.",
        discussion: """
            It listens on this machine only, because browsers open a camera for pages over TLS and for those of their \
            own machine. No
            account is needed; neither pictures nor results are kept.

            Example:
              benji face try
            """.paragraphs)

    @Option(help: "The port; 0 for any that is free.") var port = 8095
    @Option(help: "Frames that are looked at at a time; one core each.") var engines = 1
    @OptionGroup var thresholds: FacePolicyOption
    @OptionGroup var options: FaceOptions

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port: 0 to 65535") }
        guard (1...64).contains(engines) else { throw ValidationError("--engines: 1 to 64") }
    }

    func run() async throws {
        let analyzer = try await options.analyzer(policy: try thresholds.policy(), engines: engines)
        let random = SystemRandomSource()
        let challenges = FaceChallenges(
            analyzer: analyzer, policy: analyzer.policy, clock: SystemWallClock(), random: random)
        let routes = FaceTrialEndpoints(challenges: challenges, random: random).routes + FacePages().routes
        var logger = Logger(label: "benji")
        logger.logLevel = .warning
        let page = PublicServer.application(
            PublicServer.router("face", routes: routes), address: .hostname("127.0.0.1", port: port), logger: logger
        ) { port in
            let terminal = Terminal()
            terminal.print(
                "Open http://127.0.0.1:\(port ?? 0)\(FaceTrialEndpoints.Path.page.rawValue) in a browser. Stop with "
                    + "control C."
            )
        }
        let group = ServiceGroup(
            services: [page], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
        try await group.run()
    }
}
#endif
