@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import Sightings
import Testing

@testable import Gateway

struct FailClosedTests {
    @Test("while the register is asked about a Start, the address's old owner is not named")
    func duringObserve() async throws {
        let network = try Network()
        try await network.start("old")
        network.clock.advance(by: 10)
        let seen = NIOLockedValueBox<[Result<Sighting, SightingRefusal>]>([])
        let gateway = network.gateway
        network.register.duringObserve {
            let sighting = gateway.sighting(
                from: InternetAddress("10.0.0.1")!, port: 1, domain: "cmnet", claimedLocalAddress: nil)
            seen.withLockedValue { $0.append(sighting) }
        }
        try await network.start("new", number: "8613800000002")
        #expect(seen.withLockedValue { $0 } == [.failure(.unconfirmedAddress)])
        #expect(network.holder() == .success(2))
    }

    @Test("a register that fails: no answer, no sighting of the address, and the NAS's repetition succeeds")
    func failingRegister() async throws {
        let network = try Network()
        try await network.start("old")
        network.clock.advance(by: 10)
        network.register.setFailing(true)
        let start = network.request(.start, "new", address: "10.0.0.1", number: "8613800000002")
        let packet = try network.datagram(start)
        #expect(await network.gateway.processor.process([packet]).isEmpty)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        network.register.setFailing(false)
        #expect(await network.gateway.processor.process([packet]).count == 1)
        #expect(network.holder() == .success(2))
    }

    @Test("a revocation that fails holds the answer back and is made up for")
    func failingRevocation() async throws {
        let network = try Network()
        try await network.start("a")
        let binding = try network.sighting().get().binding
        network.clock.advance(by: 100)
        network.register.setFailing(true)
        let stop = network.request(.stop, "a", at: 10)
        #expect(try await network.send(stop) == 0)
        network.register.setFailing(false)
        #expect(try await network.send(stop) == 1)
        #expect(network.register.revoked == [binding])
    }

    @Test("packets over the limit put the addresses they name in doubt")
    func rateLimit() async throws {
        var server = Network.server
        server.rateLimit = 1
        let network = try Network(Network.configuration([server]))
        try await network.start("old")
        network.clock.advance(by: 1)
        try await network.start("other", address: "10.0.0.2", number: "8613800000003")
        try await network.start("new", number: "8613800000002")
        #expect(network.gateway.counts.packets["rate_limited"] == 1)
        #expect(network.holder() == .failure(.unconfirmedAddress))
    }

    @Test("a queue keeps to its limit, gives what waits at once, and ends after the last packet")
    func queue() async throws {
        let queue = DatagramQueue(limit: 3)
        func packets(_ numbers: ClosedRange<UInt8>) -> DatagramBatch {
            DatagramBatch(
                numbers.map { Datagram(bytes: [$0], source: InternetAddress(v4Value: UInt32($0)), port: 1) })
        }
        #expect(queue.offer(packets(0...1)).isEmpty)
        #expect(queue.offer(packets(2...4)) == [InternetAddress(v4Value: 3), InternetAddress(v4Value: 4)])
        #expect(await queue.next()?.all == [[0], [1], [2]])
        queue.wake()
        #expect(await queue.next()?.isEmpty == true)
        #expect(queue.offer(packets(0...0)).isEmpty)
        queue.finish()
        #expect(queue.offer(packets(1...1)).count == 1)
        #expect(await queue.next()?.count == 1)
        #expect(await queue.next() == nil)
    }

    @Test("a queue gives packets in their order, whole, and so many at once that a journal's commit stays small")
    func batches() async {
        let queue = DatagramQueue(limit: 10_000)
        var sent: [[UInt8]] = []
        for size in [1, 700, 700, 64, 1100] {
            let packets = (0..<size).map { index in
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 1 + index % 3)
                return Datagram(bytes: bytes, source: Network.source, port: 1)
            }
            sent += packets.map(\.bytes)
            #expect(queue.offer(DatagramBatch(packets)).isEmpty)
        }
        var received: [[UInt8]] = []
        while received.count < sent.count, let batch = await queue.next() {
            #expect((1...1024).contains(batch.count))
            received += batch.all
        }
        #expect(received == sent)
    }

    @Test("more sessions than the limit are not answered")
    func full() async throws {
        var configuration = Network.configuration()
        configuration.sessionLimit = 2
        let network = try Network(configuration)
        try await network.start("a", address: "10.0.0.1")
        try await network.start("b", address: "10.0.0.2", number: "8613800000002")
        let third = network.request(.start, "c", address: "10.0.0.3", number: "8613800000003")
        #expect(try await network.send(third) == 0)
        #expect(network.gateway.counts.packets["full"] == 1)
        #expect(network.gateway.counts.packets["unavailable"] == 0)
        #expect(network.gateway.feeds[0].counts.faults.mapValues(\.count) == [.dropped(.full): 1])
        #expect(network.holder("10.0.0.3") == .failure(.unknownAddress))
    }

    @Test("a Status-Server is answered if it proves its sender, and only then")
    func statusServer() async throws {
        let network = try Network()
        func ask(_ bytes: [UInt8]) async -> [[UInt8]] {
            await network.gateway.processor.process([Datagram(bytes: bytes, source: Network.source, port: 1)]).map(
                \.bytes)
        }
        let request = try Packet.statusServer(identifier: 1, authenticator: [UInt8](0..<16), secret: Network.secret)
        let answer = try Packet(decoding: try #require(await ask(request).first))
        #expect(answer.code == .accountingResponse)
        #expect(
            try answer.hasValidMessageAuthenticator(answering: Packet(decoding: request), secret: Network.secret)
                == true)
        #expect(await ask([12, 1, 0, 20] + [UInt8](0..<16)).isEmpty)
        #expect(await ask([1, 1, 0, 20] + [UInt8](0..<16)).isEmpty)
        #expect(network.gateway.counts.packets["unexpected_code"] == 1)
        #expect(network.gateway.counts.packets["bad_authenticator"] == 1)
    }

    @Test("a configuration that cannot work is refused with all its faults")
    func configuration() {
        var twin = Network.server
        twin.pools = []
        #expect(
            throws: GatewayConfigurationError(problems: [
                "two NASes are called pgw", "pgw: no address pools, so nothing it says can be accepted",
                "pgw and pgw share source addresses in 192.0.2.1/32",
            ])
        ) { try Network(Network.configuration([Network.server, twin])) }
        for name in ["", String(repeating: "p", count: 65)] {
            var nameless = Network.server
            nameless.name = name
            #expect(throws: GatewayConfigurationError(problems: ["a NAS needs a name of 1 to 64 bytes"])) {
                try Network(Network.configuration([nameless]))
            }
        }
    }
}
