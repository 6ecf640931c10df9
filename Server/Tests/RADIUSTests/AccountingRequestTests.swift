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

    @Test("a request with every field that is read survives a round trip")
    func roundTrip() throws {
        var request = AccountingRequest(status: .interimUpdate, sessionID: "0A00000100000001")
        request.nasIdentifier = Array("pgw-2".utf8)
        request.nasIPv6Address = InternetAddress("2001:db8::1")
        request.framedAddress = InternetAddress("10.1.2.3")
        request.framedPrefix = IPPrefix("2001:db8:aaaa:bb00::/56")
        request.callingStation = "8613900000001"
        request.imsi = "460010000000001"
        request.homeNetwork = "46001"
        request.servingNetwork = "45400"
        request.isMobile = true
        request.delay = 4
        request.eventTimestamp = 1_760_000_123
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
            ("008100000000000000000000000000000000", .prefix),
            ("00000000000000000000000000000000000000", .valueLength),
        ] as [(String, PacketError.Problem)])
    func prefixes(hexadecimal: String, problem: PacketError.Problem) throws {
        let packet = try packet([Attribute(.framedIPv6Prefix, Vectors.bytes(hexadecimal))])
        #expect(throws: PacketError(problem, attribute: .framedIPv6Prefix, offset: 26)) {
            try AccountingRequest(packet)
        }
    }

    @Test(
        "what decides who or where a subscriber is may not occur with two values, and may be repeated",
        arguments: [AttributeType.acctSessionID, .framedIPAddress, .callingStationID, .acctStatusType, .eventTimestamp])
    func repeated(type: AttributeType) throws {
        let attribute = try Attribute(type, [0, 0, 0, 3])
        #expect(throws: Never.self) { try AccountingRequest(packet([attribute, attribute])) }
        #expect(throws: PacketError.self) {
            try AccountingRequest(packet([attribute, attribute, Attribute(type, [0, 0, 0, 4])]))
        }
    }

    @Test("an IMSI that occurs with two values is refused")
    func repeatedIMSI() throws {
        func imsi(_ text: String) throws -> Attribute {
            try Attribute(vendor: .thirdGenerationPartnershipProject, type: 1, Array(text.utf8))
        }
        let first = try imsi("460001234567890")
        #expect(try AccountingRequest(packet([first, first])).imsi == "460001234567890")
        #expect(throws: PacketError(.repeated, attribute: .vendorSpecific, offset: 61)) {
            try AccountingRequest(
                packet([first, try Attribute(.userName, Array("1234".utf8)), imsi("460001234567891")]))
        }
    }

    @Test(
        "an unusual attribute that does not decide who or where a subscriber is costs nothing",
        arguments: [
            (AttributeType.nasIdentifier, ["b1b1bea92d70677731"]), (.calledStationID, ["636d6e6574", "636d6e6574"]),
            (.acctDelayTime, ["00000000", "00000003"]), (.acctDelayTime, ["00"]), (.nasIPAddress, ["0a0101"]),
            (.nasIPv6Address, ["20010db8"]), (.nasIdentifier, ["61", "62"]),
            (.delegatedIPv6Prefix, ["003820010db8000000000000000000000001"]), (.acctSessionTime, ["0000000000000001"]),
            (.vendorSpecific, ["00"]), (.userName, ["ff", "fe"]),
        ] as [(AttributeType, [String])])
    func unusual(type: AttributeType, values: [String]) throws {
        let address = try Attribute(.framedIPAddress, [10, 0, 0, 1])
        let unusual = try values.map { try Attribute(type, Vectors.bytes($0)) }
        #expect(try AccountingRequest(packet(unusual + [address])).framedAddress == InternetAddress("10.0.0.1"))
    }

    @Test(
        "two values of a name of the NAS name no NAS, also in a packet that is refused: a proxy may have added its own",
        arguments: [
            (AttributeType.nasIdentifier, ["70677731", "70726f7879"]), (.nasIPAddress, ["0a010101", "0a010102"]),
            (.nasIPv6Address, ["20010db8000000000000000000000001", "20010db8000000000000000000000002"]),
        ] as [(AttributeType, [String])])
    func twoNames(type: AttributeType, values: [String]) throws {
        let names = try values.map { try Attribute(type, Vectors.bytes($0)) }
        /// Whether a packet names its NAS as it is read, and as it is read if it is refused.
        func named(_ names: [Attribute]) throws -> [Bool] {
            let packet = try packet(names)
            var layout = PacketLayout()
            try layout.read(packet.bytes.span)
            let readable = AccountingRequest(readable: layout, in: packet.bytes.span)
            return [try AccountingRequest(packet), try #require(readable)].map {
                $0.nasIdentifier != nil || $0.nasIPAddress != nil || $0.nasIPv6Address != nil
            }
        }
        #expect(try named(names) == [false, false])
        #expect(try named([names[0], names[0]]) == [true, true])
    }

    @Test("a prefix with the interface id behind it is the prefix (RFC 3162 §2.3)")
    func prefixWithInterfaceID() throws {
        let prefix = try Attribute(.framedIPv6Prefix, Vectors.bytes("004020010db8000000010123456789abcdef"))
        #expect(try AccountingRequest(packet([prefix])).framedPrefix == IPPrefix("2001:db8:0:1::/64"))
    }

    @Test("a prefix that is repeated with fewer bytes is the same prefix, and another one is refused")
    func repeatedPrefix() throws {
        func prefix(_ hexadecimal: String) throws -> Attribute {
            try Attribute(.framedIPv6Prefix, Vectors.bytes(hexadecimal))
        }
        let long = try prefix("0040 20010db80a0b12f0 0000000000000001")
        let short = try prefix("0040 20010db80a0b12f0")
        #expect(try AccountingRequest(packet([long, short])).framedPrefix == IPPrefix("2001:db8:a0b:12f0::/64"))
        let other = try prefix("0040 20010db80a0b12f1")
        #expect(throws: PacketError(.repeated, attribute: .framedIPv6Prefix, offset: 58)) {
            try AccountingRequest(packet([long, short, other]))
        }
        let broken = try prefix("00")
        #expect(throws: PacketError(.valueLength, attribute: .framedIPv6Prefix, offset: 46)) {
            try AccountingRequest(packet([long, broken]))
        }
    }

    @Test(
        "an attribute without a value counts as absent (RFC 2865 §5)",
        arguments: [
            AttributeType.acctStatusType, .acctSessionID, .nasIdentifier, .nasIPAddress, .nasIPv6Address,
            .framedIPAddress, .framedIPv6Prefix, .callingStationID, .acctDelayTime, .eventTimestamp, .vendorSpecific,
            .extended1,
        ])
    func emptyAttributes(type: AttributeType) throws {
        let empty = try Attribute(type, [])
        #expect(try AccountingRequest(packet([empty])) == AccountingRequest(packet([])))
        let address = try Attribute(.framedIPAddress, [10, 0, 0, 1])
        #expect(try AccountingRequest(packet([empty, address, empty])) == AccountingRequest(packet([address])))
    }

    @Test("3GPP attributes without a value count as absent, except the indicator that the session ends")
    func emptyMobileAttributes() throws {
        func mobile(_ type: UInt8, _ text: String = "") throws -> Attribute {
            try Attribute(vendor: .thirdGenerationPartnershipProject, type: type, Array(text.utf8))
        }
        let request = try AccountingRequest(packet([mobile(1), mobile(8), mobile(18)]))
        #expect(request.isMobile && request.imsi == nil && request.homeNetwork == nil && request.servingNetwork == nil)
        #expect(try AccountingRequest(packet([mobile(1), mobile(1, "460001234567890")])).imsi == "460001234567890")
        #expect(try AccountingRequest(packet([mobile(11)])).endsSession)
    }

    @Test(
        "a network's code that is repeated or is not text costs nothing: the first that is text counts",
        arguments: [UInt8(8), 18])
    func networkCodes(type: UInt8) throws {
        func code(_ value: [UInt8]) throws -> Attribute {
            try Attribute(vendor: .thirdGenerationPartnershipProject, type: type, value)
        }
        let bytes = try code([0x64, 0xf0, 0x10])
        let (first, second) = (try code(Array("46001".utf8)), try code(Array("46011".utf8)))
        for attributes in [[first, second], [bytes, first, second], [first, bytes]] {
            let request = try AccountingRequest(packet(attributes))
            #expect((type == 8 ? request.homeNetwork : request.servingNetwork) == "46001")
        }
        let request = try AccountingRequest(packet([bytes]))
        #expect(request.isMobile && request.homeNetwork == nil && request.servingNetwork == nil)
    }

    @Test("an extended attribute that no code reads is ignored", arguments: ["01", "050102", "0702", "1a0000"])
    func otherExtendedAttributes(hexadecimal: String) throws {
        let attribute = try Attribute(.extended1, Vectors.bytes(hexadecimal))
        #expect(try AccountingRequest(packet([attribute])) == AccountingRequest(packet([])))
    }

    @Test("Calling-Station-Id of bytes that are not text is read, and two values of it are refused")
    func callingStationOfBytes() throws {
        let bytes = try Attribute(.callingStationID, [0x68, 0x31, 0x09, 0xf0])
        #expect(try AccountingRequest(packet([bytes, bytes])).callingStation == "h1\t\u{FFFD}")
        let other = try Attribute(.callingStationID, [0x68, 0x31, 0x09, 0xf1])
        #expect(throws: PacketError(.repeated, attribute: .callingStationID, offset: 32)) {
            try AccountingRequest(packet([bytes, other]))
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

    @Test("two values of a part of Huawei's port block are refused, and a repeated one is not", arguments: 0..<3)
    func twoBlocks(part: Int) throws {
        let values: [(type: UInt8, value: [UInt8], other: [UInt8])] = [
            (161, [203, 0, 113, 1], [203, 0, 113, 2]), (162, [0, 0, 4, 0], [0, 0, 4, 1]),
            (163, [0, 0, 5, 0], [0, 0, 5, 1]),
        ]
        let block = try values.map { try Attribute(vendor: .huawei, type: $0.type, $0.value) }
        #expect(try AccountingRequest(packet(block + [block[part]])).portBlocks.map(\.ports) == [1024...1280])
        let other = try Attribute(vendor: .huawei, type: values[part].type, values[part].other)
        #expect(throws: PacketError(.repeated, attribute: .vendorSpecific, offset: 68)) {
            try AccountingRequest(packet(block + [other]))
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
