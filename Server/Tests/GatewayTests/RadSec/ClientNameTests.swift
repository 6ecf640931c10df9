import Testing

@testable import Gateway

/// The names by which certificates are told apart, as an operator writes them.
struct ClientNameTests {
    @Test("a host has letters, digits, dots, hyphens and underscores alone, and a URI any sign of ASCII that is seen")
    func signs() {
        let hosts = Set("-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        for byte in UInt8(0)...0x7f where byte != 0x3a {
            let sign = String(decoding: [byte], as: UTF8.self)
            let isHost = hosts.contains(byte)
            #expect(ClientName("A" + sign) == (isHost ? .host(("a" + sign).lowercased()) : nil), "\(byte)")
            let isSeen = (0x21...0x7e).contains(byte)
            #expect(ClientName("U:" + sign) == (isSeen ? .uri("U:" + sign) : nil), "\(byte)")
        }
        #expect(ClientName("a:") == .uri("a:") && ClientName("sha25:6") == .uri("sha25:6"))
        #expect(ClientName("é") == nil && ClientName("urn:é") == nil)
    }

    @Test("a name has 1 to 255 bytes")
    func lengths() {
        for (length, isName) in [(0, false), (1, true), (255, true), (256, false)] {
            #expect((ClientName(String(repeating: "a", count: length)) != nil) == isName, "\(length)")
        }
    }

    @Test("a fingerprint has 32 bytes, and is written as it is read", arguments: [31, 32, 33])
    func fingerprints(count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        let text = ClientName.fingerprint(bytes).description
        #expect(text.hasPrefix("sha256:000102"))
        #expect(ClientName(text) == (count == 32 ? .fingerprint(bytes) : nil))
    }

    @Test("a certificate's names are ASCII, and its hosts in lower case")
    func certificates() {
        #expect(ClientName(certificateHost: [0x41, 0x7f]) == .host("a\u{7f}"))
        #expect(ClientName(certificateURI: [0x41, 0x7f]) == .uri("A\u{7f}"))
        for bytes: [UInt8] in [[0x41, 0x80], [0xc2, 0x80]] {
            #expect(ClientName(certificateHost: bytes) == nil && ClientName(certificateURI: bytes) == nil)
        }
        let names: [ClientName] = [.host("a.example"), .uri("urn:x"), .fingerprint([UInt8](repeating: 0xab, count: 2))]
        #expect(names.map(\.description) == ["a.example", "urn:x", "sha256:abab"])
    }
}
