import Foundation

/// The program that is measured, and the orders that begin an installation.
package struct BenjiProgram: Sendable {
    package let path: String

    /// - Parameter path: the server to run; the `benji` beside this program if `nil`.
    package init(_ path: String? = nil) throws(BenchmarkFailure) {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/benji"
        self.path = path ?? beside
        guard FileManager.default.isExecutableFile(atPath: self.path) else {
            throw BenchmarkFailure("\(self.path) is missing: swift build -c release --product benji")
        }
    }

    /// Begins the installation of a configuration, and registers an app whose server may call from 127.0/16.
    /// - Parameter log: where the commands' outputs go, with `.init` and `.app` added.
    /// - Returns: the app's id, the key for phones and the secret for its server.
    package func createApp(_ configuration: String, log: String) throws -> (
        id: String, key: String, serverSecret: String
    ) {
        // `benji app` does not do this by itself.
        let beginning = try Child(path, ["init", "--config", configuration], log: log + ".init")
        try beginning.wait(for: "master key: ")
        beginning.stop()
        let child = try Child(
            path,
            [
                "app", "create", "--config", configuration, "--name", "Benchmark", "--bundle", Installation.bundle,
                "--server-address", "127.0.0.0/16", "--json",
            ], log: log + ".app")
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
}
