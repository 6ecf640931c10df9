@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// Packets wait for the register beside the others, and lose nothing by it.
struct WaitingForRegisterTests {
    /// Processes packets as one batch, without asking the register. Answers how many were answered.
    private func process(_ network: Network, _ requests: AccountingRequest...) async throws -> Int {
        let batch = DatagramBatch(try requests.map { try network.datagram($0) })
        return await network.gateway.processor.process(batch).count
    }

    private func settle(_ network: Network) async -> Int {
        await network.gateway.processor.askRegister()
        return await network.gateway.processor.process(DatagramBatch()).count
    }

    @Test("a packet that needs nothing from the register is answered while another waits, which is answered afterwards")
    func beside() async throws {
        let network = try Network()
        try await network.start("known")
        network.clock.advance(by: 1)
        let start = network.request(.start, "new", address: "10.0.0.2", number: "8613800000002")
        #expect(try await process(network, start, network.request(.interimUpdate, "known")) == 1)
        #expect(network.holder("10.0.0.2") == .failure(.unknownAddress))
        #expect(network.gateway.processor.hasUnsettled)
        #expect(await settle(network) == 1)
        #expect(network.holder("10.0.0.2") == .success(2))
        #expect(!network.gateway.processor.hasUnsettled)
    }

    @Test("a packet that waits is not taken twice")
    func inProgress() async throws {
        let network = try Network()
        let packet = try network.datagram(network.request(.start, "a", address: "10.0.0.1", number: "8613800000001"))
        for _ in 0..<2 {
            #expect(await network.gateway.processor.process(DatagramBatch([packet])).count == 0)
        }
        #expect(await settle(network) == 1)
        #expect(network.register.observed == 1)
        #expect(network.gateway.counts.packets["in_progress"] == 1)
    }

    @Test("an address whose next holder waits answers nothing, until the last who waits for it is settled")
    func suspended() async throws {
        let network = try Network()
        try await network.start("old")
        network.clock.advance(by: 10)
        func claim(_ bearer: String, at time: Int64) throws -> Datagram {
            try network.datagram(
                network.request(
                    .start, bearer, at: time, address: "10.0.0.1", number: "8613800000002", imsi: "460001234567890"))
        }
        #expect(await network.gateway.processor.process(DatagramBatch([try claim("first", at: 5)])).count == 0)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        // The second comes while the register is being asked about the first.
        let second = DatagramBatch([try claim("second", at: 7)])
        network.register.duringObserve { [processor = network.gateway.processor] in _ = await processor.process(second)
        }
        await network.gateway.processor.askRegister()
        network.register.duringObserve(nil)
        #expect(await network.gateway.processor.process(DatagramBatch()).count == 1)
        // The first has the address now, and the second may be about to take it.
        #expect(network.holder() == .failure(.unconfirmedAddress))
        #expect(await settle(network) == 1)
        // It was one more bearer of the same session.
        #expect(network.holder() == .success(2))
    }

    @Test("a Stop that comes while its Start waits is not undone by it")
    func stopped() async throws {
        let network = try Network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        #expect(try await process(network, start) == 0)
        network.clock.advance(by: 1)
        #expect(try await process(network, network.request(.stop, "a", address: "10.0.0.1")) == 1)
        #expect(await settle(network) == 1)
        #expect(network.holder() == .failure(.unknownAddress))
    }

    @Test("a row that is erased while the register is asked about it is forgotten")
    func erased() async throws {
        let network = try Network()
        let start = network.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        #expect(try await process(network, start) == 0)
        await network.gateway.processor.askRegister()
        network.gateway.forget([1])
        #expect(await network.gateway.processor.process(DatagramBatch()).count == 1)
        #expect(network.holder() == .failure(.unconfirmedAddress))

        let other = network.request(.start, "b", address: "10.0.0.2", number: "8613800000002")
        #expect(try await process(network, other) == 0)
        network.gateway.forget([2])
        #expect(await network.gateway.processor.process(DatagramBatch()).count == 0)
        #expect(await settle(network) == 1)
        #expect(network.holder("10.0.0.2") == .failure(.unconfirmedAddress))
    }

    @Test("what cannot wait any more is not answered, and a doubt")
    func limit() async throws {
        let network = try Network()
        try await network.start("old")
        network.clock.advance(by: 1)
        let many = (0..<AccountingProcessor.unsettledLimit).map { index in
            network.request(.start, "s\(index)", address: "10.1.\(index / 256).\(index % 256)", number: "8613800000002")
        }
        let batch = DatagramBatch(try many.map { try network.datagram($0) })
        #expect(await network.gateway.processor.process(batch).count == 0)
        #expect(network.gateway.counts.packets["unavailable"] == 0)
        #expect(
            try await process(network, network.request(.start, "new", address: "10.0.0.1", number: "8613800000003"))
                == 0)
        #expect(network.gateway.counts.packets["unavailable"] == 1)
        #expect(network.holder() == .failure(.unconfirmedAddress))
        #expect(await settle(network) == many.count)
        #expect(network.holder() == .failure(.unconfirmedAddress))
    }
}
