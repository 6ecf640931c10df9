@_spi(Server) import BenjiProtocol
import Testing

@testable import RADIUS

struct PacketTests {
    @Test("radclient's Start is read field by field")
    func start() throws {
        let packet = try Packet(decoding: Vectors.start)
        #expect(packet.code == .accountingRequest)
        #expect(packet.identifier == 0xdf)
        #expect(packet.hasValidRequestAuthenticator(secret: Vectors.secret))
        let request = try AccountingRequest(packet)
        #expect(request.status == .start)
        #expect(request.sessionID == Array("0A0000010000ABCD".utf8))
        #expect(request.nasIPAddress == InternetAddress("10.0.0.1"))
        #expect(request.nasIdentifier == Array("pgw-1".utf8))
        #expect(request.framedAddress == InternetAddress("100.64.1.2"))
        #expect(request.framedPrefix == IPPrefix("2001:db8:1:2::/64"))
        #expect(request.callingStation == "8613800138000")
        #expect(request.eventTimestamp == 1_760_000_000)
        #expect(request.delay == 3)
        #expect(request.imsi == "460001234567890")
        #expect(request.homeNetwork == "46000")
        #expect(request.servingNetwork == "46000")
        #expect(request.endsSession && request.isMobile)
        #expect(
            request.portBlocks == [
                PortBlock(address: InternetAddress("203.0.113.7")!, ports: 1024...2047, isAllocated: true)
            ]
        )
        #expect(packet.all(.proxyState).map { Array($0.value) } == [[1, 2], [3]])
    }

    @Test("radclient's Start is told attribute by attribute, by names, values and bytes")
    func readable() throws {
        let told = try Packet(decoding: Vectors.start).readable
        let values = Dictionary(told.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        #expect(told.map(\.name).prefix(2) == ["Acct-Status-Type", "Acct-Session-Id"])
        for (name, value) in [
            ("Acct-Status-Type", "Start (1)"), ("Acct-Session-Id", "0A0000010000ABCD"), ("NAS-Identifier", "pgw-1"),
            ("NAS-IP-Address", "10.0.0.1"), ("Framed-IP-Address", "100.64.1.2"),
            ("Framed-IPv6-Prefix", "2001:db8:1:2::/64"), ("Calling-Station-Id", "8613800138000"),
            ("Called-Station-Id", "cmnet"), ("Event-Timestamp", "2025-10-09T08:53:20Z"), ("Acct-Delay-Time", "3"),
            ("3GPP-IMSI", "460001234567890"), ("3GPP-IMSI-MCC-MNC", "46000"), ("3GPP-SGSN-MCC-MNC", "46000"),
            ("3GPP-RAT-Type", "6"), ("3GPP-Session-Stop-Indicator", "255"), ("Proxy-State", ""),
        ] { #expect(values[name] == value, "\(name)") }
        #expect(told.first { $0.name == "Framed-IP-Address" }?.bytes == [100, 64, 1, 2])
    }

    @Test("a value that its type does not allow is told by its bytes alone, and an unknown type by its number")
    func unreadable() throws {
        let attributes = [
            try Attribute(.framedIPAddress, [1, 2, 3]), try Attribute(.userName, [0xff]),
            try Attribute(AttributeType(rawValue: 200), [7]), try Attribute(.vendorSpecific, [0, 0, 0, 9, 1]),
            try Attribute(vendor: .thirdGenerationPartnershipProject, type: 99, [1]),
        ]
        let bytes = try Packet.layOut(
            code: .accountingRequest, identifier: 1, authenticator: [UInt8](repeating: 0, count: 16),
            attributes: attributes)
        let told = try Packet(decoding: bytes).readable
        #expect(
            told.map(\.name) == ["Framed-IP-Address", "User-Name", "200", "Vendor-Specific", "3GPP-99"])
        #expect(told.allSatisfy { $0.value == nil })
        #expect(told[0].bytes == [1, 2, 3] && told[4].bytes == [1])
    }

    @Test("radclient's Stop with a Message-Authenticator and Huawei's port block is read")
    func stop() throws {
        let packet = try Packet(decoding: Vectors.stop)
        #expect(packet.hasValidRequestAuthenticator(secret: Vectors.secret))
        #expect(try packet.hasValidMessageAuthenticator(secret: Vectors.secret) == true)
        let request = try AccountingRequest(packet)
        #expect(request.status == .stop)
        #expect(request.portBlocks == [PortBlock(address: InternetAddress("203.0.113.9")!, ports: 5000...5999)])
        #expect(!request.isMobile)
    }

    @Test("radclient's Status-Server carries a valid Message-Authenticator")
    func statusServer() throws {
        let packet = try Packet(decoding: Vectors.statusServer)
        #expect(packet.code == .statusServer)
        #expect(try packet.hasValidMessageAuthenticator(secret: Vectors.secret) == true)
        #expect(try packet.hasValidMessageAuthenticator(secret: SharedSecret("other")!) == false)
    }

    @Test("another secret, or any changed bit, makes a request's authenticator invalid")
    func everyBit() throws {
        let original = try Packet(decoding: Vectors.start)
        #expect(!original.hasValidRequestAuthenticator(secret: SharedSecret("xyzzy5460")!))
        for bit in 0..<(Vectors.start.count * 8) {
            var bytes = Vectors.start
            bytes[bit / 8] ^= 1 << (bit % 8)
            guard let packet = try? Packet(decoding: bytes) else { continue }
            #expect(!packet.hasValidRequestAuthenticator(secret: Vectors.secret), "bit \(bit)")
        }
    }

    @Test("padding after the packet's length is ignored")
    func padding() throws {
        #expect(try Packet(decoding: Vectors.start + [0, 0, 0]) == Packet(decoding: Vectors.start))
    }

    @Test("a header that does not fit its packet is refused", arguments: ["04010013", "04010015", "0401ffff"])
    func header(hexadecimal: String) {
        let bytes = Vectors.bytes(hexadecimal) + [UInt8](repeating: 0, count: 16)
        #expect(throws: PacketError(.length, offset: 2)) { try Packet(decoding: bytes) }
    }

    @Test(
        "an attribute that does not fit is refused at its offset",
        arguments: [("2c", 20), ("2c00", 20), ("2c01", 20), ("2c04aa", 20), ("2c03612c03610803", 26)])
    func attributes(hexadecimal: String, offset: Int) {
        let attributes = Vectors.bytes(hexadecimal)
        let bytes = [4, 1, 0, UInt8(20 + attributes.count)] + [UInt8](repeating: 0, count: 16) + attributes
        let type = AttributeType(rawValue: attributes[offset - 20])
        #expect(throws: PacketError(.attributeLength, attribute: type, offset: offset)) { try Packet(decoding: bytes) }
    }

    @Test("truncated anywhere, a packet is an error and never a trap")
    func truncation() {
        for length in 0..<Vectors.start.count {
            #expect(throws: PacketError.self) { try Packet(decoding: Array(Vectors.start[..<length])) }
        }
    }

    @Test("thousands of mutated packets are read or refused, never trapped on")
    func mutation() {
        var generator = SeededGenerator(seed: 2866)
        var read = 0
        var refused = 0
        for round in 0..<20_000 {
            var bytes = [Vectors.start, Vectors.stop, Vectors.statusServer][round % 3]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[bytes.indices.randomElement(using: &generator)!] = .random(in: 0...255, using: &generator)
                case 1:
                    bytes.insert(
                        .random(in: 0...255, using: &generator), at: bytes.indices.randomElement(using: &generator)!)
                case 2 where bytes.count > 1: bytes.remove(at: bytes.indices.randomElement(using: &generator)!)
                default:
                    bytes[bytes.indices.randomElement(using: &generator)!] ^=
                        1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
            if bytes.count >= 4, Bool.random(using: &generator) {
                bytes[2] = UInt8(bytes.count >> 8)
                bytes[3] = UInt8(bytes.count & 0xff)
            }
            do {
                let packet = try Packet(decoding: bytes)
                _ = packet.hasValidRequestAuthenticator(secret: Vectors.secret)
                _ = try packet.hasValidMessageAuthenticator(secret: Vectors.secret)
                _ = try AccountingRequest(packet)
                _ = try packet.accountingResponse(secret: Vectors.secret)
                read += 1
            } catch { refused += 1 }
        }
        #expect(read > 1000)
        #expect(refused > 1000)
    }
}
