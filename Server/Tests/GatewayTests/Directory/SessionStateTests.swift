@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// The answer to an operator who asks about an address.
struct SessionStateTests {
    private func states(
        _ network: Network, _ address: String, port: UInt16? = nil, domain: String? = nil
    ) -> [SessionState] {
        network.gateway.states(of: InternetAddress(address)!, port: port, domain: domain)
    }

    @Test("a session that is believed has no doubt, and is found in its own domain alone")
    func good() async throws {
        let network = try Network()
        try await network.start("a")
        let state = try #require(states(network, "10.0.0.1").first)
        #expect(state.refusal == nil && state.doubts.isEmpty && state.subscription == 1 && state.ports == nil)
        #expect(states(network, "10.0.0.1").count == 1)
        #expect(states(network, "10.0.0.1", domain: state.domain) == [state])
        #expect(states(network, "10.0.0.1", domain: "no-such-domain").isEmpty)
        #expect(states(network, "10.0.0.9").isEmpty)
    }

    @Test("each doubt is told by its own word, with what a login from there is refused for")
    func doubts() async throws {
        let network = try Network()
        try await network.start("a")
        network.clock.advance(by: 1)
        network.gateway.processor.didLose()
        #expect(states(network, "10.0.0.1").map(\.doubts) == [[.missed]])
        #expect(states(network, "10.0.0.1").map(\.refusal) == [.unconfirmedAddress])
        network.clock.advance(by: 3600)
        #expect(states(network, "10.0.0.1").first?.doubts.contains(.stale) == true)
        #expect(states(network, "10.0.0.1").first?.doubts.contains(.silent) == true)
        #expect(states(network, "10.0.0.1").map(\.refusal) == [.staleAddress])
    }

    @Test("behind a shared address each block is told with its ports, and a port finds its own")
    func blocks() async throws {
        let network = try Network()
        for (session, address, number, first) in [
            ("a", "10.0.0.1", "8613800000001", 1024), ("b", "10.0.0.2", "8613800000002", 1536),
        ] as [(String, String, String, UInt16)] {
            var request = network.request(.start, session, address: address, number: number)
            request.portBlocks = [
                PortBlock(address: InternetAddress("203.0.113.1")!, ports: first...(first + 511))
            ]
            try await network.send(request)
        }
        #expect(states(network, "203.0.113.1").map(\.ports) == [1024...1535, 1536...2047])
        #expect(states(network, "203.0.113.1", port: 1600).map(\.subscription) == [2])
        #expect(states(network, "203.0.113.1", port: 4000).isEmpty)
    }

    @Test("what an operator is told agrees with what a login gets, whatever the address and the port")
    func agreement() async throws {
        let network = try Network()
        try await network.start("a", prefix: "2001:db8:1:1::/64")
        try await network.start("b", address: "10.0.0.2", number: "8613800000002")
        network.clock.advance(by: 1)
        try await network.send(network.request(.stop, "b", address: "10.0.0.2", number: "8613800000002"))
        for address in ["10.0.0.1", "10.0.0.2", "10.0.0.3", "2001:db8:1:1::9", "2001:db8:1:2::9"] {
            let found = states(network, address)
            switch network.holder(address) {
            case .success(let subscription):
                #expect(found.map(\.subscription) == [subscription] && found.first?.refusal == nil, "\(address)")
            case .failure(let refusal):
                #expect(found.isEmpty ? refusal == .unknownAddress : found.first?.refusal == refusal, "\(address)")
            }
        }
    }
}
