@_spi(Server) import BenjiProtocol
import RADIUS
import ServerTestKit
import Testing

@testable import Gateway

struct FeedHealthTests {
    private let began = Timestamp(seconds: Network.start)

    private func feed(_ network: Network) throws -> GatewayFeed {
        network.gateway.processor.measureFeeds(since: began)
        return try #require(network.gateway.feeds.first)
    }

    @Test("a feed's silence counts from its last packet that was taken, and from the start where none was")
    func silence() async throws {
        let network = try Network()
        network.clock.advance(by: 40)
        #expect(try feed(network).silence == .seconds(40))
        try await network.start("a")
        network.clock.advance(by: 7)
        try await network.send(network.request(.start, "b", address: "192.0.2.77"))
        #expect(try feed(network).silence == .seconds(7))
    }

    /// Returns the measured lead of a NAS's clock after as many packets as `offsets`, which are in seconds.
    private func ahead(_ offsets: [Int64], delay: UInt32? = nil) async throws -> Duration? {
        let network = try Network()
        for (index, offset) in offsets.enumerated() {
            network.clock.advance(by: 1)
            var request = network.request(.interimUpdate, "s\(index)", address: "10.0.0.1", number: "8613800000001")
            request.eventTimestamp = UInt32(network.clock.now.seconds + offset - Int64(delay ?? 0))
            request.delay = delay
            try await network.send(request)
        }
        return try feed(network).clockAhead
    }

    @Test(
        """
        drift is what most packets share: a few late ones and recordings do not move it, and eight packets are the \
        fewest
        """
    )
    func drift() async throws {
        #expect(try await ahead([Int64](repeating: 20, count: 7)) == nil)
        #expect(try await ahead([Int64](repeating: 20, count: 8)) == .milliseconds(20_500))
        #expect(try await ahead([Int64](repeating: -45, count: 64)) == .milliseconds(-44_500))
        let noisy = (0..<64).map { $0 % 3 == 0 ? Int64(-500) : 0 }
        #expect(try await ahead(noisy) == .milliseconds(500))
        // A mean would say minutes.
        #expect(noisy.reduce(0, +) / 64 < -150)
        // The last 64 alone.
        #expect(
            try await ahead([Int64](repeating: -100, count: 100) + [Int64](repeating: 3, count: 64))
                == .milliseconds(3500))
    }

    @Test("a packet that was sent again counts as late, and not as a clock that is behind")
    func delayed() async throws {
        #expect(try await ahead([Int64](repeating: 0, count: 10), delay: 90) == .milliseconds(500))
        let network = try Network()
        var request = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        request.delay = 0
        try await network.send(request)
        #expect(try feed(network).counts.delayed == 0)
        request.delay = 5
        try await network.send(request)
        #expect(try feed(network).counts.delayed == 1)
    }

    @Test("a clock that is so far ahead that its packets are refused shows, and readiness warns of half as much")
    func refused() async throws {
        let network = try Network()
        for index in 0..<10 {
            var request = network.request(.start, "s\(index)", address: "10.0.0.1", number: "8613800000001")
            request.eventTimestamp = UInt32(network.clock.now.seconds + 300)
            try await network.send(request)
        }
        #expect(try feed(network).clockAhead == .milliseconds(300_500))
        #expect(network.gateway.warnings.map { $0.contains("5 min ahead of our clock") } == [true], "said once")
        for (offset, isWarned) in [(Int64(29), false), (31, true), (-31, true), (-30, false)] {
            let network = try Network()
            for index in 0..<10 {
                var request = network.request(.interimUpdate, "s\(index)", address: "10.0.0.1", number: "8613800000001")
                request.eventTimestamp = UInt32(network.clock.now.seconds + offset)
                try await network.send(request)
            }
            #expect(network.gateway.warnings.contains { $0.contains("the clock of") } == isWarned, "\(offset)")
        }
    }

    @Test(
        """
        Stops and Interim-Updates of sessions that had no Start are signs of loss; those that come in order, twice or \
        late are none
        """
    )
    func loss() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 1)
        try await network.send(network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001"))
        network.clock.advance(by: 1)
        for delay in [UInt32(0), 3] {
            var stop = network.request(.stop, "a", at: 2, address: "10.0.0.1")
            stop.delay = delay
            try await network.send(stop)
        }
        #expect(try feed(network).loss == FeedLoss())
        network.clock.advance(by: 1)
        try await network.send(network.request(.stop, "b", address: "10.0.0.2"))
        try await network.send(
            network.request(.interimUpdate, "c", address: "10.0.0.3", number: "8613800000003"),
            network.request(.interimUpdate, "d", address: "10.0.0.4", number: "8613800000004"))
        network.clock.advance(by: 1)
        try await network.send(network.request(.interimUpdate, "c", address: "10.0.0.3", number: "8613800000003"))
        var expected = FeedLoss()
        (expected.stopsWithoutStart, expected.sessionsWithoutStart) = (1, 2)
        #expect(try feed(network).loss == expected)
    }

    @Test(
        """
        a session is unconfirmed one and a half intervals after it was last heard of, until it is heard of again or ends
        """
    )
    func confirmation() async throws {
        var other = Network.server
        (other.name, other.sources) = ("other", [IPPrefix("192.0.2.2")!])
        let network = try Network(Network.configuration([Network.server, other]))
        for index in 0..<30 {
            try await network.start(
                "s\(index)", address: "10.0.0.\(index + 1)", number: "86138000001\(10 + index)")
        }
        func counted() throws -> [Int] {
            let confirmation = try feed(network).confirmation
            return [confirmation.sessions, confirmation.unconfirmed]
        }
        network.clock.advance(by: 900)
        #expect(try counted() == [30, 0])
        network.clock.advance(by: 1)
        #expect(try counted() == [30, 30])
        for index in 0..<24 {
            try await network.send(
                network.request(
                    .interimUpdate, "s\(index)", address: "10.0.0.\(index + 1)", number: "86138000001\(10 + index)"))
        }
        #expect(try counted() == [30, 6])
        #expect(!network.gateway.warnings.contains { $0.contains("has not confirmed") })
        try await network.send(network.request(.stop, "s0", address: "10.0.0.1"))
        #expect(try counted() == [29, 6])
        #expect(
            network.gateway.warnings.contains {
                $0.hasPrefix("NAS pgw has not confirmed 6 of its 29 sessions for one and a half of its intervals")
            })
        #expect(network.gateway.feeds.last?.confirmation == FeedConfirmation())
    }
}
