import BenjiProtocol
import NIOCore
import RADIUS
import Testing

@testable import Gateway

struct GatewayConfigurationTests {
    @Test("a setting that nobody makes has the value that the documents name")
    func defaults() {
        let configuration = GatewayConfiguration(name: "g", networkAccessServers: [])
        #expect(configuration.leaseIntervals == 2)
        #expect(configuration.reorderWindow == .seconds(600))
        #expect(configuration.clockTolerance == .seconds(60))
        #expect(configuration.reuseQuarantine == .seconds(10))
        #expect(configuration.receiveBuffer == 8_388_608)
        #expect(configuration.queueLimit == 65_536 && configuration.duplicateLimit == 65_536)
        #expect(configuration.sessionLimit == 20_000_000)
        #expect(GatewayConfiguration.maximumSessionLimit == 134_217_726)
        #expect(!configuration.isPaired && configuration.journalPath == nil && configuration.radSec == nil)
        #expect(configuration.listeners.isEmpty && configuration.deterministicNATs.isEmpty)
        #expect(GatewayConfiguration.AccountingAddress(address: Network.source).port == 1813)
        let limits = RadSecLimits()
        #expect(limits.connectionsPerServer == 16 && limits.strangers == 64 && limits.window == 256)
        #expect(limits.handshake == .seconds(10) && limits.rest == .seconds(10) && limits.stall == .seconds(30))
    }

    @Test("a NAS that is told no more than it must be has the usual habits")
    func defaultsOfNAS() {
        let nas = Network.server
        #expect(nas.certificates.isEmpty && nas.numberRanges == nil && nas.excludedNumberRanges.isEmpty)
        #expect(nas.country == "CN" && nas.numberForm == .international && nas.homeNetworks.isEmpty)
        #expect(nas.interimInterval == .seconds(600) && nas.silence == .seconds(900) && nas.repeats == .zero)
        #expect(nas.eventTimestamp == .required && nas.rateLimit == 50_000 && nas.sendsSessionStopIndicator)
        let other = NetworkAccessServer(
            name: "other", sources: [], secret: Network.secret, domain: "cmnet", pools: [], carrier: .mobile,
            interimInterval: .seconds(100))
        #expect(other.publicDomain == "cmnet" && other.silence == .seconds(150))
    }

    /// A change of a configuration that has no fault, and the faults that it makes.
    struct Case: Sendable {
        var faults: [String] = []
        let change: @Sendable (inout GatewayConfiguration) -> Void

        /// Of the first NAS.
        static func nas(
            _ faults: [String] = [], change: @escaping @Sendable (inout NetworkAccessServer) -> Void
        ) -> Case {
            Case(faults: faults) { change(&$0.networkAccessServers[0]) }
        }
    }

    private static let cases: [Case] = [
        Case { _ in },
        .nas { $0.name = String(repeating: "n", count: 64) },
        .nas(["a NAS needs a name of 1 to 64 bytes"]) { $0.name = String(repeating: "n", count: 65) },
        .nas(["a NAS needs a name of 1 to 64 bytes"]) { $0.name = "" },
        .nas(["two NASes are called west"]) { $0.name = "west" },
        .nas(["east: needs either source addresses or names of certificates"]) { $0.sources = [] },
        .nas([
            "east: needs either source addresses or names of certificates",
            "east: the secret of a connection over TLS is radsec (RFC 6614 §2.3)",
        ]) { $0.certificates = [.host("east.example")] },
        .nas(["east: the secret of a connection over TLS is radsec (RFC 6614 §2.3)"]) {
            ($0.sources, $0.certificates) = ([], [.host("east.example")])
        },
        .nas { ($0.sources, $0.certificates, $0.secret) = ([], [.host("east.example")], .radSec) },
        .nas(["east: no address pools, so nothing it says can be accepted"]) { $0.pools = [] },
        .nas(["east: the interim interval must be at least 1 s"]) { $0.interimInterval = .milliseconds(999) },
        .nas { $0.interimInterval = .seconds(1) },
        .nas(["east: XX is no country whose numbers are known, such as CN"]) { $0.country = "XX" },
        .nas(["east: the time of repeating must not be negative"]) { $0.repeats = .milliseconds(-1) },
        .nas { $0.repeats = .zero },
        .nas(["east: the silence must be at least 1 s"]) { $0.silence = .milliseconds(999) },
        .nas { $0.silence = .seconds(1) },
        .nas(["east: the rate limit must be at least 1"]) { $0.rateLimit = 0 },
        .nas { $0.rateLimit = 1 },
        .nas { $0.sources = [IPPrefix("192.0.2.1")!, IPPrefix("192.0.2.3")!] },
        Case(faults: ["west and east share source addresses in 192.0.2.2/32"]) {
            $0.networkAccessServers[0].sources = [IPPrefix("192.0.2.0/24")!]
        },
        Case(faults: ["west and east share source addresses in 192.0.2.0/24"]) {
            $0.networkAccessServers[1].sources = [IPPrefix("192.0.2.0/24")!]
        },
        Case(faults: ["west and east share the certificate both.example"]) {
            for index in 0..<2 {
                $0.networkAccessServers[index].sources = []
                $0.networkAccessServers[index].secret = .radSec
                $0.networkAccessServers[index].certificates = [.host("\(index).example"), .host("both.example")]
            }
        },
        Case(faults: ["sessionLimit must be from 1 to 134217726"]) { $0.sessionLimit = 0 },
        Case { $0.sessionLimit = 1 },
        Case { $0.sessionLimit = 134_217_726 },
        Case(faults: ["sessionLimit must be from 1 to 134217726"]) { $0.sessionLimit = 134_217_727 },
        Case(faults: ["a gateway of a pair keeps no journal"]) { ($0.isPaired, $0.journalPath) = (true, "journal") },
        Case { $0.isPaired = true },
        Case { $0.journalPath = "journal" },
        Case(faults: ["leaseIntervals must be at least 1"]) { $0.leaseIntervals = 0 },
        Case { $0.leaseIntervals = 1 },
    ]

    @Test(
        "each setting is taken at its bound and refused beyond it, in words that name the NAS", arguments: cases.indices
    )
    func bounds(number: Int) {
        let each = Self.cases[number]
        var (east, west) = (Network.server, Network.server)
        (east.name, west.name, west.sources) = ("east", "west", [IPPrefix("192.0.2.2")!])
        var configuration = Network.configuration([east, west])
        each.change(&configuration)
        #expect(configuration.problems == each.faults)
    }
}
