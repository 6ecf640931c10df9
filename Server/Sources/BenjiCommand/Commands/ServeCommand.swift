internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Metrics
internal import PrometheusMetrics
internal import ServiceLifecycle
internal import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the service.",
        discussion: """
            Settings come from a YAML file, from the environment (nas.pgw.secret is BENJI_NAS_PGW_SECRET) and from --set; later ones win.
            `benji serve --example` prints a file with every setting explained; `benji doctor` checks an installation before it runs.
            Stop it with SIGTERM or Ctrl-C: requests under way are finished first.
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print an example configuration with every setting explained, and leave.") var example = false
    @Flag(help: "Read and check the configuration, and leave.") var check = false

    func run() async throws {
        if example {
            Terminal().print(ConfigurationKeys.exampleFile)
            return
        }
        let configuration = try await options.load()
        if check {
            Terminal().print("the configuration is good")
            return
        }
        let factory = PrometheusMetricsFactory()
        MetricsSystem.bootstrap(factory)
        var logger = Logger(label: "benji")
        logger.logLevel = configuration.logLevel
        let assembly = try await ServerAssembly.open(configuration, metrics: { factory.render() }, logger: logger)
        do {
            logger.notice("benji is starting", metadata: configuration.summary)
            if configuration.role != .authority, configuration.networkElements.isEmpty {
                logger.warning("no NAS is configured, so no phone can be recognised; see nas.names")
            }
            if configuration.role != .authority, configuration.publicURLs.isEmpty {
                logger.warning(
                    "public.urls is not set: the Host header decides what proofs must name; set it in production")
            }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: assembly.services.map {
                        ServiceGroupConfiguration.ServiceConfiguration(
                            service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                            failureTerminationBehavior: .gracefullyShutdownGroup)
                    }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
            try await group.run()
            await assembly.close()
            logger.notice("benji has stopped")
        } catch {
            await assembly.close()
            throw error
        }
    }
}

extension ServerConfiguration {
    /// What the role listens on, for the first line of the log.
    fileprivate var summary: Logger.Metadata {
        var summary: Logger.Metadata = ["role": "\(role.rawValue)", "admin": "\(admin)"]
        if role != .gateway { summary["server"] = "\(server)" }
        if let gatewayListener { summary["gateways"] = "\(gatewayListener)" }
        if role != .authority {
            summary["device"] = "\(device)"
            summary["accounting"] = "\(accounting)"
            summary["nas"] = "\(networkElements.count)"
        }
        return summary
    }
}

extension ConfigurationKeys {
    /// A commented file in which the required settings stand ready and the others wait behind a #.
    static var exampleFile: String {
        """
        # Benji's configuration. Every setting is explained; those behind a # show their default or an example.
        # The same settings can come from the environment: nas.pgw.secret is BENJI_NAS_PGW_SECRET.

        role: all
        data: ./benji-data
        listen:
          device: 127.0.0.1:8080      # where phones call, on the carrier's side
          server: 127.0.0.1:8081      # where apps' servers call
          admin: 127.0.0.1:8082       # health and metrics; keep it inside
          accounting: 127.0.0.1:1813  # where RADIUS accounting arrives (UDP)
        # public: {urls: ["https://gw.example"]}
        # tls: {certificate: cert.pem, key: key.pem}
        gateway: {name: gateway-1, domain: default, grace: 30}
        nas:
          names: [pgw]
          pgw:
            sources: [127.0.0.1/32]   # addresses that its packets come from
            secret: \(exampleSecret)
            pools: [127.8.0.0/16]     # addresses that it may announce
            carrier: mobile
            interim: 300

        # All settings:
        \(all.map { "#   \(Terminal.padded($0.name, to: 26))\($0.meaning) (\($0.example))" }.joined(separator: "\n"))
        """
    }
}
