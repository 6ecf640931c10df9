@_spi(Server) import BenjiProtocol
import NIOCore
import NIOEmbedded
import NIOSSL
import ServerTestKit
import Testing

@testable import Gateway

/// The connections that a listener keeps, and its log and metrics. Both ends of TLS are in memory.
struct RadSecListenerTests {
    private typealias House = RadSecTrustTests.House

    private static let packet = RadSecTrustTests.packet

    /// A house of one NAS, and a certificate of it.
    private func house(
        limits: RadSecLimits = RadSecLimits(), queueLimit: Int = 1000
    ) throws -> (House, CertificateMaker.Issued) {
        let house = try House([[.host("a.example")]], limits: limits, queueLimit: queueLimit)
        return (house, try house.authority.issue(hosts: ["a.example"]))
    }

    @Test("packets for which the queue has no room are told with their NAS, and their connection ends")
    func shed() async throws {
        let (house, client) = try house(queueLimit: 1)
        let call = try house.connect(client, sending: Self.packet + Self.packet + Self.packet)
        #expect(house.shed == ["0 2"] && !call.server.isActive)
        let (roomy, other) = try self.house(queueLimit: 3)
        let open = try roomy.connect(other, sending: Self.packet + Self.packet + Self.packet)
        #expect(roomy.shed.isEmpty && open.server.isActive)
    }

    @Test("a connection that ends in the middle of a packet may have lost one, and one that ends behind it has not")
    func brokenOff() throws {
        for (bytes, lost) in [(Self.packet, []), (Self.packet + Self.packet.prefix(5), [0])] {
            let (house, client) = try house()
            let call = try house.connect(client, sending: bytes)
            call.client.close(promise: nil)
            call.settle()
            #expect(!call.server.isActive)
            #expect(house.brokenOff == lost && house.noted.isEmpty)
            #expect(house.book.lines == ["info a NAS has connected over TLS nas=nas-0"], "a client may hang up")
        }
    }

    @Test("bytes that are no packet are a fault of the NAS whose certificate it was")
    func malformed() throws {
        let (house, client) = try house()
        let call = try house.connect(client, sending: [4, 1, 0, 19] + [UInt8](repeating: 0, count: 16))
        #expect(house.noted == ["0 malformed"] && !call.server.isActive)
        #expect(
            house.book.lines == [
                "info a NAS has connected over TLS nas=nas-0",
                "notice a connection for accounting has ended nas=nas-0 reason=malformed",
            ])
    }

    @Test("why a connection ends is told once a minute for each reason and NAS, with the address of a stranger")
    func told() throws {
        let (house, _) = try house()
        let stranger = try house.authority.issue(hosts: ["b.example"])
        let line = "notice a connection for accounting has ended from=0.0.0.0 reason=unknown_client"
        for (seconds, count) in [(0, 1), (0, 1), (59, 1), (1, 2), (59, 2), (-60, 3), (59, 3), (1, 4)] as [(Int64, Int)]
        {
            house.clock.set(by: .seconds(seconds))
            let call = try house.connect(stranger)
            #expect(!call.server.isActive)
            #expect(house.book.lines == Array(repeating: line, count: count))
        }
        // Another reason is told in the same minute.
        let bare = EmbeddedChannel()
        bare.remoteAddress = try SocketAddress(ipAddress: "192.0.2.9", port: 40_000)
        try house.listener.begin(bare)
        bare.connect(to: try SocketAddress(ipAddress: "192.0.2.9", port: 40_000), promise: nil)
        bare.close(promise: nil)
        // TLS waits for the other end to say goodbye.
        bare.embeddedEventLoop.advanceTime(by: .seconds(6))
        #expect(house.book.lines.count == 5)
        #expect(house.book.lines.last?.contains("has ended from=192.0.2.9 reason=handshake tls=") == true)
    }

    @Test("a further connection of a NAS ends its oldest one, which is told once")
    func tooMany() throws {
        var limits = RadSecLimits()
        limits.connectionsPerServer = 1
        let (house, client) = try house(limits: limits)
        let calls = try [0, 1].map { _ in try house.connect(client) }
        for call in calls { call.settle() }
        #expect(calls.map(\.server.isActive) == [false, true])
        #expect(
            house.book.lines == [
                "info a NAS has connected over TLS nas=nas-0",
                "notice a connection for accounting has ended nas=nas-0 reason=too_many",
                "info a NAS has connected over TLS nas=nas-0",
            ])
    }

    @Test("a stranger who has gone, or shown a certificate, holds no place among the strangers")
    func strangers() throws {
        var limits = RadSecLimits()
        limits.strangers = 2
        let (house, client) = try house(limits: limits)
        func stranger() throws -> EmbeddedChannel {
            let channel = EmbeddedChannel()
            try house.listener.begin(channel)
            channel.connect(to: try SocketAddress(ipAddress: "192.0.2.9", port: 40_000), promise: nil)
            return channel
        }
        let first = try stranger()
        let second = try stranger()
        second.close(promise: nil)
        second.embeddedEventLoop.advanceTime(by: .seconds(6))
        #expect(!second.isActive)
        let known = try house.connect(client)
        let third = try stranger()
        #expect([first, third].map(\.isActive) == [true, true] && known.server.isActive)
        let fourth = try stranger()
        first.embeddedEventLoop.advanceTime(by: .seconds(6))
        #expect([first, third, fourth].map(\.isActive) == [false, true, true] && known.server.isActive)
    }

    @Test("a certificate's common name counts only if there are no alternative names")
    func commonNames() throws {
        let house = try House()
        func names(_ client: CertificateMaker.Issued) throws -> [String] {
            let certificate = try #require(ClientCertificate(client.certificate))
            return certificate.names.map(\.description).filter { !$0.hasPrefix("sha256:") }.sorted()
        }
        let authority = house.authority
        #expect(try names(authority.issue(common: "A.example")) == ["a.example"])
        let named = try authority.issue(common: "a.example", hosts: ["b.example"], uris: ["urn:x"])
        #expect(try names(named) == ["b.example", "urn:x"])
        #expect(try names(authority.issue(common: "a.example", uris: ["urn:x"])) == ["urn:x"])
    }

    @Test("a certificate counts from its first second to its last")
    func life() throws {
        let authority = try CertificateMaker()
        let now = authority.certificate.notValidBefore
        let client = try authority.issue(hosts: ["a.example"], valid: 0...0)
        let certificate = try #require(ClientCertificate(client.certificate))
        #expect(certificate.life.count == 1 && certificate.life.lowerBound > Int64(now))
        let (house, _) = try house()
        for (offset, isIn) in [(-1, false), (0, true), (100, true), (101, false)] as [(Int64, Bool)] {
            let begin = house.clock.now.seconds - offset
            let certificate = ClientCertificate(names: [.host("a.example")], life: begin...(begin + 100))
            let admitted = try? house.listener.admit(certificate, EmbeddedChannel()).get()
            #expect((admitted != nil) == isIn, "\(offset)")
        }
    }
}
