// The program `benji-gateway`: the role *gateway* of `benji serve` alone, without the code of an authority. Everything
// else is in `ServerRuntime`.
import ArgumentParser
import BenjiProtocol
import Foundation
import Logging
import Requests
import ServerRuntime

/// The command `benji-gateway`.
@main
struct BenjiGateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benji-gateway", abstract: "Run a gateway, whose authority is another process.",
        discussion: """
            It does what `benji serve` does in the role gateway, and takes the same configuration. It has no database, \
            no keys and no numbers, and none of the code for them.
            Settings come from a YAML file, from the environment (nas.pgw.secret is BENJI_NAS_PGW_SECRET) and from \
            --set; later ones win.
            Stop it with SIGTERM or Ctrl-C: requests under way are finished first. SIGHUP reads the certificates again.
            """.paragraphs,
        version: ServerRelease.version)

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print an example configuration with every setting explained, and leave.") var example = false
    @Flag(help: "Read the configuration and its certificates, and leave; status 1 if something is wrong.")
    var check = false

    func run() async throws {
        FreedMemory.keep()
        if example {
            Terminal().print(ConfigurationKeys.gatewayProgram.exampleFile(Self.required))
            return
        }
        let settings = try options.read(keys: .gatewayProgram)
        var process = try ProcessConfiguration(settings, role: .gateway)
        process.options = options.named
        guard process.role == .gateway else {
            throw ConfigurationError(
                key: "role",
                problem: "is \(process.role.rawValue), and this program is the gateway alone; start benji serve with "
                    + "this configuration")
        }
        let gateway = try GatewaySettings(settings, process)
        try settings.refuseUnused()
        if let exposure = settings.exposure { process.warnings.append(exposure) }
        if check {
            try GatewayAssembly.check(gateway, process)
            Terminal().print("the configuration is good; ports were not tried")
            return
        }
        // A gateway continues without a reader of its log.
        signal(SIGPIPE, SIG_IGN)
        let start = ServerStart(process, describing: KnownMetrics.gateway)
        let logger = start.logger
        let server = try await GatewayAssembly(
            gateway,
            process: ProcessAssembly(
                configuration: process, metrics: start.metrics, clock: SystemWallClock(), logger: logger)
        ).open()
        logger.notice(
            "benji is starting", metadata: process.summary.merging(gateway.summary) { $1 })
        for warning in process.warnings + gateway.warnings { logger.warning("\(warning)") }
        try await server.run(logger)
        logger.notice("benji has stopped")
    }

    static func main() async {
        do { try await run(try parseAsRoot()) } catch { end(error) }
    }

    private static let required = """
        role: gateway
        data: ./benji-data
        listen:
          device: 127.0.0.1:8080      # where phones call, on the carrier's side
          admin: 127.0.0.1:8082       # health and metrics; keep it inside
          accounting: 127.0.0.1:1813  # where RADIUS accounting arrives (UDP)
        authority: {url: "https://authority.internal:8083"}
        mutual-tls: {certificate: gateway-1.pem, key: gateway-1.key, authority: link-ca.pem}
        # public: {urls: ["https://gw.example"]}
        # tls: {certificate: cert.pem, key: key.pem}
        gateway: {name: gateway-1, domain: default}
        \(ConfigurationKeys.exampleFeed)
        """
}
