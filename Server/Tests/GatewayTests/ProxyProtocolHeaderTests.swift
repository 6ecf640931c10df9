import BenjiProtocol
import Testing

@testable import Gateway

struct ProxyProtocolHeaderTests {
    private typealias Header = ProxyProtocolHeader
    private let balancer = Header.Endpoint(address: InternetAddress("192.0.2.10")!, port: 4000)
    private let trusted = [IPPrefix("192.0.2.0/28")!]
    private static let signature = "0d0a0d0a000d0a515549540a"

    private func read(_ bytes: [UInt8]) throws -> Header? { try Header.read(bytes, from: balancer, trusted: trusted) }

    @Test("both versions give the connection's source, and the length to skip")
    func sources() throws {
        let text = Array("PROXY TCP4 10.0.0.1 192.0.2.10 56324 443\r\nGET / HTTP/1.1\r\n".utf8)
        let header = try #require(try read(text))
        #expect(header.source == .init(address: InternetAddress("10.0.0.1")!, port: 56324))
        #expect(text[header.length...].starts(with: Array("GET".utf8)))
        let six = try read(Array("PROXY TCP6 2001:db8::1 2001:db8::2 1 2\r\n".utf8))
        #expect(six?.source == .init(address: InternetAddress("2001:db8::1")!, port: 1))
        let binary =
            Hexadecimal.decode(Self.signature + "2111000c" + "0a000001" + "c000020a" + "dc04" + "01bb")! + [0x47]
        #expect(
            try read(binary) == Header(source: .init(address: InternetAddress("10.0.0.1")!, port: 56324), length: 28))
        let v6 = Hexadecimal.decode(
            Self.signature + "21210027" + "20010db8000000000000000000000001" + "20010db8000000000000000000000002"
                + "00010002" + "030000")!
        #expect(try read(v6) == Header(source: .init(address: InternetAddress("2001:db8::1")!, port: 1), length: 55))
    }

    @Test("the balancer's own connection has no source")
    func own() throws {
        #expect(try read(Array("PROXY UNKNOWN\r\n".utf8)) == Header(source: nil, length: 15))
        #expect(try read(Hexadecimal.decode(Self.signature + "20000000")!) == Header(source: nil, length: 16))
    }

    @Test("14: a header from a peer that is not listed is the connection's own bytes and believed nothing")
    func untrusted() throws {
        let phone = Header.Endpoint(address: InternetAddress("10.0.0.7")!, port: 5555)
        let forged = Array("PROXY TCP4 10.0.0.1 192.0.2.10 56324 443\r\n".utf8)
        #expect(try Header.read(forged, from: phone, trusted: trusted) == Header(source: phone, length: 0))
    }

    @Test("14: a listed peer that sends no header is refused")
    func missing() {
        #expect(throws: Header.Problem.missing) { try read(Array("GET / HTTP/1.1\r\n".utf8)) }
    }

    @Test("every beginning of a header asks for more")
    func beginnings() throws {
        let text = Array("PROXY TCP4 10.0.0.1 192.0.2.10 56324 443\r\n".utf8)
        let binary = Hexadecimal.decode(Self.signature + "2111000c" + "0a000001" + "c000020a" + "dc04" + "01bb")!
        for whole in [text, binary] {
            for length in 0..<whole.count { #expect(try read(Array(whole[..<length])) == nil) }
            #expect(try read(whole)?.length == whole.count)
        }
    }

    @Test(
        "a header that breaks the rules is refused",
        arguments: [
            "PROXY TCP4 10.0.0.1 192.0.2.10 56324\r\n", "PROXY TCP4 10.0.0.1 192.0.2.10 56324 443 \r\n",
            "PROXY TCP4 10.0.0.1 192.0.2.10 65536 443\r\n", "PROXY TCP4 10.0.0.1 192.0.2.10 01 443\r\n",
            "PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n", "PROXY TCP6 10.0.0.1 192.0.2.10 1 2\r\n",
            "PROXY TCP4 010.0.0.1 192.0.2.10 1 2\r\n", "PROXY UDP4 10.0.0.1 192.0.2.10 1 2\r\n",
            "PROXY TCP4 10.0.0.1 192.0.2.10 +1 443\r\n", "PROXY TCP4 10.0.0.1 192.0.2.10 1 -\r\n",
            "PROXY TCP4 10.0.0.1 2001:db8::2 1 2\r\n", "PROXY TCP6 2001:db8::1 192.0.2.10 1 2\r\n",
            "PROXY TCP4 10.0.0.1 192.0.2.10 1 2\n", "PROXY  TCP4 10.0.0.1 192.0.2.10 1 2\r\n",
        ])
    func malformedText(text: String) {
        #expect(throws: Header.Problem.malformed) { try read(Array(text.utf8)) }
    }

    @Test("a binary header of another version, command or family is refused, and so is an endless text")
    func malformedBinary() {
        for rest in ["1111000c", "2211000c", "2112000c", "2131000c", "2111000b"] {
            let bytes = Hexadecimal.decode(Self.signature + rest + String(repeating: "00", count: 12))!
            #expect(throws: Header.Problem.malformed) { try read(bytes) }
        }
        #expect(throws: Header.Problem.malformed) {
            try read(Array("PROXY UNKNOWN ".utf8) + [UInt8](repeating: 0x61, count: 100))
        }
    }

    @Test("a text has 107 bytes at most with its line end, as the longest addresses need, and ports from 0")
    func longestText() throws {
        let address = Array(repeating: "ffff", count: 8).joined(separator: ":")
        let six = Array("PROXY TCP6 \(address) \(address) 65535 65535\r\n".utf8)
        let source = Header.Endpoint(address: InternetAddress(address)!, port: 65535)
        #expect(try read(six + [0x47]) == Header(source: source, length: 104))
        let unknown = Array("PROXY UNKNOWN \(address) \(address) 65535 65535\r\n".utf8)
        #expect(try read(unknown + [0x47]) == Header(source: nil, length: 107))
        #expect(try read(Array(unknown.dropLast())) == nil, "its line end may come")
        #expect(throws: Header.Problem.malformed) { try read(unknown.dropLast() + [0x61]) }
        #expect(throws: Header.Problem.malformed) { try read(Array("PROXY UNKNOWN  ".utf8) + unknown.dropFirst(14)) }
        let zero = try read(Array("PROXY TCP4 10.0.0.1 192.0.2.10 0 0\r\n".utf8))
        #expect(zero == Header(source: .init(address: InternetAddress("10.0.0.1")!, port: 0), length: 36))
    }

    @Test("a binary header may have as many bytes behind the addresses as its length can say")
    func longestBinary() throws {
        let addresses = Hexadecimal.decode("0a000001" + "c000020a" + "dc04" + "01bb")!
        for length in [12, 255, 256, 257, 65_535] {
            let start = Hexadecimal.decode(Self.signature + "2111")! + [UInt8(length >> 8), UInt8(length & 255)]
            let whole = start + addresses + [UInt8](repeating: 0, count: length - 12)
            let source = Header.Endpoint(address: InternetAddress("10.0.0.1")!, port: 56324)
            #expect(try read(whole) == Header(source: source, length: 16 + length))
            #expect(try read(whole + [1, 2]) == Header(source: source, length: 16 + length))
            #expect(try read(Array(whole.dropLast())) == nil)
        }
        let six = Hexadecimal.decode(Self.signature + "21210024" + String(repeating: "00", count: 36))!
        #expect(try read(six) == Header(source: .init(address: InternetAddress("::")!, port: 0), length: 52))
        let short = Hexadecimal.decode(Self.signature + "21210023" + String(repeating: "00", count: 36))!
        #expect(throws: Header.Problem.malformed) { try read(short) }
    }
}
