@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// Packets of connections: they act as datagrams do, except for their sender and for repetitions.
struct RadSecPacketTests {
    private static let east = server("east", pool: "10.0.0.0/9")
    private static let west = server("west", pool: "10.128.0.0/9")

    private static func server(_ name: String, pool: String) -> NetworkAccessServer {
        NetworkAccessServer(
            name: name, sources: [], certificates: [.host("\(name).example")], secret: .radSec, domain: "cmnet",
            pools: [IPPrefix(pool)!], carrier: .mobile)
    }

    private func network() throws -> Network { try Network(Network.configuration([Self.east, Self.west])) }

    private func batch(
        _ requests: [AccountingRequest], through number: Int = 1, nas: Int = 0, secret: SharedSecret = .radSec
    ) throws -> DatagramBatch {
        var batch = DatagramBatch()
        for (identifier, request) in requests.enumerated() {
            try request.packet(identifier: UInt8(identifier), secret: secret).withUnsafeBytes {
                batch.append(
                    $0, from: Network.source, port: 40_000, socket: -1, connection: .init(number: number, nas: nas))
            }
        }
        return batch
    }

    /// The answers and refusals, with those to packets that waited for the register.
    private func process(_ batch: DatagramBatch, _ network: Network) async -> [AnswerBatch.Reply] {
        var replies = await network.gateway.processor.process(batch).replies
        await network.gateway.processor.settleAll { replies += $0.replies }
        return replies
    }

    @Test("a session begins and ends by packets of a connection, each answered on it")
    func session() async throws {
        let network = try network()
        let start = try batch([network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")], through: 3)
        let started = await process(start, network)
        #expect(started.map(\.connection) == [3] && started.allSatisfy { !$0.range.isEmpty && !$0.closes })
        #expect(network.holder() == .success(1))
        network.clock.advance(by: 1)
        let stopped = await process(try batch([network.request(.stop, "a", address: "10.0.0.1")], through: 4), network)
        #expect(stopped.map(\.connection) == [4] && stopped.allSatisfy { !$0.range.isEmpty })
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test("a packet that comes again through another connection is answered there and changes nothing")
    func again() async throws {
        let network = try network()
        let start = [network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")]
        _ = await process(try batch(start, through: 1), network)
        network.clock.advance(by: 1)
        let other = [network.request(.start, "b", address: "10.0.0.1", number: "8613800000002")]
        _ = await process(try batch(other, through: 1), network)
        let before = network.register.observed
        let again = await process(try batch(start, through: 2), network)
        #expect(again.map(\.connection) == [2] && again.allSatisfy { !$0.range.isEmpty })
        #expect(network.holder() == .success(2) && network.register.observed == before)
    }

    @Test("what one NAS said, said by another under its own certificate, touches nobody")
    func otherPool() async throws {
        let network = try network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        _ = await process(try batch([start]), network)
        network.clock.advance(by: 1)
        for status in [AccountingStatus.start, .interimUpdate, .stop] {
            let request = network.request(status, "a", address: "10.0.0.1", number: "8613800000002")
            let replies = await process(try batch([request], through: 2, nas: 1), network)
            #expect(replies.allSatisfy { $0.range.isEmpty })
        }
        // The same words without the address are about its own session of that name.
        let stop = network.request(.stop, "a")
        _ = await process(try batch([stop, network.request(.accountingOff, "")], through: 2, nas: 1), network)
        #expect(network.holder() == .success(1))
        #expect(network.gateway.counts.packets["outside_pools"] == 3)
        // A gateway that trusts the packet's sender, not the certificate, believes all of it: both name pgw-1.
        let naive = try await naiveHolder(after: stop)
        #expect(naive == .failure(.unknownAddress))
    }

    /// The holder where each connection may speak for each NAS.
    private func naiveHolder(after stop: AccountingRequest) async throws -> Result<Int64, SightingRefusal> {
        let network = try network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        _ = await process(try batch([start]), network)
        _ = await process(try batch([stop], through: 2, nas: 0), network)
        return network.holder()
    }

    @Test("an authenticator under another secret than radsec ends the connection unanswered")
    func secret() async throws {
        let network = try network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        let replies = await process(try batch([start], secret: Network.secret), network)
        #expect(replies.map(\.closes) == [true] && replies.allSatisfy { $0.range.isEmpty })
        #expect(network.holder() == .failure(.unknownAddress))
    }

    /// A packet of accounting with these attributes, signed.
    private func packet(_ attributes: [Attribute]) throws -> DatagramBatch {
        let bytes = try Packet.accountingRequest(identifier: 1, attributes: attributes, secret: .radSec)
        return reading(bytes)
    }

    private func reading(_ bytes: [UInt8]) -> DatagramBatch {
        var batch = DatagramBatch()
        bytes.withUnsafeBytes {
            batch.append($0, from: Network.source, port: 40_000, socket: -1, connection: .init(number: 1, nas: 0))
        }
        return batch
    }

    @Test(
        """
        a whole packet that says nothing usable is discarded and leaves its connection open, however often it comes; \
        the next one is answered
        """
    )
    func unusable() async throws {
        let network = try network()
        let good = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        let attributes = try good.attributes()
        let unusable = [
            attributes.filter { $0.type != .acctSessionID }, attributes.filter { $0.type != .acctStatusType },
            attributes + [try Attribute(.eventTimestamp, [1, 2, 3])],
            attributes + [try Attribute(.framedIPAddress, [10, 0, 0, 2])],
        ]
        for (place, each) in unusable.enumerated() {
            for _ in 0..<2 {
                let replies = await process(try packet(each), network)
                #expect(replies.map(\.closes) == [false] && replies.allSatisfy { $0.range.isEmpty }, "\(place)")
            }
        }
        #expect(network.holder() == .failure(.unknownAddress))
        #expect(network.gateway.counts.packets["invalid"] == 8)
        #expect(await process(try batch([good]), network).allSatisfy { !$0.range.isEmpty && !$0.closes })
        #expect(network.holder() == .success(1))
    }

    @Test("attributes that do not fit the packet, and a Message-Authenticator that is none, end the connection")
    func broken() async throws {
        let network = try network()
        let header = [4, 1, 0, 22] + [UInt8](repeating: 9, count: 16)
        for attribute: [UInt8] in [[44, 0], [44, 1], [44, 3]] {
            #expect(await process(reading(header + attribute), network).map(\.closes) == [true], "\(attribute)")
        }
        let marked = try network.request(.start, "a").attributes() + [try Attribute(.messageAuthenticator, [1, 2])]
        #expect(await process(try packet(marked), network).map(\.closes) == [true])
        #expect(network.gateway.counts.packets["malformed"] == 4)
    }

    @Test(
        """
        nothing is answered before it is kept: a register that fails ends the connection, and the packet counts when \
        it comes again
        """
    )
    func failing() async throws {
        let network = try network()
        network.register.setFailing(true)
        let start = [network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")]
        let replies = await process(try batch(start), network)
        #expect(replies.map(\.closes) == [true] && replies.allSatisfy { $0.range.isEmpty })
        network.register.setFailing(false)
        #expect(await process(try batch(start, through: 2), network).allSatisfy { !$0.range.isEmpty })
        #expect(network.holder() == .success(1))
    }

    @Test(
        """
        a Status-Server is answered on its connection; one without Message-Authenticator, and an Access-Request, end it
        """
    )
    func otherCodes() async throws {
        let network = try network()
        func reply(_ packet: [UInt8]) async -> AnswerBatch.Reply? {
            var batch = DatagramBatch()
            packet.withUnsafeBytes {
                batch.append($0, from: Network.source, port: 1, socket: -1, connection: .init(number: 1, nas: 0))
            }
            return await process(batch, network).first
        }
        let header = [12, 1, 0, 20] + [UInt8](repeating: 9, count: 16)
        #expect(await reply(header)?.closes == true)
        #expect(await reply([1] + header.dropFirst())?.closes == true)
        let signed = try Packet.statusServer(identifier: 1, authenticator: Array(header.suffix(16)), secret: .radSec)
        let answered = try #require(await reply(signed))
        #expect(!answered.closes && !answered.range.isEmpty)
    }

    @Test(
        """
        a connection that was broken off with packets in it leaves its NAS's phones in doubt until they are heard of \
        again
        """
    )
    func brokenOff() async throws {
        let network = try network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        _ = await process(try batch([start]), network)
        network.clock.advance(by: 1)
        network.gateway.processor.didBreakOff(0)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        network.clock.advance(by: 1)
        let update = network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001")
        _ = await process(try batch([update], through: 2), network)
        #expect(network.holder() == .success(1))
    }
}
