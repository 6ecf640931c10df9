@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings

@testable import Gateway

extension TestClock {
    convenience init(seconds: Int64) { self.init(Timestamp(seconds: seconds)) }
    func advance(by seconds: Int64) { advance(by: .seconds(seconds)) }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

struct SeededRandom: RandomSource {
    private let generator: NIOLockedValueBox<SeededGenerator>
    init(seed: UInt64) { generator = NIOLockedValueBox(SeededGenerator(seed: seed)) }
    func bytes(_ count: Int) -> [UInt8] {
        generator.withLockedValue { generator in (0..<count).map { _ in .random(in: 0...255, using: &generator) } }
    }
}

/// A register in memory: numbers in the order of their first sight get rows 1, 2, 3…; a new IMSI is a new SIM
/// generation.
final class MemoryRegister: RegisterService {
    struct Failure: Error {}
    private struct State {
        var rows: [String: (row: Int64, imsi: String?, generation: Int32)] = [:]
        var observed = 0
        var revoked: [BindingID] = []
        var isFailing = false
        var duringObserve: (@Sendable () async -> Void)?
    }

    private let state = NIOLockedValueBox(State())

    func observe(_ observations: [SubscriberObservation]) async throws -> [SubscriptionReference?] {
        await state.withLockedValue { $0.duringObserve }?()
        return try state.withLockedValue { state in
            if state.isFailing { throw Failure() }
            state.observed += observations.count
            return observations.map { observation in
                guard observation.number.isMainlandMobile else { return nil }
                let number = observation.number.e164
                var entry = state.rows[number] ?? (Int64(state.rows.count + 1), observation.imsi, 1)
                if entry.imsi != observation.imsi {
                    entry.imsi = observation.imsi
                    entry.generation += 1
                }
                state.rows[number] = entry
                return SubscriptionReference(subscription: entry.row, epoch: 1, simGeneration: entry.generation)
            }
        }
    }

    func revoke(_ bindings: [BindingID]) async throws {
        try state.withLockedValue { state in
            if state.isFailing { throw Failure() }
            state.revoked += bindings
        }
    }

    func erasedSubscriptions() async throws -> [Int64] { [] }

    var observed: Int { state.withLockedValue { $0.observed } }
    var revoked: [BindingID] { state.withLockedValue { $0.revoked } }
    func setFailing(_ isFailing: Bool) { state.withLockedValue { $0.isFailing = isFailing } }
    func duringObserve(_ body: (@Sendable () async -> Void)?) { state.withLockedValue { $0.duringObserve = body } }
    /// Forgets a number. Its row has no holder any more and is never given out again.
    func erase(_ number: String) {
        state.withLockedValue { state in
            state.rows["erased \(number)"] = state.rows.removeValue(forKey: number)
        }
    }
    /// Which row a number has.
    func row(_ number: String) -> Int64? { state.withLockedValue { $0.rows[number]?.row } }
}

/// One packet as it comes in.
struct Datagram: Sendable {
    let bytes: [UInt8]
    let source: InternetAddress
    let port: UInt16
}

/// One answer.
struct Answer: Sendable {
    let bytes: [UInt8]
}

extension DatagramBatch {
    init(_ datagrams: [Datagram], socket: Int = 0) {
        self.init()
        for datagram in datagrams {
            datagram.bytes.withUnsafeBytes {
                append($0, from: datagram.source, port: datagram.port, socket: socket)
            }
        }
    }

    /// Each packet's bytes.
    var all: [[UInt8]] { envelopes.map { Array(bytes[$0.range]) } }
}

extension AccountingProcessor {
    /// Processes packets, asks the register about those that wait for it, and answers them all.
    func process(_ datagrams: [Datagram]) async -> [Answer] {
        var answers = await process(DatagramBatch(datagrams)).all
        await settleAll { answers += $0.all }
        return answers.map(Answer.init)
    }
}

/// A gateway without sockets, and the network around it.
final class Network {
    static let secret = SharedSecret("a secret of 16 b")!
    static let start: Int64 = 1_760_000_000
    static let source = InternetAddress("192.0.2.1")!

    let clock: TestClock
    let register: MemoryRegister
    let gateway: GatewayService
    private(set) var identifier: UInt8 = 0

    static var server: NetworkAccessServer {
        NetworkAccessServer(
            name: "pgw", sources: [IPPrefix("192.0.2.1")!], secret: secret, domain: "cmnet", publicDomain: "internet",
            pools: [IPPrefix("10.0.0.0/8")!, IPPrefix("2001:db8::/32")!, IPPrefix("203.0.113.0/24")!], carrier: .mobile)
    }

    static func configuration(_ servers: [NetworkAccessServer] = [server]) -> GatewayConfiguration {
        GatewayConfiguration(name: "gateway-1", networkAccessServers: servers)
    }

    init(
        _ configuration: GatewayConfiguration = configuration(), register: MemoryRegister = MemoryRegister(),
        clock: TestClock = TestClock(seconds: start), disk: any JournalDisk = SystemDisk(),
        minimumJournalSize: Int = 64 << 20, pair: PairMembership? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        self.clock = clock
        self.register = register
        gateway = try GatewayService(
            configuration: configuration, register: register, clock: clock, random: SeededRandom(seed: 1),
            logger: logger, disk: disk,
            minimumJournalSize: minimumJournalSize, pair: pair)
    }

    /// A request as most tests want it. `at` is in seconds after the network's beginning; `nil` is now.
    func request(
        _ status: AccountingStatus, _ session: String, at time: Int64? = nil, address: String? = nil,
        prefix: String? = nil,
        number: String? = nil, imsi: String? = nil, nas: String = "pgw-1"
    ) -> AccountingRequest {
        var request = AccountingRequest(status: status, sessionID: session)
        request.nasIdentifier = Array(nas.utf8)
        request.eventTimestamp = UInt32(time.map { Self.start + $0 } ?? clock.now.seconds)
        request.framedAddress = address.map { InternetAddress($0)! }
        request.framedPrefix = prefix.map { IPPrefix($0)! }
        request.callingStation = number
        request.imsi = imsi
        request.isMobile = imsi != nil
        return request
    }

    func datagram(_ request: AccountingRequest, from source: InternetAddress = Network.source) throws -> Datagram {
        identifier &+= 1
        return Datagram(
            bytes: try request.packet(identifier: identifier, secret: Self.secret), source: source, port: 40_000)
    }

    /// Sends requests as one batch; answers how many were answered.
    @discardableResult
    func send(_ requests: AccountingRequest..., from source: InternetAddress = Network.source) async throws -> Int {
        let batch = try requests.map { try datagram($0, from: source) }
        return await gateway.processor.process(batch).count
    }

    func start(
        _ session: String, at time: Int64? = nil, address: String? = "10.0.0.1", prefix: String? = nil,
        number: String = "8613800000001", imsi: String? = nil
    ) async throws {
        try await send(request(.start, session, at: time, address: address, prefix: prefix, number: number, imsi: imsi))
    }

    func sighting(
        _ address: String = "10.0.0.1", port: UInt16 = 5000, domain: String = "cmnet", claimed: String? = nil
    ) -> Result<Sighting, SightingRefusal> {
        gateway.sighting(
            from: InternetAddress(address)!, port: port, domain: domain,
            claimedLocalAddress: claimed.map { InternetAddress($0)! })
    }

    /// Returns the row of an address's holder, or the reason why there is none.
    func holder(_ address: String = "10.0.0.1", port: UInt16 = 5000, domain: String = "cmnet") -> Result<
        Int64, SightingRefusal
    > {
        sighting(address, port: port, domain: domain).map(\.subscription.subscription)
    }

}
