import BenjiProtocol
import NIOCore
import NIOEmbedded
import Testing

@testable import Endpoints

@Suite("How many connections an address may have")
struct ConnectionCrowdTests {
    private func address(_ text: String) throws -> InternetAddress { try #require(InternetAddress(text)) }

    @Test("an address has as many as it may, whatever others have, and gets back what it gave up")
    func counts() throws {
        let crowd = ConnectionCrowd(limit: 2)
        let (one, other) = (try address("127.0.0.1"), try address("127.0.0.2"))
        #expect(
            [crowd.admit(one), crowd.admit(one), crowd.admit(one), crowd.admit(other)] == [true, true, false, true])
        crowd.leave(one)
        #expect([crowd.admit(one), crowd.admit(one)] == [true, false])
    }

    @Test("one subscriber's IPv6 addresses count as one")
    func prefix() throws {
        let crowd = ConnectionCrowd(limit: 1)
        #expect(crowd.admit(try address("2001:db8::1")))
        #expect(!crowd.admit(try address("2001:db8::2")))
        #expect(crowd.admit(try address("2001:db8:0:1::1")))
    }

    @Test("addresses without connections are forgotten")
    func forgets() throws {
        let crowd = ConnectionCrowd(limit: 2)
        for last in 1...200 {
            let address = try address("10.0.0.\(last)")
            #expect(crowd.admit(address))
            crowd.leave(address)
        }
        #expect(crowd.addresses == 0)
    }

    @Test("one connection too many is closed at once; when one ends another is taken")
    func channels() throws {
        let crowd = ConnectionCrowd(limit: 1)
        func connect() throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(handler: ConnectionCrowdHandler(crowd))
            channel.remoteAddress = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
            try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
            return channel
        }
        let first = try connect()
        #expect(first.isActive)
        #expect(!(try connect().isActive))
        try first.close().wait()
        first.embeddedEventLoop.run()
        #expect(crowd.addresses == 0)
        #expect(try connect().isActive)
    }
}
