import Foundation
import Glibc

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
    private let program: BenjiProgram
    private let log: String
    /// The server's process.
    package let group = ProcessGroup()

    /// The packet core that it listens to. Packets may come from 127.0.0.1 and announce addresses of 127.8/16.
    package static let secret = "secret-of-the-benchmark"
    /// The bundle id of its apps.
    package static let bundle = "com.example.benchmark"

    /// How a gateway is told of that packet core.
    package static let nas =
        """
        nas: {names: [pgw], pgw: {sources: [127.0.0.1/32], secret: \(secret), pools: [127.8.0.0/16], carrier: mobile, \
        interim: 86400, rate: 10000000}}
        """

    /// Where phones call, and where apps' servers do.
    package var deviceURL: String { "\(scheme)://127.0.0.1:\(device)" }
    package var serverURL: String { "\(scheme)://127.0.0.1:\(server)" }
    private let scheme: String
    /// The file with the certificate of both, which is its own authority; `nil` without TLS.
    package let certificate: String?

    /// Writes the configuration; ``start(core:)`` starts the server.
    /// - Parameters:
    ///   - program: the server to run; the `benji` beside this program if `nil`.
    ///   - speaksTLS: whether phones and apps' servers call over TLS, with a certificate made here by openssl.
    ///   - speaksOpenID: whether it is an OpenID provider, with its own addresses.
    ///   - more: lines of YAML that the configuration has besides.
    package init(
        in folder: String, program: String? = nil, speaksTLS: Bool = false, speaksOpenID: Bool = false,
        more: String = ""
    ) throws {
        self.program = try BenjiProgram(program)
        (device, server, admin) = (try Loopback.freePort(), try Loopback.freePort(), try Loopback.freePort())
        accounting = try Loopback.freeDatagramPort()
        configuration = folder + "/benji.yaml"
        data = folder + "/data"
        log = folder + "/benji.log"
        scheme = speaksTLS ? "https" : "http"
        certificate = speaksTLS ? try Self.makeCertificate(in: folder) : nil
        // Kept connections wait while others are measured.
        let tls =
            certificate.map { "tls: {certificate: \($0), key: \($0).key}\nlimits: {idle-timeout: 3600}" } ?? ""
        let settings = """
            data: \(data)
            listen:
              device: 127.0.0.1:\(device)
              server: 127.0.0.1:\(server)
              admin: 127.0.0.1:\(admin)
              accounting: 127.0.0.1:\(accounting)
            public: {urls: ["\(scheme)://127.0.0.1:\(device)"]}
            \(tls)
            \(speaksOpenID ? "openid: {issuer: \"\(scheme)://127.0.0.1:\(server)\"}" : "")
            \(Self.nas)
            \(more)
            """
        try settings.write(toFile: configuration, atomically: true, encoding: .utf8)
    }

    /// A certificate for 127.0.0.1 with a key on P-256, which is in a file of the same name with `.key` added.
    private static func makeCertificate(in folder: String) throws -> String {
        let file = folder + "/tls.pem"
        let openssl = try Child(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=benchmark", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", file + ".key", "-out", file,
            ], log: folder + "/openssl.log")
        while openssl.isRunning { usleep(5_000) }
        guard openssl.stop() else { throw BenchmarkFailure("openssl made no certificate: \(openssl.said.suffix(300))") }
        return file
    }

    /// Begins the installation and registers an app whose server may call from 127.0/16.
    /// - Returns: its id, the key for phones and the secret for its server.
    package func createApp() throws -> (id: String, key: String, serverSecret: String) {
        try program.createApp(configuration, log: log)
    }

    /// Registers where an app is told of its logins.
    package func setCallback(of app: String, to url: String) throws {
        _ = try order(["app", "callback", "set", app, "--config", configuration, "--url", url])
    }

    /// Registers who publishes an app, so that its phones may have keys of App Attest.
    package func setAppleTeam(of app: String, to team: String) throws {
        _ = try order(["app", "set", app, "--config", configuration, "--apple-team", team])
    }

    /// Registers an app as a client of OpenID Connect, without PKCE.
    /// - Returns: its secret.
    package func setOpenID(of app: String, redirectURI: String) throws -> String {
        let page = configuration + ".page.json"
        _ = try order(["page", "new", "--out", page])
        let said = try order([
            "app", "openid", "set", app, "--config", configuration, "--redirect-uri", redirectURI, "--page", page,
            "--no-pkce", "--json",
        ])
        struct Client: Decodable {
            var secret: String
            enum CodingKeys: String, CodingKey { case secret = "client_secret" }
        }
        let line = said.split(separator: "\n").first { $0.hasPrefix("{") } ?? ""
        guard let client = try? JSONDecoder().decode(Client.self, from: Data(line.utf8)) else {
            throw BenchmarkFailure("no client was made: \(said.suffix(400))")
        }
        return client.secret
    }

    /// Gives an order by the program, and waits for its end.
    /// - Returns: what it said.
    private func order(_ arguments: [String]) throws -> String {
        let order = try Child(program.path, arguments, log: log + ".order")
        while order.isRunning { usleep(5_000) }
        guard order.stop() else {
            throw BenchmarkFailure("benji \(arguments.prefix(3).joined(separator: " ")): \(order.said.suffix(300))")
        }
        return order.said
    }

    /// Starts the server on a core and waits until it is ready.
    /// - Parameter tracing: see ``ProcessGroup``.
    package func start(core: Int?, tracing: String? = nil) throws {
        let child = try group.start(
            program.path, ["serve", "--config", configuration], log: log, core: core, tracing: tracing)
        try child.wait { Loopback.get("/health/ready", port: admin)?.hasPrefix("HTTP/1.1 200") == true }
    }

    /// Whether the server runs, and the last lines of its log, for reports of a failure.
    package var state: String {
        let log = String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
        return "the server \(group.processes.isEmpty ? "has ended" : "runs"), its log ends: …\(log.suffix(600))"
    }

    /// Seconds of processor time that the server has used so far.
    package var processorTime: Double {
        get throws(BenchmarkFailure) { try group.processorTime }
    }

    /// The sum of a metric's samples whose labels contain `label`, such as `result="answered"`.
    package func metric(_ name: String, _ label: String = "") throws(BenchmarkFailure) -> Double {
        guard let page = Loopback.get("/metrics", port: admin) else { throw BenchmarkFailure("no metrics") }
        return page.split(whereSeparator: \.isNewline).filter {
            ($0.hasPrefix(name + "{") || $0.hasPrefix(name + " ")) && (label.isEmpty || $0.contains(label))
        }.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }
}
