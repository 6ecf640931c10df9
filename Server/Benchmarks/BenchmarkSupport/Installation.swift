import Foundation

/// A whole Benji in a folder of its own: its configuration, its apps and its process.
package final class Installation {
    package let device: UInt16
    package let server: UInt16
    package let accounting: UInt16
    /// Health and metrics.
    package let admin: UInt16
    package let configuration: String
    /// The data folder.
    package let data: String
    private let program: String
    private let log: String
    private var process: Child?

    /// The packet core that it listens to. Packets may come from 127.0.0.1 and announce addresses of 127.8/16.
    package static let secret = "secret-of-the-benchmark"
    /// The bundle id of its apps.
    package static let bundle = "com.example.benchmark"

    /// Where phones call.
    package var deviceURL: String { "http://127.0.0.1:\(device)" }

    /// Writes the configuration; ``start(core:)`` starts the server.
    /// - Parameter program: the server to run; the `benji` beside this program if `nil`.
    package init(in folder: String, program: String? = nil) throws {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/benji"
        self.program = program ?? beside
        guard FileManager.default.isExecutableFile(atPath: self.program) else {
            throw BenchmarkFailure("\(self.program) is missing: swift build -c release --product benji")
        }
        (device, server, admin) = (try Loopback.freePort(), try Loopback.freePort(), try Loopback.freePort())
        accounting = try Loopback.freePort(.datagram)
        configuration = folder + "/benji.yaml"
        data = folder + "/data"
        log = folder + "/benji.log"
        let settings = """
            data: \(data)
            log: {level: warning}
            listen:
              device: 127.0.0.1:\(device)
              server: 127.0.0.1:\(server)
              admin: 127.0.0.1:\(admin)
              accounting: 127.0.0.1:\(accounting)
            public: {urls: ["http://127.0.0.1:\(device)"]}
            nas:
              names: [pgw]
              pgw:
                sources: [127.0.0.1/32]
                secret: \(Self.secret)
                pools: [127.8.0.0/16]
                carrier: mobile
                interim: 86400
                rate: 10000000
            """
        try settings.write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    /// Begins the installation, which `benji app` does not do by itself.
    private func begin() throws {
        let child = try Child(program, ["init", "--config", configuration], log: log + ".init")
        try child.wait(for: "master key: ")
        child.stop()
    }

    /// Registers an app whose server may call from 127.0/16.
    /// - Returns: its id, the key for phones and the secret for its server.
    package func createApp() throws -> (id: String, key: String, serverSecret: String) {
        try begin()
        let said = log + ".app"
        let child = try Child(
            program,
            [
                "app", "create", "--config", configuration, "--name", "Benchmark", "--bundle", Self.bundle,
                "--server-address", "127.0.0.0/16", "--json",
            ], log: said)
        try child.wait { child.said.contains("}\n") }
        child.stop()
        struct App: Decodable {
            var id: String
            var key: String
            var serverSecret: String
        }
        let line = child.said.split(separator: "\n").first { $0.hasPrefix("{") } ?? ""
        guard let app = try? JSONDecoder().decode(App.self, from: Data(line.utf8)) else {
            throw BenchmarkFailure("no app could be made: \(child.said.suffix(400))")
        }
        return (app.id, app.key, app.serverSecret)
    }

    /// Starts the server on a core and waits until it is ready.
    package func start(core: Int?) throws {
        let child = try Child(program, ["serve", "--config", configuration], log: log, core: core)
        try child.wait { Loopback.get("/health/ready", port: admin)?.hasPrefix("HTTP/1.1 200") == true }
        process = child
    }

    /// Seconds of processor time that the server has used so far.
    package var processorTime: Double {
        get throws(BenchmarkFailure) {
            guard let process else { throw BenchmarkFailure("the server has not been started") }
            return try ProcessUsage.processorTime(of: process.process)
        }
    }

    /// The sum of a metric's samples whose labels contain `label`, such as `result="answered"`.
    package func metric(_ name: String, _ label: String = "") throws(BenchmarkFailure) -> Double {
        guard let page = Loopback.get("/metrics", port: admin) else { throw BenchmarkFailure("no metrics") }
        return page.split(whereSeparator: \.isNewline).filter {
            ($0.hasPrefix(name + "{") || $0.hasPrefix(name + " ")) && (label.isEmpty || $0.contains(label))
        }.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }
}
