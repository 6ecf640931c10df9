import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Gateway
import Logging
import RADIUS
import ServerTestKit
import Sightings
import Synchronization

/// A gateway in this process with so many live sessions.
final class Crowd {
    let count: Int
    /// Bytes by which the process has grown, for each session.
    private(set) var bytes = 0.0
    private let probe: GatewayProbe
    private let clock = TestClock()
    private let secret: SharedSecret
    private let register = SilentRegister()

    private static let domain = "internet"
    private static let source = InternetAddress("192.0.2.1")!
    /// Packets that the sockets hand over at once.
    private static let batch = 64

    private init(_ count: Int, journal: String?) throws {
        let anywhere = [IPPrefix("0.0.0.0/0"), IPPrefix("::/0")].compactMap(\.self)
        guard let secret = SharedSecret(Installation.secret) else { throw BenchmarkFailure("no secret") }
        (self.count, self.secret) = (count, secret)
        var logger = Logger(label: "benchmark")
        logger.logLevel = .error
        var configuration = GatewayConfiguration(
            name: "gateway",
            networkAccessServers: [
                NetworkAccessServer(
                    name: "probe", sources: anywhere, secret: secret, domain: Self.domain, pools: anywhere,
                    carrier: .mobile, interimInterval: .seconds(86_400), rateLimit: 10_000_000)
            ], journalPath: journal)
        configuration.sessionLimit = GatewayConfiguration.maximumSessionLimit
        probe = GatewayProbe(
            try GatewayService(
                configuration: configuration, register: register, clock: clock, random: SystemRandomSource(),
                logger: logger))
        // Accounting dated before the gateway's first second identifies no subscriber.
        clock.advance(by: .seconds(1))
    }

    /// For look-ups: sessions that hold an IPv4 address, and a prefix too if `holding` includes one.
    static func toBeFound(
        _ count: Int, holding: GatewayProbe.Holding = .v4, note: (String) -> Void
    ) throws -> Crowd {
        try filled(count, journal: nil, note: note) { $0.start($1, holding: holding, at: $2) }
    }

    /// For packets: sessions of which ``account(_:)`` can speak.
    static func toBeHeardOf(_ count: Int, journal: String, note: (String) -> Void) throws -> Crowd {
        try filled(count, journal: journal, note: note) { $0.announce($1, at: $2) }
    }

    private static func filled(
        _ count: Int, journal: String?, note: (String) -> Void, _ take: (GatewayProbe, Range<Int>, Timestamp) -> Void
    ) throws -> Crowd {
        let before = ProcessUsage.own.memory
        let crowd = try Crowd(count, journal: journal)
        let time = seconds {
            for first in stride(from: 0, to: count, by: 100_000) {
                take(crowd.probe, first..<min(first + 100_000, count), crowd.clock.now)
            }
        }
        crowd.bytes = Double(ProcessUsage.own.memory - before) / Double(count)
        guard crowd.probe.service.counts.sessions == count else {
            throw BenchmarkFailure("only \(crowd.probe.service.counts.sessions) of \(count) sessions were taken in")
        }
        note("\(Double(count).short) sessions taken in within \(time.short) s")
        return crowd
    }

    /// Looks random sessions up. Microseconds of processor time for each.
    func find(_ lookups: Int, holding: GatewayProbe.Holding = .v4) throws -> Double {
        let sources = (0..<lookups).map { _ in GatewayProbe.source(Int.random(in: 0..<count), holding: holding) }
        let before = ProcessUsage.own.processor
        let found = probe.find(sources, domain: Self.domain, at: clock.now)
        let time = ProcessUsage.own.processor - before
        guard found == lookups else { throw BenchmarkFailure("\(found) of \(lookups) were found") }
        return time / Double(lookups) * 1e6
    }

    /// Takes in an Interim-Update of so many different sessions, as packets that the sockets hand over. Microseconds of
    /// processor time for each.
    func account(_ packets: Int) async throws -> Double {
        clock.advance(by: .seconds(1))
        let packets = min(packets, count)
        // All over the crowd, and none twice.
        let stride = count / packets
        let offset = Int.random(in: 0..<stride)
        let requests = try (0..<packets).shuffled().enumerated().map { place, index in
            try GatewayProbe.interimUpdate(of: index * stride + offset, at: clock.now).packet(
                identifier: UInt8(truncatingIfNeeded: place), secret: secret)
        }
        var answered = 0
        let before = ProcessUsage.own.processor
        for first in Swift.stride(from: 0, to: packets, by: Self.batch) {
            answered += await probe.answers(
                to: Array(requests[first..<min(first + Self.batch, packets)]), from: Self.source)
        }
        let time = ProcessUsage.own.processor - before
        guard answered == packets else { throw BenchmarkFailure("\(answered) of \(packets) packets were answered") }
        guard register.asked * 100 <= packets else {
            throw BenchmarkFailure("the register was asked about \(register.asked) of \(packets) Interim-Updates")
        }
        return time / Double(packets) * 1e6
    }
}

/// Is asked about hardly any session that goes on: the few that have lasted into another day have no subscriber then.
private final class SilentRegister: RegisterDesk {
    private let count = Mutex(0)

    /// Sessions that it was asked about in all.
    var asked: Int { count.withLock { $0 } }

    func observe(_ observations: [SubscriberObservation]) async throws -> [SubscriptionReference?] {
        count.withLock { $0 += observations.count }
        return observations.map { _ in nil }
    }

    func revoke(_ bindings: [BindingID]) async throws {}

    func erasedSubscriptions() async throws -> [Int64] { [] }
}
