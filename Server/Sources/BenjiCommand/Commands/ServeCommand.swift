import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import Logging
import ServerRuntime

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
            Terminal().print(ConfigurationKeys.serveExample)
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
        let start = ServerStart(configuration.process, describing: KnownMetrics.all)
        let logger = start.logger
        let server = try await ServerAssembly(configuration: configuration, metrics: start.metrics, logger: logger)
            .open()
        try await server.closing { server in
            if let installation = server.installation { Self.announce(installation, logger) }
            logger.notice("benji is starting", metadata: configuration.summary)
            let gateway = configuration.role == .authority ? [] : configuration.gateway.warnings
            for warning in configuration.warnings + gateway { logger.warning("\(warning)") }
            try await server.process.run(logger)
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
        var summary = process.summary
        if process.role != .gateway { summary["server"] = "\(server)" }
        if let clientTLS { summary["mtls"] = "\(clientTLS.address)" }
        if let administration { summary["administration"] = "\(administration.address)" }
        if let gatewayListener { summary["gateways"] = "\(gatewayListener)" }
        return process.role == .authority ? summary : summary.merging(gateway.summary) { $1 }
    }
}

extension ConfigurationKeys {
    /// The example file of `benji serve`.
    static let serveExample = server.exampleFile(
        """
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
        \(exampleFeed)
        """)
}
