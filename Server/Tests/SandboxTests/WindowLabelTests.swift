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
            "login.login.phone-1.localhost", "", "login..localhost",
        ])
    func others(_ host: String) { #expect(WindowLabel(host: host) == nil) }
}
