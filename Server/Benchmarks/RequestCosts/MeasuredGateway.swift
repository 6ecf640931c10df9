import Authority
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Gateway
import RADIUS
import ServerTestKit

/// A gateway with its journal, over the authority's register: packets go in where the sockets would hand them over.
struct MeasuredGateway {
    private static let domain = "internet"
    /// Packets that the sockets hand over at once.
    private static let batch = 16
    /// Sessions in the directory beside those that are counted.
    private static let population = 500
    private static let source = InternetAddress("192.0.2.1")!

    private let clock = TestClock()
    private let probe: GatewayProbe
    private let secret = SharedSecret("a secret of the benchmark")!

    init(world: AuthorityWorld) throws {
        let pools = [IPPrefix("10.0.0.0/8"), IPPrefix("127.8.0.0/16")].compactMap { $0 }
        let service = try GatewayService(
            configuration: GatewayConfiguration(
                name: "gateway-1",
                networkAccessServers: [
                    NetworkAccessServer(
                        name: "pgw", sources: [IPPrefix("192.0.2.0/24")!], secret: secret, domain: Self.domain,
                        pools: pools, carrier: .mobile, interimInterval: .seconds(300))
                ], journalPath: world.directory + "/directory.journal"),
            register: world.register, clock: clock, random: FixedRandomSource(seed: 2), logger: AuthorityWorld.logger)
        probe = GatewayProbe(service)
        probe.start(0..<Self.population, holding: .v4, at: clock.now)
    }

    func lookUp(_ count: Int, _ counted: Counted) async throws {
        let sources = (0..<count).map { GatewayProbe.source($0 * 7 % Self.population, holding: .v4) }
        var found = 0
        try await counted.count("look-up", count) {
            for source in sources {
                let sighting = probe.service.sighting(
                    from: source.address, port: source.port, domain: Self.domain, claimedLocalAddress: nil)
                if case .success = sighting { found += 1 }
            }
        }
        guard found == count else { throw BenchmarkFailure("only \(found) of \(count) look-ups found their session") }
    }

    /// The lives of sessions whose subscribers the register knows: Start, two Interim-Updates, Stop.
    func account(_ sessions: Int, _ counted: Counted) async throws {
        // Once before, so that the register knows every subscriber and one-time work is done.
        _ = try await process(lives(of: sessions, round: 0))
        let batches = try lives(of: sessions, round: 1)
        let packets = batches.reduce(0) { $0 + $1.packets.count }
        var answered = 0
        try await counted.count("accounting packet", packets) { answered = try await process(batches) }
        guard answered == packets else { throw BenchmarkFailure("\(answered) of \(packets) packets were answered") }
    }

    private func process(_ batches: [(later: Duration, packets: [[UInt8]])]) async throws -> Int {
        var answered = 0
        for batch in batches {
            clock.advance(by: batch.later)
            answered += await probe.answers(to: batch.packets, from: Self.source)
        }
        return answered
    }

    /// Batches of packets, each with the time that passes before it.
    private func lives(
        of sessions: Int, round: Int
    ) throws -> [(later: Duration, packets: [[UInt8]])] {
        var batches: [(later: Duration, packets: [[UInt8]])] = []
        // As the gateway's clock will stand when the batch comes.
        var time = clock.now
        for status in [AccountingStatus.start, .interimUpdate, .interimUpdate, .stop] {
            for first in stride(from: 0, to: sessions, by: Self.batch) {
                let later: Duration = first == 0 ? .seconds(60) : .zero
                time = time + later
                let packets = try (first..<min(first + Self.batch, sessions)).map { session in
                    try request(status, session, round, at: time).packet(
                        identifier: UInt8(truncatingIfNeeded: batches.count * Self.batch + session), secret: secret)
                }
                batches.append((later, packets))
            }
        }
        return batches
    }

    private func request(_ status: AccountingStatus, _ session: Int, _ round: Int, at time: Timestamp)
        -> AccountingRequest
    {
        MobileSession(
            chargingID: 100_000_000 + round * 1000 + session, address: InternetAddress("127.8.0.\(session + 1)"),
            number: "\(13_700_000_000 + session)", imsi: "46000\(2_000_000_000 + session)"
        ).request(status, at: time.seconds)
    }
}
