import BenjiClient
import BenjiProtocol
import Testing

@testable import Sandbox

@Suite("A phone's windows by name")
struct WindowLabelTests {
    @Test(
        "each name leads to one window of one phone, and is read back from the origin that a browser is given",
        arguments: [
            ("phone-1.localhost:8090", WindowLabel("phone-1", .shop, port: ":8090")),
            ("login.phone-12.localhost", WindowLabel("phone-12", .pages, port: "")),
            ("frame.phone-2.localhost:1", WindowLabel("phone-2", .framedShop, port: ":1")),
            ("frame-login.phone-2.localhost:1", WindowLabel("phone-2", .framedPages, port: ":1")),
            ("own-3.phone-2.localhost:1", WindowLabel("phone-2", .own(3), port: ":1")),
        ])
    func names(_ host: String, _ label: WindowLabel) {
        #expect(WindowLabel(host: host) == label)
        #expect(WindowLabel(host: host.uppercased()) == label)
        #expect(label.origin == "http://\(host)")
    }

    @Test(
        "other names are none",
        arguments: [
            "localhost:8090", "127.0.0.1:8090", "phone-1.example", "phone-1.localhost.example", "login.localhost",
            "x.phone-1.localhost", ".phone-1.localhost", "own-0.phone-1.localhost", "own-01.phone-1.localhost",
            "login.login.phone-1.localhost", "", "login..localhost", "phone-1.localhost:@evil.example",
            "phone-1.localhost:8090@evil.example", "phone-1.localhost:", "phone-1.localhost:123456",
        ])
    func others(_ host: String) { #expect(WindowLabel(host: host) == nil) }

    @Test("a caller is given addresses on the page's port, unless it reaches the other ports by 127.0.0.1")
    func onOnePort() throws {
        func servers(pages: String) throws -> SandboxServers {
            SandboxServers(
                pages: try ServerURL("http://127.0.0.1:8080"),
                provider: SandboxServers.Provider(issuer: "http://localhost:8090/server", pages: pages),
                shop: try ServerURL("http://127.0.0.1:3000"),
                app: SandboxServers.AppCredentials(
                    id: try #require(AppID(rawValue: "300000000001")), key: "", bundleID: ""))
        }
        let open = try servers(pages: "http://127.0.0.1:8080")
        let enclosed = try servers(pages: "http://login.phone-1.localhost:8090")
        #expect(!open.isEnclosed && !open.areOnOnePort("http://127.0.0.1:8090") && !open.areOnOnePort(""))
        #expect(open.areOnOnePort("http://localhost:8090") && open.areOnOnePort("http://192.0.2.7:8090"))
        #expect(enclosed.isEnclosed && enclosed.areOnOnePort("http://127.0.0.1:8090"))
    }
}
