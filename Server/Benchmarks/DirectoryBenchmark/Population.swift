import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Gateway
import Logging
import RADIUS
import Sightings

/// A gateway with sessions in it, and how often it can be asked.
final class Population: Sendable {
    let probe: GatewayProbe
    let count: Int
    let holding: GatewayProbe.Holding
    /// Bytes a session by which the process has grown, and those that the directory counts.
    let resident: Double
    let stated: Double
    /// When the sessions began: after the gateway, which ignores accounting dated before its first second.
    private let start: Timestamp

    private static let domain = "internet"

    init(_ count: Int, holding: GatewayProbe.Holding, note: (String) -> Void) throws {
        self.count = count
        self.holding = holding
        let before = ProcessUsage.own
        let probe = GatewayProbe(try Self.gateway())
        let start = SystemWallClock().now
        let time = try seconds {
            for first in stride(from: 0, to: count, by: 100_000) {
                probe.start(first..<min(first + 100_000, count), holding: holding, at: start)
            }
        }
        self.probe = probe
        self.start = start
        resident = Double(ProcessUsage.own.memory - before.memory) / Double(count)
        stated = Double(probe.memory) / Double(count)
        guard probe.service.counts.sessions == count else {
            throw BenchmarkFailure("only \(probe.service.counts.sessions) of \(count) sessions were taken in")
        }
        note("\(Double(count).short) sessions (\(holding)) taken in, \((Double(count) / time).short)/s")
    }

    private static func gateway() throws -> GatewayService {
        let anywhere = [IPPrefix("0.0.0.0/0"), IPPrefix("::/0")].compactMap { $0 }
        guard let secret = SharedSecret("a secret of the benchmark") else { throw BenchmarkFailure("no secret") }
        var logger = Logger(label: "benchmark")
        logger.logLevel = .error
        return try GatewayService(
            configuration: GatewayConfiguration(
                name: "gateway",
                networkAccessServers: [
                    NetworkAccessServer(
                        name: "probe", sources: anywhere, secret: secret, domain: domain, pools: anywhere,
                        carrier: .mobile, interimInterval: .seconds(86_400))
                ]),
            register: NoRegister(), clock: SystemWallClock(), random: SystemRandomSource(), logger: logger)
    }

    /// Sources of random sessions, made before the clock runs.
    func sources(_ count: Int) -> [(address: InternetAddress, port: UInt16)] {
        (0..<count).map { _ in GatewayProbe.source(Int.random(in: 0..<self.count), holding: holding) }
    }

    /// Look-ups a second in the directory itself.
    func finds(_ lookups: Int) throws -> Double { try finds(sources(lookups), found: lookups) }

    func misses(_ lookups: Int) throws -> Double {
        try finds((0..<lookups).map { _ in GatewayProbe.strangeSource(Int.random(in: 0..<count)) }, found: 0)
    }

    private func finds(_ sources: [(address: InternetAddress, port: UInt16)], found expected: Int) throws -> Double {
        var found = 0
        let time = seconds { found = probe.find(sources, domain: Self.domain, at: start) }
        guard found == expected else { throw BenchmarkFailure("\(found) of \(sources.count) were found") }
        return Double(sources.count) / time
    }

    /// Look-ups a second as an endpoint makes them: with lock, clock and metrics.
    func sightings(_ lookups: Int) throws -> Double {
        let sources = sources(lookups)
        var found = 0
        let time = seconds {
            for source in sources {
                let sighting = probe.service.sighting(
                    from: source.address, port: source.port, domain: Self.domain, claimedLocalAddress: source.address)
                if case .success = sighting { found += 1 }
            }
        }
        guard found == lookups else { throw BenchmarkFailure("only \(found) of \(lookups) were sighted") }
        return Double(lookups) / time
    }
}

/// Sessions that the probe starts have been told who they are.
private struct NoRegister: RegisterService {
    func observe(_ observations: [SubscriberObservation]) async throws -> [SubscriptionReference?] {
        observations.map { _ in nil }
    }

    func revoke(_ bindings: [BindingID]) async throws {}

    func erasedSubscriptions() async throws -> [Int64] { [] }
}
