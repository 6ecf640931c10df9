import Testing

@testable import RADIUS

struct ResponseTests {
    private let secret = SharedSecret("a secret of 16 b")!

    @Test("an answer repeats the Proxy-States in order, and the asker can check it")
    func proxyStates() throws {
        let request = try Packet(decoding: Vectors.start)
        let response = try Packet(decoding: request.accountingResponse(secret: Vectors.secret))
        #expect(response.code == .accountingResponse)
        #expect(response.all(.proxyState).map { Array($0.value) } == [[1, 2], [3]])
        #expect(response.hasValidResponseAuthenticator(to: request, secret: Vectors.secret))
        #expect(!response.hasValidResponseAuthenticator(to: request, secret: secret))
        #expect(!response.attributes.contains { $0.type == .messageAuthenticator })
    }

    @Test("a Status-Server is answered with a Message-Authenticator")
    func messageAuthenticator() throws {
        let request = try Packet(decoding: Vectors.statusServer)
        let response = try Packet(decoding: request.accountingResponse(secret: Vectors.secret))
        #expect(response.hasValidResponseAuthenticator(to: request, secret: Vectors.secret))
        #expect(try response.hasValidMessageAuthenticator(answering: request, secret: Vectors.secret) == true)
    }

    @Test("an Accounting-Request with a Message-Authenticator is answered without one, which FreeRADIUS would refuse")
    func noMessageAuthenticator() throws {
        let request = try Packet(decoding: Vectors.stop)
        #expect(try request.hasValidMessageAuthenticator(secret: Vectors.secret) == true)
        let response = try Packet(decoding: request.accountingResponse(secret: Vectors.secret))
        #expect(response.hasValidResponseAuthenticator(to: request, secret: Vectors.secret))
        #expect(!response.attributes.contains { $0.type == .messageAuthenticator })
    }

    @Test(
        "what we build as a NAS passes our own checks, with and without Message-Authenticator",
        arguments: [true, false])
    func building(withMessageAuthenticator: Bool) throws {
        var request = AccountingRequest(status: .start, sessionID: "s-1")
        request.callingStation = "8613800138000"
        let bytes = try request.packet(
            identifier: 7, secret: secret, proxyStates: [[9]], withMessageAuthenticator: withMessageAuthenticator)
        let packet = try Packet(decoding: bytes)
        #expect(packet.hasValidRequestAuthenticator(secret: secret))
        #expect(try packet.hasValidMessageAuthenticator(secret: secret) == (withMessageAuthenticator ? true : nil))
        #expect(packet.all(.proxyState).count == 1)
    }

    @Test("a Status-Server that we build passes radclient's kind of check")
    func buildingStatusServer() throws {
        let bytes = try Packet.statusServer(identifier: 1, authenticator: [UInt8](1...16), secret: secret)
        let packet = try Packet(decoding: bytes)
        #expect(try packet.hasValidMessageAuthenticator(secret: secret) == true)
        #expect(bytes.count == 38)
        #expect(throws: PacketError(.valueLength, offset: 4)) {
            try Packet.statusServer(identifier: 1, authenticator: [1], secret: secret)
        }
    }

    @Test("an answer that grew past 4095 bytes is refused rather than cut")
    func tooLong() throws {
        let states = try (0..<16).map { _ in try Attribute(.proxyState, [UInt8](repeating: 1, count: 253)) }
        #expect(throws: PacketError(.tooLong, offset: 4095)) {
            try Packet.accountingRequest(identifier: 1, attributes: states + states, secret: secret)
        }
    }

    @Test("equality in constant time is equality")
    func constantTime() {
        #expect(Packet.equalInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(!Packet.equalInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!Packet.equalInConstantTime([1, 2, 3], [0, 2, 3]))
        #expect(!Packet.equalInConstantTime([1, 2, 3], [1, 2]))
    }

    @Test("a secret does not show in print, debug print or dump")
    func secretIsNotPrinted() {
        var text = "\(secret) \(String(reflecting: secret))"
        dump(secret, to: &text)
        #expect(!text.contains("16 b"))
        #expect(SharedSecret("") == nil)
        #expect(SharedSecret("short")!.isShort && !secret.isShort)
    }
}
