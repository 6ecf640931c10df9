import BenjiClient
import BenjiProtocol
import Testing

@Suite("A server's address")
struct ServerURLTests {
    @Test(
        "parts are read and written back in one normal form",
        arguments: [
            ("https://Gateway.Example", "https://gateway.example/", "gateway.example"),
            (
                "HTTPS://gateway.example:443/device/v1/prefetch", "https://gateway.example/device/v1/prefetch",
                "gateway.example"
            ),
            ("http://127.0.0.1:8080/a?b=c?d/e", "http://127.0.0.1:8080/a?b=c?d/e", "127.0.0.1:8080"),
            ("http://[2001:DB8:0:0:0:0:0:1]:80/", "http://[2001:db8::1]/", "[2001:db8::1]"),
            ("http://[::1]:8443?", "http://[::1]:8443/?", "[::1]:8443"),
            ("https://a_b.example/%E6%9C%AC;x=(1)/", "https://a_b.example/%E6%9C%AC;x=(1)/", "a_b.example"),
            ("http://3com-server/", "http://3com-server/", "3com-server"),
        ])
    func normalForm(given: String, text: String, authority: String) throws {
        let url = try ServerURL(given)
        #expect(url.text == text)
        #expect(url.authority == authority)
        #expect(try ServerURL(url.text) == url)
    }

    @Test("scheme, host, address, port, path and query are kept apart")
    func parts() throws {
        let url = try ServerURL("http://127.0.0.11:8080/a/b?token=secret")
        #expect(url.scheme == .http)
        #expect(url.host == "127.0.0.11")
        #expect(url.address == InternetAddress("127.0.0.11"))
        #expect(url.port == 8080)
        #expect(url.path == "/a/b")
        #expect(url.query == "token=secret")
        #expect(url.target == "/a/b?token=secret")
        #expect(url.origin == "http://127.0.0.11:8080")
        #expect(url.withoutQuery.text == "http://127.0.0.11:8080/a/b")
        #expect(try ServerURL("https://gateway.example").port == 443)
    }

    private static let wrong: [(String, Int)] = [
        ("ftp://a/", 0), ("gateway.example", 0), ("//a/", 0), ("https:/a", 0),
        ("https://", 8), ("https:///path", 8), ("https://user@a/", 12), ("https://a:b@c/", 11),
        ("https://a b/", 9), ("https://a%2eb/", 9), ("https://\u{672C}/", 8), ("https://a\\b/", 9),
        ("https://a..b/", 8), ("https://a./", 8), ("https://.a/", 8),
        ("https://1.2.3/", 8), ("https://010.0.0.1/", 8), ("https://0x7f.1/", 8), ("https://2130706433/", 8),
        ("https://a.0x7f/", 8), ("https://1.2.3.4.5/", 8),
        ("https://[::1/", 8), ("https://[::1%25en0]/", 9), ("https://[1.2.3.4]/", 9), ("https://[::1]x/", 13),
        ("https://a:/", 10), ("https://a:0/", 10), ("https://a:65536/", 10), ("https://a:+80/", 10),
        ("https://a:8 0/", 10),
        ("https://a/b#c", 11), ("https://a?b#c", 11), ("https://a#c", 9), ("https://a/%4", 10),
        ("https://a/%zz", 10),
        ("https://a/b c", 11), ("https://a/\r\nX: y", 10), ("https://a/\u{0}", 10), ("https://a/{x}", 10),
        ("https://a/../b", 10), ("https://a/b/%2E%2e/c", 12), ("https://a/.", 10), ("https://a/b?c=\u{7f}", 14),
    ]

    @Test(
        "what two readers could read differently is refused, and the error says where",
        arguments: wrong)
    func refused(text: String, offset: Int) {
        let error = #expect(throws: ServerURLError.self) { try ServerURL(text) }
        #expect(error?.offset == offset, "\(error.map(String.init(describing:)) ?? "")")
    }

    @Test("an address longer than 2,048 bytes is refused")
    func tooLong() throws {
        let stem = "https://a/"
        _ = try ServerURL(stem + String(repeating: "b", count: 2048 - stem.count))
        #expect(throws: ServerURLError.self) { try ServerURL(stem + String(repeating: "b", count: 2049 - stem.count)) }
    }

    @Test("a path is appended to the base path, once, and the query goes")
    func appending() throws {
        for base in ["https://a/base", "https://a/base/", "https://a/base?q=1"] {
            #expect(try ServerURL(base).appending(path: "/device/v1").text == "https://a/base/device/v1")
        }
        #expect(try ServerURL("https://a").appending(path: "/x?y=1").target == "/x?y=1")
        #expect(throws: ServerURLError.self) { try ServerURL("https://a").appending(path: "x") }
        #expect(throws: ServerURLError.self) { try ServerURL("https://a").appending(path: "/../x") }
    }

    @Test("a description never shows the query, nor does an error show the text")
    func noSecretsInDescriptions() throws {
        let url = try ServerURL("https://a/b?token=hunter2")
        #expect("\(url)" == "https://a/b")
        #expect(!"\(TransportRequest(method: "GET", url: url))".contains("hunter2"))
        let error = #expect(throws: ServerURLError.self) { try ServerURL("https://hunter2@a/") }
        #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }

    @Test("no mutation of an address traps, and whatever is accepted reads back as itself")
    func mutations() throws {
        var random = SeededGenerator(seed: 20_251_121)
        let seeds = [
            "https://gateway.example:8443/device/v1?x=%20", "http://[2001:db8::1]:80/a/../b", "http://1.2.3.4/",
        ]
        var accepted = 0
        for round in 0..<10_000 {
            let text = String(decoding: random.mutated(Array(seeds[round % seeds.count].utf8)), as: UTF8.self)
            guard let url = try? ServerURL(text) else { continue }
            accepted += 1
            #expect(try ServerURL(url.text) == url)
        }
        #expect(accepted > 100)
    }
}
