import BenjiClient
import Testing

@testable import Sandbox

@Suite("Where a modem lets traffic go")
struct ModemRulesTests {
    let shop = try! ServerURL("http://127.0.0.1:8080")
    let pages = try! ServerURL("http://127.0.0.1:8081")
    var proxy: ModemRules { ModemRules(port: .proxy, reachable: [shop, pages]) }

    private func decide(_ rules: ModemRules, _ target: String) -> ModemRules.Decision {
        rules.decide(ModemRequest(method: "GET", target: target))
    }

    @Test("a proxy carries absolute addresses of the sandbox's own servers")
    func own() throws {
        #expect(
            decide(proxy, "http://127.0.0.1:8080/cart?x=1") == .forward(try ServerURL("http://127.0.0.1:8080/cart?x=1"))
        )
        #expect(throws: Never.self) { try proxy.tunnel("127.0.0.1:8081").get() }
    }

    /// A naive proxy: it connects to any address that it is given.
    private func naive(_ target: String) -> Bool { (try? ServerURL(target)) != nil }

    @Test(
        "a proxy leads nowhere else: no other host, port, scheme or name for this machine",
        arguments: [
            "http://example.com/", "http://127.0.0.1:22/", "http://127.0.0.1/", "https://127.0.0.1:8080/",
            "http://localhost:8080/", "http://[::1]:8080/", "http://127.0.0.2:8080/", "http://169.254.169.254/latest",
        ])
    func elsewhere(target: String) {
        guard case .refuse(403, _) = decide(proxy, target) else {
            Issue.record("\(target) was let through")
            return
        }
        #expect(naive(target), "the naive proxy falls")
    }

    @Test("a tunnel leads nowhere else either", arguments: ["example.com:443", "127.0.0.1:22", "127.0.0.1:8080/x", ""])
    func tunnels(target: String) { #expect(throws: ModemRules.Refusal.self) { try proxy.tunnel(target).get() } }

    @Test("what speaks to the proxy's port without meaning a proxy is told so")
    func originForm() {
        guard case .refuse(400, let words) = decide(proxy, "/") else {
            Issue.record("a page of another site could use the modem")
            return
        }
        #expect(words.contains("proxy"))
    }

    @Test("a window shows one server, and is no proxy")
    func window() throws {
        let window = ModemRules(port: .window(shop), reachable: [shop, pages])
        #expect(decide(window, "/cart") == .forward(try ServerURL("http://127.0.0.1:8080/cart")))
        #expect(decide(window, "//example.com/") != .forward(try ServerURL("http://example.com/")))
        guard case .refuse(400, _) = decide(window, "http://127.0.0.1:8081/") else {
            Issue.record("a window led to another server")
            return
        }
        #expect(throws: ModemRules.Refusal.self) { try window.tunnel("127.0.0.1:8080").get() }
    }
}
