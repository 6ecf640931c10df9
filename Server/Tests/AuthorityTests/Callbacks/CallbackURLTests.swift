import Authority
import BenjiProtocol
import Requests
import Testing

@Suite("Addresses of callbacks")
struct CallbackURLTests {
    private static var plain: CallbackRules {
        var rules = CallbackRules()
        rules.allowsPlainLoopback = true
        return rules
    }

    @Test("an https address of a host by name is taken")
    func taken() throws {
        let url = try CallbackURL("https://Hooks.Example.com:8443/a/b-c?".replacing("?", with: ""), rules: .init())
        #expect(url.host == "hooks.example.com" && url.port == 8443 && url.path == "/a/b-c" && url.isTLS)
        #expect(url.authority == "hooks.example.com:8443")
        let short = try CallbackURL("https://shop.example", rules: .init())
        #expect(short.path == "/" && short.port == 443 && short.authority == "shop.example")
        let longest = "https://shop.example/" + String(repeating: "a", count: 1003)
        #expect(try CallbackURL(longest, rules: .init()).path.count == 1004)
        let label = String(repeating: "a", count: 63)
        #expect(try CallbackURL("https://\(label).\(label).\(label).\(label.dropLast(2))/", rules: .init()).port == 443)
        #expect(throws: Refusal.self) {
            try CallbackURL("https://\(label).\(label).\(label).\(label)/", rules: .init())
        }
        let local = try CallbackURL("http://localhost:9000/x", rules: Self.plain)
        #expect(!local.isTLS && local.port == 9000)
    }

    /// Spellings by which servers were led inside.
    static let refused = [
        "", "https://", "https:///x", "http://shop.example/", "HTTPS://shop.example/", "ftp://shop.example/",
        "file:///etc/passwd", "https:shop.example", "//shop.example/", "https://user@shop.example/",
        "https://user:pass@shop.example/", "https://shop.example@127.0.0.1/", "https://127.0.0.1/", "https://[::1]/",
        "https://[::ffff:7f00:1]/", "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/",
        "https://0177.0.0.1/", "https://127.1/", "https://017700000001/", "https://shop.example.0x7f/",
        "https://1.2.3/", "https://shop.example:22/", "https://shop.example:0/", "https://shop.example:/",
        "https://shop.example:0443/", "https://shop.example:443:443/", "https://shop.example:+443/",
        "https://shop.example:99999/", "https://shop.example./", "https://.shop.example/", "https://shop..example/",
        "https://-shop.example/", "https://shop_1.example/", "https://shop.example\\@127.0.0.1/",
        "https://shop.example#@127.0.0.1/", "https://shop.example?x@127.0.0.1/", "https://shop.example/?token=1",
        "https://shop.example/#a", "https://shop.example/\r\nHost: x", "https://shop.example/a b",
        "https://shop%2eexample/", "https://例え.example/", "https://①②⑦.⓪.⓪.①/", "https://shop.example/ä",
        "http://127.0.0.1/", "http://localhost.example/", "http://shop.example:9000/",
        "https://" + String(repeating: "a", count: 64) + ".example/",
        "https://shop.example/" + String(repeating: "a", count: 1024),
    ]

    @Test(
        "whatever two readers could take for different hosts, holds a password or is no https is refused",
        arguments: refused)
    func refuses(text: String) {
        #expect(throws: Refusal.self) { try CallbackURL(text, rules: .init()) }
        #expect(throws: Refusal.self) { try CallbackURL(text, rules: Self.plain) }
    }

    @Test("localhost without TLS needs the operator's setting, and ports are those that he allows")
    func rules() throws {
        #expect(throws: Refusal.self) { try CallbackURL("http://localhost:9000/", rules: .init()) }
        var rules = CallbackRules()
        rules.ports = [10_443]
        _ = try CallbackURL("https://shop.example:10443/", rules: rules)
        #expect(throws: Refusal.self) { try CallbackURL("https://shop.example/", rules: rules) }
    }
}
