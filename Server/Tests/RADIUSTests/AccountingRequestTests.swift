@_spi(Server) import BenjiProtocol
import Testing

@testable import RADIUS

struct AccountingRequestTests {
    private let secret = SharedSecret("a secret of 16 b")!

    private func packet(_ attributes: [Attribute]) throws -> Packet {
        let status = try Attribute(.acctStatusType, [0, 0, 0, 3])
        return try Packet(
            decoding: Packet.accountingRequest(identifier: 0, attributes: [status] + attributes, secret: secret))
    }

    @Test("a request with every field survives a round trip")
    func roundTrip() throws {
        var request = AccountingRequest(status: .interimUpdate, sessionID: "0A00000100000001")
        request.nasIdentifier = "pgw-2"
        request.nasAddress = InternetAddress("2001:db8::1")
        request.framedAddress = InternetAddress("10.1.2.3")
        request.framedPrefix = IPPrefix("2001:db8:aaaa:bb00::/56")
        request.delegatedPrefix = IPPrefix("2001:db8:f000::/60")
        request.callingStation = "8613900000001"
        request.calledStation = "3gnet"
        request.imsi = "460010000000001"
        request.homeNetwork = "46001"
        request.servingNetwork = "45400"
        request.radioAccess = 6
        request.isMobile = true
        request.delay = 4
        request.eventTimestamp = 1_760_000_123
        request.sessionTime = 60
        request.internalAddress = InternetAddress("10.1.2.3")
        request.portBlocks = [
            PortBlock(address: InternetAddress("203.0.113.1")!, ports: 1024...1535),
            PortBlock(address: InternetAddress("203.0.113.1")!, ports: 2048...2559, isAllocated: false),
        ]
        let read = try AccountingRequest(Packet(decoding: request.packet(identifier: 1, secret: secret)))
        #expect(read == request)
    }

    @Test("random requests survive a round trip")
    func randomRoundTrips() throws {
        var generator = SeededGenerator(seed: 8045)
        for _ in 0..<2000 {
            var request = AccountingRequest(
                status: AccountingStatus(rawValue: .random(in: 1...15, using: &generator)),
                sessionID: (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                    .random(in: 0...255, using: &generator)
                })
            if Bool.random(using: &generator) {
                request.framedAddress = InternetAddress(
                    bytes: [10] + (0..<3).map { _ in .random(in: 0...255, using: &generator) })
            }
            if Bool.random(using: &generator) {
                let bytes = [0x20, 1] + (0..<14).map { _ in UInt8.random(in: 0...255, using: &generator) }
                request.framedPrefix = IPPrefix(
                    address: InternetAddress(bytes: bytes)!, length: .random(in: 0...128, using: &generator))
            }
            if Bool.random(using: &generator) { request.delay = .random(in: 0...100, using: &generator) }
            if Bool.random(using: &generator) {
                request.endsSession = true
                request.isMobile = true
            }
            let packet = try request.packet(identifier: .random(in: 0...255, using: &generator), secret: secret)
            #expect(try AccountingRequest(Packet(decoding: packet)) == request)
        }
    }

    @Test(
        "a prefix that contradicts itself is refused",
        arguments: [
            ("00", PacketError.Problem.valueLength), ("004020010db8", .prefix),
            ("008100000000000000000000000000000000", .prefix), ("002020010db801", .prefix),
            ("00000000000000000000000000000000000000", .valueLength),
        ] as [(String, PacketError.Problem)])
    func prefixes(hexadecimal: String, problem: PacketError.Problem) throws {
        let packet = try packet([Attribute(.framedIPv6Prefix, Vectors.bytes(hexadecimal))])
        #expect(throws: PacketError(problem, attribute: .framedIPv6Prefix, offset: 26)) {
            try AccountingRequest(packet)
        }
    }

    @Test(
        "what decides who or where a subscriber is may not occur twice",
        arguments: [AttributeType.acctSessionID, .framedIPAddress, .callingStationID, .acctStatusType, .eventTimestamp])
    func repeated(type: AttributeType) throws {
        let attribute = try Attribute(type, [0, 0, 0, 3])
        let packet = try packet([attribute, attribute])
        #expect(throws: PacketError.self) { try AccountingRequest(packet) }
    }

    @Test("an IMSI that occurs twice is refused")
    func repeatedIMSI() throws {
        let imsi = try Attribute(vendor: .thirdGenerationPartnershipProject, type: 1, Array("460001234567890".utf8))
        #expect(throws: PacketError(.repeated, attribute: .vendorSpecific, offset: 61)) {
            try AccountingRequest(packet([imsi, try Attribute(.userName, Array("1234".utf8)), imsi]))
        }
    }

    @Test("a packet without Acct-Status-Type is refused")
    func missingStatus() throws {
        let bytes = try Packet.accountingRequest(identifier: 0, attributes: [], secret: secret)
        #expect(throws: PacketError(.missing, attribute: .acctStatusType, offset: 20)) {
            try AccountingRequest(Packet(decoding: bytes))
        }
    }

    @Test(
        "the addresses that mean a choice are no addresses",
        arguments: ["0.0.0.0", "255.255.255.255", "255.255.255.254"])
    func chosenAddresses(text: String) throws {
        let attribute = try Attribute(.framedIPAddress, InternetAddress(text)!.bytes)
        #expect(try AccountingRequest(packet([attribute])).framedAddress == nil)
    }

    @Test("another vendor's bytes are not looked into; a broken 3GPP attribute is refused where it breaks")
    func vendors() throws {
        let foreign = try Attribute(.vendorSpecific, [0, 0, 0, 9, 0xff, 0xff, 0xff])
        #expect(try !AccountingRequest(packet([foreign])).isMobile)
        let broken = try Attribute(.vendorSpecific, [0, 0, 0x28, 0xaf, 1, 9, 0x34])
        #expect(throws: PacketError(.attributeLength, attribute: .vendorSpecific, offset: 32)) {
            try AccountingRequest(packet([broken]))
        }
    }

    @Test("half of Huawei's port block is refused")
    func halfABlock() throws {
        let address = try Attribute(vendor: .huawei, type: 161, [203, 0, 113, 1])
        #expect(throws: PacketError(.missing, attribute: .vendorSpecific, offset: 32)) {
            try AccountingRequest(packet([address]))
        }
    }

    @Test("a request prints neither number nor IMSI nor address")
    func printsNothing() {
        var request = AccountingRequest(status: .start, sessionID: "s")
        request.callingStation = "8613800138000"
        request.imsi = "460001234567890"
        request.framedAddress = InternetAddress("10.1.2.3")
        var text = "\(request) \(String(reflecting: request))"
        dump(request, to: &text)
        for secret in ["138", "46000", "10.1"] { #expect(!text.contains(secret)) }
    }
}
