@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// Honest histories of a pool of addresses, whose packets come in random order, some never, some twice.
struct RandomOrderTests {
    struct Step {
        let request: AccountingRequest
        let address: String
        let number: String
        let time: Int64
    }

    struct History {
        var steps: [Step] = []
        /// The holder of each address at the end; `nil` if there is none.
        var owners: [String: String] = [:]
    }

    private static func history(_ network: Network, _ generator: inout SeededGenerator) -> History {
        var history = History()
        var session = 0
        for last in 1...4 {
            let address = "10.0.0.\(last)"
            var time = Int64.random(in: 0...20, using: &generator)
            while time < 300 {
                session += 1
                let number = "86138000000\(10 + Int.random(in: 0..<5, using: &generator) + 5 * last)"
                func step(_ status: AccountingStatus) {
                    let request = network.request(status, "s\(session)", at: time, address: address, number: number)
                    history.steps.append(Step(request: request, address: address, number: number, time: time))
                }
                history.owners[address] = number
                step(.start)
                for _ in 0..<Int.random(in: 0...3, using: &generator) {
                    time += .random(in: 1...40, using: &generator)
                    step(.interimUpdate)
                }
                time += .random(in: 1...40, using: &generator)
                guard Int.random(in: 0..<6, using: &generator) > 0 else { break }
                step(.stop)
                history.owners[address] = nil
                time += .random(in: 1...40, using: &generator)
            }
        }
        return history
    }

    @Test("whatever order all packets come in, in the end each address belongs to its last owner")
    func anyOrder() async throws {
        var generator = SeededGenerator(seed: 99)
        for round in 0..<150 {
            let network = try Network()
            let history = Self.history(network, &generator)
            network.clock.advance(by: 500)
            let steps = (history.steps + history.steps.prefix(5)).shuffled(using: &generator)
            for step in steps { try await network.send(step.request) }
            for last in 1...4 {
                let address = "10.0.0.\(last)"
                switch (network.holder(address), history.owners[address]) {
                case (.success(let row), let number?):
                    #expect(row == network.register.row(number), "round \(round), \(address)")
                case (.success, nil): Issue.record("round \(round): \(address) is nobody's")
                case (.failure(let refusal), let owner):
                    // A doubt that the order of arrival left ends with the next packet; it is never a wrong name.
                    #expect(owner == nil || refusal == .ambiguousAddress, "round \(round), \(address)")
                }
            }
            // One more Interim-Update of each live session, and nothing is in doubt.
            network.clock.advance(by: 10)
            for (address, number) in history.owners {
                let last = history.steps.last { $0.address == address }!
                var request = last.request
                request.status = .interimUpdate
                request.eventTimestamp = UInt32(network.clock.now.seconds)
                try await network.send(request)
                #expect(network.holder(address) == .success(try #require(network.register.row(number))))
            }
        }
    }

    @Test(
        """
        with lost packets and bounded delay, an address is never named after somebody who left before the last heard \
        event
        """
    )
    func neverWrong() async throws {
        var generator = SeededGenerator(seed: 2866)
        for _ in 0..<150 {
            let network = try Network()
            let history = Self.history(network, &generator)
            network.clock.advance(by: 400)
            let heard = history.steps.filter { _ in Int.random(in: 0..<5, using: &generator) > 0 }
            let arrivals = heard.map { ($0, $0.time + .random(in: 0...60, using: &generator)) }.sorted { $0.1 < $1.1 }
            var newest: [String: Step] = [:]
            for (step, _) in arrivals {
                try await network.send(step.request)
                if step.time > newest[step.address]?.time ?? -1 { newest[step.address] = step }
                for (address, latest) in newest {
                    guard case .success(let row) = network.holder(address) else { continue }
                    // The named subscriber is that of the newest received event, and that event was no Stop.
                    #expect(row == network.register.row(latest.number))
                    #expect(latest.request.status != .stop)
                }
            }
        }
    }

    @Test("a naive directory, where the last arrival wins, does name the wrong person in these histories")
    func naiveDouble() async throws {
        var generator = SeededGenerator(seed: 2866)
        var wrong = 0
        let network = try Network()
        for _ in 0..<150 {
            let history = Self.history(network, &generator)
            var owners: [String: String] = [:]
            for step in history.steps.shuffled(using: &generator) {
                owners[step.address] = step.request.status == .stop ? nil : step.number
            }
            for (address, number) in owners where history.owners[address] != number { wrong += 1 }
        }
        #expect(wrong > 50)
    }

    @Test("the tables hold together under thousands of random events")
    func tablesHoldTogether() async throws {
        var generator = SeededGenerator(seed: 4)
        let network = try Network()
        for _ in 0..<3000 {
            let status: AccountingStatus = [.start, .start, .interimUpdate, .stop, .accountingOn][
                Int.random(in: 0..<(Int.random(in: 0..<50, using: &generator) == 0 ? 5 : 4), using: &generator)]
            var request = network.request(
                status, "s\(Int.random(in: 0..<40, using: &generator))",
                address: Bool.random(using: &generator) ? "10.0.0.\(Int.random(in: 1...20, using: &generator))" : nil,
                prefix: Bool.random(using: &generator)
                    ? "2001:db8:0:\(Int.random(in: 1...20, using: &generator))::/64" : nil,
                number: "86138000000\(Int.random(in: 10..<30, using: &generator))",
                imsi: Bool.random(using: &generator) ? "460000000000001" : nil)
            request.endsSession = Bool.random(using: &generator)
            if Bool.random(using: &generator) {
                let port = UInt16.random(in: 1...10, using: &generator) * 1000
                request.portBlocks = [
                    PortBlock(
                        address: InternetAddress("203.0.113.\(Int.random(in: 1...3, using: &generator))")!,
                        ports: port...(port + 1500),
                        isAllocated: Int.random(in: 0..<4, using: &generator) > 0)
                ]
            }
            request.eventTimestamp! -= .random(in: 0...20, using: &generator)
            try await network.send(request)
            if Bool.random(using: &generator) { network.clock.advance(by: 1) }
        }
        network.gateway.directory.withLockedValue { directory in
            var blocks = 0
            for index in 0..<directory.sessions.end where !directory.sessions[index].isFree {
                let session = directory.sessions[index]
                #expect(directory.index(of: session.key) == index)
                let domain = directory.scopes[Int(session.scope)].domain
                if session.address != 0 { #expect(directory.holder(of: session.address, domain: domain) == index) }
                if session.prefixLength != 0 {
                    #expect(directory.holder(of: session.prefix, length: session.prefixLength, domain: domain) == index)
                }
                blocks += directory.state(of: index).blocks.count
            }
            #expect(directory.ports.count == blocks)
            #expect(directory.byKey.count == directory.sessions.count)
            #expect(directory.aliases.count == directory.aliasesOf.values.reduce(0) { $0 + $1.count })
            #expect(directory.sessions.count > 3)
        }
    }
}
