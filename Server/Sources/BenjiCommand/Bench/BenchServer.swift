import Authority
import BenjiClient
@_spi(Server) import BenjiProtocol
import Foundation
import Load
import RADIUS
import ServerRuntime
import Store

/// A `benji serve` of our own: another process, with its data in a temporary folder that is removed at the end.
///
/// Another process, so that its memory and processor time are its own and the generator's stay apart.
final class BenchServer {
    let target: LoadTarget
    /// The process, for callers that watch it.
    let process: Int32
    private let folder: String
    private var status: Int32?

    private static let secret = "bench-secret-of-the-packet-core"
    private static let bundle = "com.example.bench"

    /// Starts it and waits until it is ready.
    /// - Parameters:
    ///   - parent: where to make the folder, such as a disk whose durable writes are to be measured.
    ///   - pool: the addresses that phones get.
    static func start(in parent: String?, pool: IPPrefix) async throws -> BenchServer {
        let folder = "\(parent ?? NSTemporaryDirectory())/benji-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            let ports = try FreePorts.take(3) + FreePorts.take(1, isUDP: true)
            let text = configuration(folder: folder, ports: ports, pool: pool)
            let path = "\(folder)/benji.yaml"
            guard
                FileManager.default.createFile(
                    atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            else { throw CommandFailure("\(path) cannot be written") }
            let settings = try Settings(file: path, flags: [:], environment: [:], keys: .server)
            let app = try await Installation.use(try ServerConfiguration(settings), beginning: true) { installation in
                var registration = Apps.Registration(name: "Bench")
                registration.bundleIDs = [bundle]
                registration.serverAddresses = [DemoStage.appServerAddress]
                return try await installation.authority.apps.register(registration, by: .machineUser("app.create"))
            }
            guard let secret = SharedSecret(secret), let loopback = InternetAddress("127.0.0.1"),
                let source = InternetAddress(DemoStage.appServerAddress)
            else { throw CommandFailure("the bench's own addresses cannot be read") }
            let target = LoadTarget(
                device: try ServerURL("http://127.0.0.1:\(ports[0])"),
                server: try ServerURL("http://127.0.0.1:\(ports[1])"), accounting: (loopback, ports[3]),
                secret: secret, networkSource: loopback, appID: app.record.id, appKey: app.key.reveal(),
                serverSecret: app.serverSecret.reveal(),
                bundleID: bundle, appServer: source)
            let process = try spawn(["serve", "--config", path], log: "\(folder)/log.txt")
            let server = BenchServer(target: target, process: process, folder: folder)
            try await server.waitUntilReady(ports: ports[0...1])
            return server
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    private init(target: LoadTarget, process: Int32, folder: String) {
        self.target = target
        self.process = process
        self.folder = folder
    }

    /// Asks it to end, ends it when it does not within ten seconds, and removes its folder.
    func stop() async {
        kill(process, SIGTERM)
        for _ in 0..<1000 where isRunning { try? await Task.sleep(for: .milliseconds(10)) }
        if isRunning {
            kill(process, SIGKILL)
            while isRunning { usleep(1000) }
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var isRunning: Bool {
        if status == nil {
            var code: Int32 = 0
            if waitpid(process, &code, WNOHANG) != 0 { status = code }
        }
        return status == nil
    }

    private func waitUntilReady(ports: ArraySlice<UInt16>) async throws {
        for _ in 0..<600 {
            guard isRunning else { break }
            // The gateway's socket is bound before any of these.
            if ports.allSatisfy(FreePorts.isListening) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        let said = FileManager.default.contents(atPath: "\(folder)/log.txt") ?? Data()
        await stop()
        throw CommandFailure("benji serve did not start: \(String(decoding: said.suffix(600), as: UTF8.self))")
    }

    private static func configuration(folder: String, ports: [UInt16], pool: IPPrefix) -> String {
        """
        role: all
        data: \(folder)/data
        log: {level: error}
        listen:
          device: 127.0.0.1:\(ports[0])
          server: 127.0.0.1:\(ports[1])
          admin: 127.0.0.1:\(ports[2])
          accounting: 127.0.0.1:\(ports[3])
        public: {urls: ["http://127.0.0.1:\(ports[0])"]}
        nas:
          names: [bench]
          bench: {sources: [127.0.0.1/32], secret: \(secret), pools: [\(pool)], carrier: mobile, interim: 300}

        """
    }

    /// This program again, with its output in a file. `posix_spawn`, because Foundation's `Process` blocks signals in
    /// children, and this one is asked to end by one.
    private static func spawn(_ arguments: [String], log: String) throws -> Int32 {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let texts = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        // Its settings are in the file; a developer's own must not change a measurement.
        let variables =
            ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BENJI_") }
            .map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for variable in variables { free(variable) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, nil, texts, variables)
        guard code == 0 else {
            throw CommandFailure("\(program) cannot be started: \(String(cString: strerror(code)))")
        }
        return process
    }
}
