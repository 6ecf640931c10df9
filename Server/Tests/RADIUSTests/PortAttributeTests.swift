import BenjiProtocol
import Testing

@testable import RADIUS

/// RFC 8045.
struct PortAttributeTests {
    @Test("all eleven kinds of TLV but the unknown are read")
    func allFields() throws {
        let value = Vectors.bytes(
            "07 0106 00000006 0206 00000064 0306 cb007101 0406 0a000001 0606 00000050 0706 00001f90 0806 00000001 0b05 "
                + "616263"
        )
        let port = try #require(try PortAttribute(Attribute(.extended1, value)))
        #expect(port.kind == .forwardingMap)
        #expect(port.limit == 100)
        #expect(port.externalAddress == InternetAddress("203.0.113.1"))
        #expect(port.internalAddress == InternetAddress("10.0.0.1"))
        #expect(port.internalPort == 80 && port.externalPort == 8080)
        #expect(port.isAllocated == true)
    }

    @Test(
        "each of the three attributes survives a round trip",
        arguments: [PortAttribute.Kind.limitInfo, .range, .forwardingMap])
    func roundTrip(kind: PortAttribute.Kind) throws {
        var port = PortAttribute(kind: kind)
        port.limit = 1
        port.externalAddress = InternetAddress("203.0.113.1")
        port.internalAddress = InternetAddress("2001:db8::1")
        port.internalPort = 1
        port.externalPort = 65535
        port.isAllocated = false
        port.ports = 0...65535
        #expect(try PortAttribute(port.encoded()) == port)
    }

    @Test("another extended type is not ours", arguments: [UInt8(1), 4, 8, 26])
    func otherTypes(type: UInt8) throws {
        #expect(try PortAttribute(Attribute(.extended1, [type, 1, 2])) == nil)
    }

    @Test(
        "a TLV that breaks its type is refused",
        arguments: [
            ("", PacketError.Problem.valueLength), ("06 09", .attributeLength), ("06 0901", .attributeLength),
            ("06 0907 00000001", .attributeLength), ("06 0905 000001", .valueLength), ("06 0906 00010000", .portRange),
            ("06 0906 00000010", .portRange), ("06 0906 00000010 0a06 0000000f", .portRange),
            ("06 0306 01020304 0306 01020304", .repeated), ("06 0305 010203", .valueLength),
        ] as [(String, PacketError.Problem)])
    func broken(hexadecimal: String, problem: PacketError.Problem) throws {
        let attribute = try Attribute(.extended1, Vectors.bytes(hexadecimal))
        let error = #expect(throws: PacketError.self) { try PortAttribute(attribute) }
        #expect(error?.problem == problem)
    }
}
