@_spi(Server) import BenjiProtocol
import Sightings
import Testing

@testable import Gateway

/// RFC 7422.
struct DeterministicNATTests {
    @Test("every inside address and its block lead to each other, and no two blocks overlap")
    func bijection() throws {
        let nat = try #require(
            DeterministicNAT(
                inside: IPPrefix("10.0.0.0/24")!, outside: IPPrefix("203.0.113.0/30")!, insideDomain: "cmnet"))
        #expect(nat.blockSize == 64512 / 64)
        var owners: [String: InternetAddress] = [:]
        for last in 0..<256 {
            let inside = InternetAddress(bytes: [10, 0, 0, UInt8(last)])!
            let block = try #require(nat.outsideBlock(of: inside))
            #expect(nat.insideAddress(of: block.address, port: block.ports.lowerBound) == inside)
            #expect(nat.insideAddress(of: block.address, port: block.ports.upperBound) == inside)
            for port in [block.ports.lowerBound, block.ports.upperBound] {
                #expect(owners.updateValue(inside, forKey: "\(block.address) \(port)") == nil)
            }
        }
        #expect(nat.insideAddress(of: InternetAddress("203.0.113.0")!, port: 1023) == nil)
        #expect(nat.insideAddress(of: InternetAddress("203.0.113.4")!, port: 2000) == nil)
        #expect(nat.outsideBlock(of: InternetAddress("10.0.1.0")!) == nil)
    }

    @Test("ports beyond the last whole block belong to nobody")
    func rest() throws {
        let nat = try #require(
            DeterministicNAT(inside: IPPrefix("10.0.0.0/17")!, outside: IPPrefix("203.0.113.0/32")!, insideDomain: "x"))
        #expect(nat.blockSize == 1)
        #expect(
            nat.insideAddress(of: InternetAddress("203.0.113.0")!, port: 1024 + 32767)
                == InternetAddress("10.0.127.255"))
        #expect(nat.insideAddress(of: InternetAddress("203.0.113.0")!, port: 1024 + 32768) == nil)
    }

    @Test("where each inside address has a public one of its own, all ports from 1024 are its own")
    func alone() throws {
        let nat = try #require(
            DeterministicNAT(inside: IPPrefix("10.0.0.0/30")!, outside: IPPrefix("203.0.113.4/30")!, insideDomain: "x"))
        #expect(nat.blockSize == 64_512)
        let (inside, outside) = (InternetAddress("10.0.0.2")!, InternetAddress("203.0.113.6")!)
        let block = try #require(nat.outsideBlock(of: inside))
        #expect(block.address == outside && block.ports == 1024...65_535)
        for (port, isItsOwn) in [(1023, false), (1024, true), (65_535, true)] as [(UInt16, Bool)] {
            #expect(nat.insideAddress(of: outside, port: port) == (isItsOwn ? inside : nil))
        }
    }

    @Test(
        "what cannot be computed is refused",
        arguments: [
            ("10.0.0.0/8", "203.0.113.0/32"), ("10.0.0.0/30", "203.0.113.0/29"), ("2001:db8::/64", "203.0.113.0/32"),
            ("10.0.0.0/24", "2001:db8::/32"),
        ])
    func impossible(inside: String, outside: String) {
        #expect(DeterministicNAT(inside: IPPrefix(inside)!, outside: IPPrefix(outside)!, insideDomain: "x") == nil)
    }

    @Test("10: a gateway asks the deterministic NAT before its directory")
    func sighting() async throws {
        var configuration = Network.configuration()
        let nat = DeterministicNAT(
            inside: IPPrefix("10.0.0.0/30")!, outside: IPPrefix("203.0.113.9/32")!, insideDomain: "cmnet")!
        configuration.deterministicNATs = ["internet": [nat]]
        let network = try Network(configuration)
        try await network.start("a", address: "10.0.0.1")
        let block = try #require(nat.outsideBlock(of: InternetAddress("10.0.0.1")!))
        func holder(_ port: UInt16) -> Result<Int64, SightingRefusal> {
            network.holder("203.0.113.9", port: port, domain: "internet")
        }
        #expect(holder(block.ports.lowerBound) == .success(1))
        #expect(holder(block.ports.upperBound + 1) == .failure(.unknownAddress))
        #expect(holder(0) == .failure(.ambiguousAddress))
        let sighting = network.sighting(
            "203.0.113.9", port: block.ports.lowerBound, domain: "internet", claimed: "10.0.0.1")
        #expect(try sighting.get().localAddressConfirmed)
    }
}
