import ArgumentParser
import BenjiProtocol
import OpenIDProvider
import ServerRuntime

struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox", abstract: "Connect your own app to the sandbox that `benji demo` has started.",
        subcommands: [SandboxAppCommand.self])
}

struct SandboxAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "What your own app has to be told, and where it runs on this machine.",
        discussion: """
            The sandbox has registered an app for you. This prints its id, its key, the secret of its OpenID client \
            and the addresses
            to call. A redirect URI that you add may be answered to, and the phones' modems lead to its host.

            Examples:
              benji sandbox app
              benji sandbox app --add-redirect-uri http://localhost:8080/login/done
              benji sandbox app --add-host localhost:5173
              eval "$(benji sandbox app --shell)"      SANDBOX_APP, SANDBOX_SERVER_SECRET … for your scripts
            """.paragraphs)
    @OptionGroup var options: SandboxOptions
    @Option(help: "Add a redirect URI, to which the login page may answer. May be given several times.")
    var addRedirectURI: [String] = []
    @Option(help: "Remove this redirect URI. May be given several times.") var removeRedirectURI: [String] = []
    @Option(help: "Add a host that the phones' modems lead to, such as localhost:5173. May be given several times.")
    var addHost: [String] = []
    @Option(help: "Remove this host. May be given several times.") var removeHost: [String] = []
    @Flag(help: "Print variables for a shell.") var shell = false

    func validate() throws {
        guard !(shell && options.json) else { throw ValidationError("give --shell or --json, not both") }
    }

    func run() async throws {
        let client = try options.client
        var app = try await client.send("GET", "/api/app")
        func changed(_ name: String, add: [String], remove: [String]) throws -> JSON? {
            guard !add.isEmpty || !remove.isEmpty else { return nil }
            let before = (app[name]?.arrayValue ?? []).compactMap(\.stringValue)
            if let missing = remove.first(where: { !before.contains($0) }) {
                throw CommandFailure("\(missing) is not among them: \(before.joined(separator: ", "))")
            }
            return .array((before.filter { !remove.contains($0) } + add).map { .string($0) })
        }
        let change = JSON.object([
            "redirectURIs": try changed("redirectURIs", add: addRedirectURI, remove: removeRedirectURI),
            "hosts": try changed("hosts", add: addHost, remove: removeHost),
        ])
        if case .object(let members) = change, !members.isEmpty {
            app = try await client.send("PATCH", "/api/app", change)
        }
        show(app)
    }

    /// Names in the interface, in the shell, and for people.
    private static let lines = [
        ("id", "SANDBOX_APP", "app id"), ("key", "SANDBOX_KEY", "app key"),
        ("serverSecret", "SANDBOX_SERVER_SECRET", "server secret"), ("bundleId", "SANDBOX_BUNDLE", "bundle id"),
        ("clientSecret", "SANDBOX_CLIENT_SECRET", "client secret"), ("issuer", "SANDBOX_ISSUER", "issuer"),
        ("server", "SANDBOX_SERVER", "server API"), ("gateway", "SANDBOX_GATEWAY", "gateway"),
    ]

    private func show(_ app: JSON) {
        let terminal = Terminal()
        guard !options.json else {
            terminal.print(app.text)
            return
        }
        for (name, variable, words) in Self.lines {
            guard let value = app[name]?.stringValue else { continue }
            // Letters, digits and addresses: nothing that a shell reads otherwise between quotes.
            terminal.print(
                shell
                    ? "export \(variable)='\(value)'" : terminal.styled(Terminal.padded(words, to: 15), .cyan) + value)
        }
        guard !shell else { return }
        for (name, words) in [("redirectURIs", "redirect URI"), ("hosts", "host")] {
            for value in app[name]?.arrayValue ?? [] {
                terminal.print(
                    terminal.styled(Terminal.padded(words, to: 15), .cyan) + (value.stringValue ?? ""))
            }
        }
    }
}
