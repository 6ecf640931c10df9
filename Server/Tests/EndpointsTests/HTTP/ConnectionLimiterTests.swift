import BenjiProtocol
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ServerHTTP

@Suite("How many connections an address may have")
struct ConnectionLimiterTests {
    private func address(_ text: String) throws -> InternetAddress { try #require(InternetAddress(text)) }

    @Test("an address has as many as it may, whatever others have, and gets back what it gave up")
    func counts() throws {
        let limiter = ConnectionLimiter(limit: 2)
        let (one, other) = (try address("127.0.0.1"), try address("127.0.0.2"))
        let places = [limiter.admit(one), limiter.admit(one), limiter.admit(one), limiter.admit(other)]
        #expect(places.map { $0 != nil } == [true, true, false, true])
        limiter.leave(try #require(places[0]))
        #expect([limiter.admit(one), limiter.admit(one)].map { $0 != nil } == [true, false])
    }

    @Test(
        """
        where the oldest makes room, a phone is let in however many its guests hold, and its address has no more than \
        it may
        """
    )
    func oldest() throws {
        let phone = try address("10.0.0.1")
        let refusing = ConnectionLimiter(limit: 3)
        for _ in 0..<3 { _ = refusing.admit(phone) }
        #expect(refusing.admit(phone) == nil, "the double must fall")
        let closed = Mutex<[Int]>([])
        let limiter = ConnectionLimiter(limit: 3, closesOldest: true)
        let guests = (0..<10).map { index in limiter.admit(phone) { closed.withLock { $0.append(index) } } }
        #expect(guests.allSatisfy { $0 != nil } && closed.withLock { $0 } == [0, 1, 2, 3, 4, 5, 6])
        let own = try #require(limiter.admit(phone) { closed.withLock { $0.append(99) } })
        // A guest that was closed leaves without making room twice.
        for guest in guests { limiter.leave(try #require(guest)) }
        for _ in 0..<2 { #expect(limiter.admit(phone) != nil) }
        #expect(!closed.withLock { $0 }.contains(99))
        limiter.leave(own)
    }

    @Test("one subscriber's IPv6 addresses count as one")
    func prefix() throws {
        let limiter = ConnectionLimiter(limit: 1)
        #expect(limiter.admit(try address("2001:db8::1")) != nil)
        #expect(limiter.admit(try address("2001:db8::2")) == nil)
        #expect(limiter.admit(try address("2001:db8:0:1::1")) != nil)
    }

    @Test("addresses without connections are forgotten")
    func forgets() throws {
        let limiter = ConnectionLimiter(limit: 2)
        for last in 1...200 {
            let address = try address("10.0.0.\(last)")
            limiter.leave(try #require(limiter.admit(address)))
        }
        #expect(limiter.addresses == 0)
    }

    @Test("one connection too many is closed at once; when one ends another is taken")
    func channels() throws {
        let limiter = ConnectionLimiter(limit: 1)
        func connect() throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(handler: ConnectionLimiterHandler(limiter))
            channel.remoteAddress = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
            try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
            return channel
        }
        let first = try connect()
        #expect(first.isActive)
        #expect(!(try connect().isActive))
        try first.close().wait()
        first.embeddedEventLoop.run()
        #expect(limiter.addresses == 0)
        #expect(try connect().isActive)
    }
}
