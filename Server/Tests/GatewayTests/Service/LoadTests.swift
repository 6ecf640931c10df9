@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// The effects of many sessions at once on the gateway.
struct LoadTests {
    @Test("sessions ask the register for their new day at all hours, not all at midnight")
    func stagger() throws {
        let directory = NIOLockedValueBox(
            Directory(
                configuration: Network.configuration(), random: SeededRandom(seed: 3),
                now: Timestamp(seconds: Network.start)))
        // Six in the evening (UTC) and six in the morning, on both sides of midnight; a day has four such quarters.
        let evening = UInt32(Network.start / 86_400 * 86_400 + 18 * 3600)
        var asking = 0
        for index in 0..<2000 {
            var event = AccountingEvent(
                kind: .start, nas: 0, scope: "pgw\nid:pgw-1",
                key: SessionKey(scope: "", sessionID: Array("\(index)".utf8)),
                time: evening)
            event.address = InternetAddress(v4Value: 0x0a00_0001 + UInt32(index))
            event.calling = "8613800000001"
            asking +=
                directory.withLockedValue { directory -> Bool in
                    let identity = directory.identity(of: event)
                    let reference = SubscriptionReference(subscription: Int64(index), epoch: 1, simGeneration: 1)
                    _ = directory.apply(
                        event, identified: .subscriber(reference, identity: identity),
                        at: Timestamp(seconds: Int64(evening)))
                    event.kind = .interim
                    event.time = evening + 6 * 3600 + 1
                    let asksAtMidnight = directory.needsRegister(event)
                    event.time = evening + 24 * 3600
                    #expect(directory.needsRegister(event))
                    return asksAtMidnight
                } ? 1 : 0
        }
        #expect((300...700).contains(asking), "\(asking) of 2000 ask within the quarter of a day that midnight ends")
    }

    @Test("a late Accounting-Off revokes its sessions in slices, is answered when all are, and holds nobody else up")
    func lateOff() async throws {
        let network = try Network()
        let count = AccountingProcessor.revocationSlice * 2 + 5
        for index in 0..<count {
            try await network.send(
                network.request(
                    .start, "s\(index)", address: "10.1.\(index / 256).\(index % 256)",
                    number: "\(8_613_800_000_001 + index)"))
        }
        network.clock.advance(by: 100)
        let off = network.request(.accountingOff, "", at: 50)
        let other = network.request(.start, "new", address: "10.2.0.1", number: "8613900000001", nas: "pgw-2")
        #expect(try await network.send(off, other) == 1)
        #expect(network.holder("10.2.0.1") == .success(Int64(count + 1)))
        // Gone at once, all of them.
        for index in [0, count - 1] {
            #expect(network.holder("10.1.\(index / 256).\(index % 256)") == .failure(.unknownAddress))
        }
        // One slice with each batch; the one of the answered Start was settled with a second.
        #expect(network.register.revoked.count == 2 * AccountingProcessor.revocationSlice)
        #expect(network.gateway.processor.hasMoreToRevoke)
        #expect(try await network.send(off) == 0)
        #expect(try await network.send(network.request(.interimUpdate, "new", nas: "pgw-2")) == 1)
        #expect(Set(network.register.revoked).count == count && network.register.revoked.count == count)
        #expect(!network.gateway.processor.hasMoreToRevoke)
        #expect(try await network.send(off) == 1)
    }

    @Test("at the limit of sessions the gateway says so until there is room again")
    func full() async throws {
        var configuration = Network.configuration()
        configuration.sessionLimit = 1
        let network = try Network(configuration)
        try await network.start("a")
        #expect(network.gateway.problem == nil)
        #expect(
            try await network.send(network.request(.start, "b", address: "10.0.0.2", number: "8613800000002")) == 0)
        #expect(network.gateway.problem?.contains("gateway.sessions") == true)
        network.clock.advance(by: 1)
        try await network.send(network.request(.stop, "a"))
        #expect(network.gateway.problem == nil)
        try await network.start("b", address: "10.0.0.2", number: "8613800000002")
        #expect(network.holder("10.0.0.2") == .success(2))
    }

    @Test("a limit of sessions beyond what the indexes can tell apart is a fault of the configuration")
    func maximumLimit() {
        var configuration = Network.configuration()
        configuration.sessionLimit = GatewayConfiguration.maximumSessionLimit + 1
        #expect(configuration.problems.count == 1)
        configuration.sessionLimit -= 1
        #expect(configuration.problems.isEmpty)
    }
}
