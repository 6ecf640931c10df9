import BenjiProtocol
import Testing

@Suite struct InternetAddressTests {
    @Test(
        "IPv6 is written as RFC 5952 §4 says",
        arguments: [
            ("2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"),  // §4.2.3: the first of two equal runs
            ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),  // §4.2.1: as short as can be
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),  // §4.2.2: one group alone is not shortened
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),  // §4.2.3: the longest run
            ("2001:DB8::ABCD", "2001:db8::abcd"),  // §4.3: lower case
            ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("0:0:0:0:0:0:0:0", "::"),
            ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("fe80:0:0:0:0:0:0:0", "fe80::"), ("0:0:1::", "0:0:1::"), ("1:0:0:2:0:0:3:0", "1::2:0:0:3:0"),
        ])
    func canonicalText(text: String, canonical: String) throws {
        let address = try #require(InternetAddress(text))
        #expect(address.description == canonical)
        #expect(InternetAddress(canonical) == address)
        #expect(address.family == .v6)
    }

    @Test(
        "An IPv4-mapped address is the IPv4 address that it means",
        arguments: ["::ffff:10.1.2.3", "::ffff:a01:203", "0:0:0:0:0:FFFF:10.1.2.3"])
    func mapped(text: String) throws {
        #expect(InternetAddress(text) == InternetAddress("10.1.2.3"))
        #expect(try #require(InternetAddress(text)).family == .v4)
        #expect(
            InternetAddress(bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 2, 3])?.description == "10.1.2.3")
    }

    @Test("The IPv4-compatible form and other prefixes stay IPv6")
    func notMapped() {
        #expect(InternetAddress("::10.1.2.3")?.family == .v6)
        #expect(InternetAddress("::fffe:a01:203")?.family == .v6)
        #expect(InternetAddress("1::ffff:a01:203")?.family == .v6)
    }

    @Test(
        "Texts that are not exactly an address are refused",
        arguments: [
            "", ".", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.04", "0x1.2.3.4", "1.2.3.4 ", " 1.2.3.4",
            "1.2.3.+4", "1..3.4", "1.2.3.-0",
            "1.2.3.4:80", ":", ":::", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "::12345", "::g",
            "::+1", "::-0", "::-1",
            "fe80::1%en0", "[::1]", "1:2:3:4:5:6:7::8:9", "1.2.3.4::", "::1.2.3", "::1.2.3.4:5", "::1.2.3.400",
            "1::2:3:4:5:6:7:8", "１.2.3.4",
            "::1/64", "1:2:3:4:5:6:7:8::",
        ])
    func refusals(text: String) {
        #expect(InternetAddress(text) == nil)
    }

    @Test("Only four or sixteen bytes are an address")
    func byteCounts() {
        for count in 0...20 {
            #expect((InternetAddress(bytes: [UInt8](repeating: 1, count: count)) != nil) == (count == 4 || count == 16))
        }
    }

    @Test("Any text is read or refused without a trap", arguments: 0..<4)
    func fuzz(seed: UInt64) {
        var generator = SplitMix(state: seed)
        let alphabet = Array("0123456789abcdefABCDEF::::....%/+- ñ")
        for _ in 0..<5000 {
            let text = String(
                (0..<Int.random(in: 0...20, using: &generator)).map { _ in alphabet.randomElement(using: &generator)! })
            if let address = InternetAddress(text) { #expect(InternetAddress(address.description) == address) }
            if let prefix = IPPrefix(text) { #expect(IPPrefix(prefix.description) == prefix) }
        }
    }
}

@Suite struct IPPrefixTests {
    @Test("A block contains exactly its addresses")
    func containing() throws {
        let block = try #require(IPPrefix("10.20.0.0/15"))
        for (text, inside) in [
            ("10.20.0.0", true), ("10.21.255.255", true), ("10.22.0.0", false), ("10.19.255.255", false),
        ] {
            #expect(block.contains(try #require(InternetAddress(text))) == inside)
        }
        let six = try #require(IPPrefix("2001:db8::/33"))
        #expect(six.contains(try #require(InternetAddress("2001:db8:7fff::1"))))
        #expect(!six.contains(try #require(InternetAddress("2001:db8:8000::1"))))
    }

    @Test("Families never mix: the whole of IPv6 holds no IPv4 address, mapped or not")
    func families() throws {
        #expect(!(try #require(IPPrefix("::/0")).contains(try #require(InternetAddress("10.0.0.1")))))
        #expect(!(try #require(IPPrefix("0.0.0.0/0")).contains(try #require(InternetAddress("::1")))))
        #expect(try #require(IPPrefix("0.0.0.0/0")).contains(try #require(InternetAddress("::ffff:10.0.0.1"))))
    }

    @Test("Bits beyond the length are cleared")
    func masking() throws {
        #expect(IPPrefix("10.1.2.3/8")?.description == "10.0.0.0/8")
        #expect(IPPrefix("10.1.2.3/8") == IPPrefix("10.9.9.9/8"))
        #expect(IPPrefix("255.255.255.255/1")?.description == "128.0.0.0/1")
        #expect(IPPrefix("2001:db8:ffff::/35")?.description == "2001:db8:e000::/35")
        #expect(IPPrefix("10.1.2.3")?.length == 32)
        #expect(IPPrefix("::1")?.length == 128)
        #expect(IPPrefix("ffff::/0")?.description == "::/0")
    }

    @Test(
        "Impossible lengths are refused",
        arguments: [
            "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "/8", "10.0.0.0/0008",
            "10.0.0.0/ 8", "10.0.0/8",
        ])
    func refusals(text: String) {
        #expect(IPPrefix(text) == nil)
    }
}
