import Authority
import BenjiProtocol
import Testing

@testable import Requests

@Suite("Bounds of callbacks' addresses, and why one is refused")
struct CallbackURLBoundTests {
    private static func plain(_ ports: Set<Int> = [443, 8443]) -> CallbackRules {
        var rules = CallbackRules()
        rules.allowsPlainLoopback = true
        rules.ports = ports
        return rules
    }

    private func problem(_ text: String, _ rules: CallbackRules = CallbackRules()) -> String? {
        do { _ = try CallbackURL(text, rules: rules) } catch { return error.detail }
        return nil
    }

    @Test("without a setting, ports 443 and 8443 are allowed, and nothing is without TLS")
    func usualRules() {
        let rules = CallbackRules()
        #expect(rules.ports == [443, 8443] && !rules.allowsPlainLoopback)
        for port in [443, 8443] { #expect(problem("https://shop.example:\(port)/") == nil) }
        #expect(problem("https://shop.example:444/")?.contains("the port 444 is not among") == true)
        #expect(problem("https://shop.example:444/")?.hasSuffix("443, 8443") == true)
        #expect(problem("http://localhost/") == "callback url: must begin with https://")
    }

    @Test("an address has 1024 bytes at most, all of them printable ASCII without spaces and backslashes")
    func characters() {
        let begin = "https://shop.example/"
        #expect(problem(begin + String(repeating: "a", count: 1024 - begin.utf8.count)) == nil)
        #expect(
            problem(begin + String(repeating: "a", count: 1025 - begin.utf8.count))
                == "callback url: at most 1024 bytes")
        for character in "!~[|" { #expect(problem(begin + String(character)) == nil, "\(character)") }
        for character in " \\\u{7f}\u{1}ä" {
            #expect(
                problem(begin + String(character)) == "callback url: printable ASCII without spaces and backslashes",
                "\(character.unicodeScalars.first?.value ?? 0)")
        }
    }

    @Test("query, fragment and user are refused for what they are, in this order")
    func parts() {
        for text in ["https://shop.example/?a", "https://shop.example/#a", "https://shop.example?a"] {
            #expect(problem(text)?.contains("must not have a query or a fragment") == true, "\(text)")
        }
        #expect(problem("https://a@shop.example/")?.contains("must not hold a user or a password") == true)
        #expect(problem("https://a:b:c/")?.contains("the host must be a name, not an address") == true)
    }

    @Test(
        "a port has one to five digits without a zero in front, and is less than 65536", arguments: [1, 9, 80, 65535])
    func ports(port: Int) throws {
        let url = try CallbackURL("https://shop.example:\(port)/a", rules: Self.plain([port]))
        #expect(url.port == port && url.host == "shop.example" && url.path == "/a")
        #expect(url.authority == "shop.example:\(port)")
    }

    @Test(
        "what is no port is refused as that",
        arguments: ["", "0", "01", "0443", "65536", "99999", "100000", "4a", "+43", "4.3", "４４３"])
    func noPorts(port: String) {
        let said = problem("https://shop.example:\(port)/", Self.plain([0, 1, 43, 443, 65536, 99999, 100_000]))
        let words = port == "４４３" ? "printable ASCII without spaces and backslashes" : "the port must be a number"
        #expect(said == "callback url: \(words)")
    }

    @Test("without TLS the port is 80 unless it is named, whatever is allowed with TLS, and the host is localhost")
    func plainLoopback() throws {
        let usual = try CallbackURL("http://localhost", rules: Self.plain([443]))
        #expect(usual.port == 80 && usual.path == "/" && usual.authority == "localhost" && !usual.isTLS)
        let tls = try CallbackURL("https://localhost:80/", rules: Self.plain([80]))
        #expect(tls.authority == "localhost:80" && tls.isTLS)
        let other = try CallbackURL("http://localhost:443/", rules: Self.plain([1]))
        #expect(other.authority == "localhost:443" && other.port == 443)
        #expect(problem("http://shop.example/", Self.plain())?.contains("http:// is for localhost alone") == true)
    }

    @Test("a host has 253 bytes at most, in labels of 1 to 63 letters, digits and inner hyphens")
    func hosts() throws {
        let label = String(repeating: "a", count: 63)
        let long = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(long.utf8.count == 253)
        for host in [long, label + ".example", "a.b", "a-b.c-d", "0a.b0", "xn--fiq.example", "a.z9", "A.Z"] {
            let url = try CallbackURL("https://\(host)/", rules: CallbackRules())
            #expect(url.host == host.lowercased())
        }
        for host in [
            long + "b", label + "a.example", "", ".a", "a.", "a..b", "-a.b", "a-.b", "a.-b", "a.b-", "a_b.c", "a/b.c",
            "a`.b", "a{.b", "a,.b",
        ] {
            let said = problem("https://\(host.replacing("/", with: "%"))/")
            #expect(said == "callback url: the host must be a name of letters, digits, hyphens and dots", "\(host)")
        }
    }

    @Test("a host whose last label a browser reads as a number is an address, and one that only looks like it is not")
    func numbers() {
        for host in ["1", "a.0", "a.9", "a.0x", "a.0x0", "a.0x9", "a.0xa", "a.0xf", "a.0xaf09"] {
            #expect(problem("https://\(host)/")?.contains("not an address") == true, "\(host)")
        }
        for host in ["1a", "9.a", "0x1.a", "a.0xg", "a.x1", "a.1x1", "a.0x1g", "a.1-1", "a.xaf"] {
            #expect(problem("https://\(host)/") == nil, "\(host)")
        }
    }
}
