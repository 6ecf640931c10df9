import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import Logging
import Metrics
import PrometheusMetrics
import ServiceLifecycle
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the service.",
        discussion: """
            Settings come from a YAML file, from the environment (nas.pgw.secret is BENJI_NAS_PGW_SECRET) and from \
            --set; later ones win.
            `benji serve --example` prints a file with every setting explained; `benji doctor` checks an installation \
            before it runs.
            Stop it with SIGTERM or Ctrl-C: requests under way are finished first. SIGHUP reads the certificates again.
            """.paragraphs)

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print an example configuration with every setting explained, and leave.") var example = false
    @Flag(help: "Check everything that a start would refuse, without starting; status 1 if something is wrong.")
    var check = false

    func run() async throws {
        FreedMemory.keep()
        if example {
            Terminal().print(ConfigurationKeys.exampleFile)
            return
        }
        // A server continues without a reader of its log. `--check` only prints, and ends then as other programs do.
        if !check { signal(SIGPIPE, SIG_IGN) }
        let configuration = try await options.load()
        // No folder was named, so most likely a -c is missing.
        if configuration.dataOrigin == "the default",
            !FileManager.default.fileExists(atPath: configuration.absoluteDataDirectory)
        {
            throw configuration.noInstallation
        }
        if check {
            try await Self.check(configuration)
            return
        }
        let factory = PrometheusMetricsFactory(describing: KnownMetrics.all)
        MetricsSystem.bootstrap(factory)
        switch configuration.logFormat {
        case .json: LoggingSystem.bootstrap { _ in JSONLogHandler() }
        case .text: LoggingSystem.bootstrap { TextLogHandler(label: $0) }
        }
        // However it ends, but for a crash.
        atexit { LogOutput.standardError.flush() }
        let log = Logger(label: "benji")
        LogOutput.standardError.whenLeftOut { count in
            log.warning(
                "lines of the log were left out here, because nothing read it", metadata: ["lines": "\(count)"])
        }
        var logger = Logger(label: "benji")
        logger.logLevel = configuration.logLevel
        let server = try await ServerAssembly(
            configuration: configuration, metrics: { factory.render() }, logger: logger
        ).open()
        try await server.closing { server in
            if let installation = server.installation { Self.announce(installation, logger) }
            logger.notice("benji is starting", metadata: configuration.summary)
            for warning in configuration.warnings { logger.warning("\(warning)") }
            server.certificates.announce()
            if configuration.role != .authority, configuration.networkElements.isEmpty {
                logger.warning("no NAS is configured, so no phone can be recognised; see nas.names")
            }
            if configuration.role != .authority, configuration.publicURLs.isEmpty {
                logger.warning(
                    "public.urls is not set: the Host header decides what proofs must name; set it in production")
            }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: ([server.certificates] + server.services).map {
                        ServiceGroupConfiguration.ServiceConfiguration(
                            service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                            failureTerminationBehavior: .gracefullyShutdownGroup)
                    }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
            try await group.run()
        }
        logger.notice("benji has stopped")
    }
}

extension ServeCommand {
    /// Says that a new installation was made, in case an existing one was meant.
    private static func announce(_ installation: Installation, _ logger: Logger) {
        guard installation.isNew || installation.newKey != nil else { return }
        let source = installation.vault.keeper?.name ?? MasterKeySource.variable
        let key = installation.newKey.map { _ in
            "a new master key; back it up, apart from the database: without it the database is lost"
        }
        logger.notice(
            "a new installation was begun, with \(key ?? "the key of \(source)")",
            metadata: [
                "data": "\(installation.configuration.absoluteDataDirectory)",
                "from": "\(installation.configuration.dataOrigin)",
                "master-key": "\(installation.newKey ?? source)",
            ])
    }

    /// Everything that a start would refuse except taken ports, because the server that has them may be this one's
    /// predecessor. Changes nothing.
    private static func check(_ configuration: ServerConfiguration) async throws {
        var findings = [
            DoctorCommand.Finding(
                subject: "configuration", verdict: .good,
                text: "read, role \(configuration.role.rawValue), \(configuration.networkElements.count) nas")
        ]
        findings += DoctorCommand.exposed(configuration).map { exposed in
            var exposed = exposed
            exposed.verdict = .warning
            return exposed
        }
        let keys = DoctorCommand.findKeys(configuration)
        findings += await DoctorCommand.examineFiles(configuration, keys) + DoctorCommand.examine(configuration)
        findings += await DoctorCommand.examineStore(configuration, keys, serving: true)
        for finding in findings { finding.print() }
        guard !findings.contains(where: { $0.verdict == .wrong }) else {
            throw CommandFailure("benji serve would not start, or nobody could use it; see what is marked BAD")
        }
        Terminal().print("the configuration is good; ports were not tried, benji doctor does that")
    }
}

extension ServerConfiguration {
    /// The role's listeners, for the first line of the log.
    fileprivate var summary: Logger.Metadata {
        var summary: Logger.Metadata = [
            "role": "\(role.rawValue)", "admin": "\(admin)", "data": "\(absoluteDataDirectory)",
        ]
        if role != .gateway { summary["server"] = "\(server)" }
        if let clientTLS { summary["mtls"] = "\(clientTLS.address)" }
        if let administration { summary["administration"] = "\(administration.address)" }
        if let gatewayListener { summary["gateways"] = "\(gatewayListener)" }
        if role != .authority {
            summary["device"] = "\(device)"
            summary["accounting"] = "\(accounting)"
            if let radSec { summary["radsec"] = "\(radSec.address)" }
            summary["nas"] = "\(networkElements.count)"
        }
        return summary
    }
}

extension ConfigurationKeys {
    /// A commented file in which the required settings stand ready and the others wait behind a #.
    static var exampleFile: String {
        let widest = all.map { Terminal.width($0.name) }.max() ?? 0
        let settings = all.map { "#   \(Terminal.padded($0.name, to: widest + 2))\($0.explanation) (\($0.example))" }
        return """
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
            gateway: {name: gateway-1, domain: default}
            nas:
              names: [pgw]
              pgw:
                sources: [127.0.0.1/32]   # addresses that its packets come from
                secret: \(exampleSecret)
                pools: [127.8.0.0/16]     # addresses that it may announce
                carrier: mobile
                interim: 300

            # All settings:
            \(settings.joined(separator: "\n"))
            """
    }
}
