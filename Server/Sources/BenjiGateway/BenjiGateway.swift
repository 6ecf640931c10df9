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
    @Flag(help: "Check everything that a start would refuse, without starting; status 1 if something is wrong.")
    var check = false

    func run() async throws {
        FreedMemory.keep()
        if example {
            Terminal().print(ConfigurationKeys.gatewayExample)
            return
        }
        let settings = try options.read(keys: .gatewayProgram)
        var process = try ProcessConfiguration(settings, role: .gateway, isOnly: true)
        process.options = options.named
        let gateway = try GatewaySettings(settings, process)
        try process.readLink(settings)
        try settings.refuseUnused()
        if let exposure = settings.exposure { process.warnings.append(exposure) }
        // No folder was named, so most likely a -c is missing.
        if process.dataOrigin == "the default", !FileManager.default.fileExists(atPath: process.absoluteDataDirectory) {
            throw CommandFailure(
                "there is no folder \(process.absoluteDataDirectory) (the default); name the configuration with -c, or "
                    + "the data directory with --data")
        }
        if check {
            for warning in process.warnings + gateway.warnings { Terminal.note("warning: \(warning)") }
            try await GatewayAssembly(
                gateway,
                process: ProcessAssembly(
                    configuration: process, metrics: { "" }, clock: SystemWallClock(), logger: Logger(label: "benji"))
            ).check()
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
}
