import ServerHTTP
import Testing

@testable import SandboxWeb

@Suite("Who may use the sandbox's page")
struct SandboxGuardTests {
    private func allows(
        host: String?, origin: String? = nil, site: String? = nil, isChange: Bool = true, isNavigation: Bool = false
    ) -> Bool {
        LoopbackCaller.problem(
            "the sandbox", host: host, origin: origin, site: site, isChange: isChange, isNavigation: isNavigation)
            == nil
    }

    @Test("the page itself and scripts of this machine may")
    func own() {
        #expect(allows(host: "127.0.0.1:8090", origin: "http://127.0.0.1:8090", site: "same-origin"))
        #expect(allows(host: "localhost:8090", origin: "http://localhost:8090", site: "same-origin"))
        #expect(allows(host: "127.0.0.1:8090"))
        #expect(allows(host: "192.0.2.7:8090"), "a phone on the same desk")
        #expect(allows(host: "127.0.0.1:8090", origin: "null", site: "same-origin"), "a form without script")
    }

    @Test(
        "under another name than localhost nobody is answered",
        arguments: [
            "evil.example:8090", "127.0.0.1.nip.io", "127.1", "2130706433", "", "[::1]:8090",
            "localhost:8090@evil.example", "127.0.0.1:foo.evil.example", "localhost:", "localhost:123456",
            "localhost:-1",
        ])
    func rebinding(host: String) {
        #expect(!allows(host: host, isChange: false))
        #expect(!allows(host: nil))
    }

    @Test("a page of another site, or of a phone's window, changes nothing")
    func otherSites() {
        #expect(!allows(host: "127.0.0.1:8090", origin: "http://evil.example", site: "cross-site"))
        #expect(!allows(host: "127.0.0.1:8090", origin: "http://127.0.0.1:9999", site: "same-site"))
        #expect(!allows(host: "127.0.0.1:8090", origin: "null"))
        #expect(!allows(host: "127.0.0.1:8090", origin: "null", site: "cross-site"))
        #expect(!allows(host: "127.0.0.1:8090", origin: "http://evil.example", site: "same-origin"))
        #expect(!allows(host: "127.0.0.1:8090", site: "cross-site"))
    }

    @Test("a page of another site may link to the page, and have nothing else of it")
    func links() {
        for site in ["cross-site", "same-site"] {
            #expect(!allows(host: "localhost:8090", site: site, isChange: false))
            #expect(allows(host: "localhost:8090", site: site, isChange: false, isNavigation: true))
        }
        #expect(allows(host: "localhost:8090", site: "same-origin", isChange: false))
        #expect(allows(host: "localhost:8090", site: "none", isChange: false))
    }

    @Test("nothing of the page may come from elsewhere, be inline, or stand in a frame")
    func policy() {
        let parts = SandboxGuard.policy.split(separator: ";").map { $0.drop { $0 == " " } }
        #expect(parts.contains("default-src 'none'"))
        #expect(parts.contains("frame-ancestors 'none'"))
        #expect(parts.contains("base-uri 'none'"))
        #expect(!SandboxGuard.policy.contains("unsafe") && !SandboxGuard.policy.contains("http"))
    }
}
