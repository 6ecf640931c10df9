import BenjiClient
import BenjiProtocol
import Testing

@testable import Sandbox
@testable import SandboxWeb

@Suite("A developer's own app in the sandbox")
struct OwnAppTests {
    let app = OwnApp(
        credentials: SandboxServers.AppCredentials(
            id: AppID(rawValue: "300000000001")!, key: "key", bundleID: "com.example.yours"),
        clientSecret: "secret", serverSecret: "server secret", server: try! ServerURL("http://127.0.0.1:9000"),
        redirectURIs: ["http://localhost:3000/callback"])

    @Test("phones reach the hosts of redirect URIs and those that are named, each once")
    func origins() throws {
        let changed = try app.changed(
            OwnApp.Change(
                redirectURIs: ["http://localhost:3000/a", "http://localhost:3000/b", "https://shop.example/done"],
                hosts: ["127.0.0.1:5173", "localhost:3000"]))
        #expect(changed.origins.map(\.origin) == ["http://localhost:3000", "http://127.0.0.1:5173"])
    }

    @Test("a change keeps what it does not name")
    func keeping() throws {
        let changed = try app.changed(OwnApp.Change(hosts: ["localhost:5173"]))
        #expect(changed.redirectURIs == app.redirectURIs && changed.clientSecret == app.clientSecret)
        #expect(try changed.changed(OwnApp.Change()).hosts == ["localhost:5173"])
    }

    /// A naive check: it only looks whether a port is given.
    private func naive(_ host: String) -> Bool { host.contains(":") }

    @Test(
        "only this machine is let through",
        arguments: [
            "example.com:80", "10.0.0.1:80", "localhost.example:80", "user@localhost:80", "localhost:80/x", "[::1]:80",
        ])
    func elsewhere(host: String) {
        #expect(throws: SandboxWorld.Problem.self) { try app.changed(OwnApp.Change(hosts: [host])) }
        #expect(naive(host), "the naive check falls")
    }

    @Test(
        "a host without a port, and lists that are too long or empty, are refused", arguments: ["localhost", "", ":80"])
    func malformed(host: String) {
        #expect(throws: SandboxWorld.Problem.self) { try app.changed(OwnApp.Change(hosts: [host])) }
        #expect(throws: SandboxWorld.Problem.self) { try app.changed(OwnApp.Change(redirectURIs: [])) }
        #expect(throws: SandboxWorld.Problem.self) {
            try app.changed(OwnApp.Change(hosts: (1...9).map { "localhost:300\($0)" }))
        }
    }

    @Test("a form's lines are read without spaces and empty ones")
    func lines() {
        #expect(SandboxPages.lines(" http://a/b \r\n\n\tc\n") == ["http://a/b", "c"])
        #expect(SandboxPages.lines(nil) == nil && SandboxPages.lines("")?.isEmpty == true)
    }
}
