@_spi(Server) import BenjiProtocol
import CoreMetrics
import RADIUS
import ServerTestKit
import Testing

@testable import Gateway

/// The values of the gateway's metrics.
struct GatewayMetersTests {
    @Test("each feed's meters say how it goes, and counters grow by what has come since they were written last")
    func feeds() async throws {
        let meters = Meters()
        try await withMetricsFactory(meters) {
            let network = try Network()
            let began = network.clock.now
            func measured() -> [String: Double] {
                network.gateway.processor.measureFeeds(since: began)
                return meters.values(of: "benji_gateway_feed_")
            }
            for index in 0..<20 {
                try await network.start("s\(index)", address: "10.0.0.\(index)", number: "86138000001\(10 + index)")
            }
            try await network.send(network.request(.start, "x", address: "192.0.2.77", number: "8613800000001"))
            network.clock.advance(by: .milliseconds(7500))
            var expected: [String: Double] = [
                "silence_seconds nas=pgw": 7.5, "silence_limit_seconds nas=pgw": 900,
                "clock_ahead_seconds nas=pgw": 0.5, "sessions nas=pgw": 20, "unconfirmed_sessions nas=pgw": 0,
                "packets_total kind=taken nas=pgw": 20, "packets_total kind=refused nas=pgw": 1,
                "packets_total kind=named nas=pgw": 20, "packets_total kind=delayed nas=pgw": 0,
                "packets_total kind=stop_without_start nas=pgw": 0,
                "packets_total kind=session_without_start nas=pgw": 0,
                "faults_total nas=pgw reason=outside_pools": 1,
            ]
            #expect(measured() == expected)
            #expect(measured() == expected, "nothing has come since")
            try await network.send(network.request(.stop, "y", address: "10.0.1.1"))
            try await network.send(
                network.request(.interimUpdate, "z", address: "10.0.1.2", number: "8613800000301"))
            for _ in 0..<2 {
                try await network.send(network.request(.start, "x", address: "192.0.2.77", number: "8613800000001"))
            }
            network.clock.advance(by: 901)
            for (name, value) in [
                ("silence_seconds nas=pgw", 901), ("sessions nas=pgw", 21), ("unconfirmed_sessions nas=pgw", 21),
                ("packets_total kind=taken nas=pgw", 22), ("packets_total kind=refused nas=pgw", 3),
                ("packets_total kind=named nas=pgw", 21), ("packets_total kind=stop_without_start nas=pgw", 1),
                ("packets_total kind=session_without_start nas=pgw", 1),
                ("faults_total nas=pgw reason=outside_pools", 3),
            ] as [(String, Double)] { expected[name] = value }
            #expect(measured() == expected)
        }
    }

    @Test("packets, answers about addresses and sessions are counted where they are read")
    func totals() async throws {
        let meters = Meters()
        try await withMetricsFactory(meters) {
            let network = try Network()
            try await network.start("a")
            try await network.send(network.request(.start, "x", address: "192.0.2.77", number: "8613800000001"))
            for address in ["10.0.0.1", "10.0.0.2", "10.0.0.3"] { _ = network.sighting(address) }
            let counted = meters.values(of: "benji_gateway_").filter { $0.value != 0 && !$0.key.hasPrefix("feed_") }
            #expect(
                counted == [
                    "accounting_packets_total result=answered": 1,
                    "accounting_packets_total result=outside_pools": 1, "sightings_total result=sighted": 1,
                    "sightings_total result=unknown_address": 2, "sessions": 1,
                ])
        }
    }
}
