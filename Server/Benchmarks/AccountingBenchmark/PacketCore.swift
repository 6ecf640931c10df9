import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import RADIUS

/// What a packet core says about subscribers who come and go: at every step one session starts, as many as there are
/// reports in a life go on, and one that began long before stops.
///
/// Sessions take turns at a fixed set of subscribers and addresses, so that nobody is new to the register after a
/// while, and each address has passed from hand to hand.
struct PacketCore {
    /// Interim-Updates in the life of a session.
    static let reports = 4

    /// Steps between two packets about one session. More packets than are ever under way, so that they stay in order.
    let distance: Int
    /// Sessions started so far; the newest is one less.
    private(set) var started = 0
    private var time: Int64
    private let secret: SharedSecret

    init(distance: Int, secret: SharedSecret) {
        (self.distance, self.secret) = (distance, secret)
        time = SystemWallClock().now.seconds - 300
    }

    var subscribers: Int { (Self.reports + 3) * distance }

    /// Sessions that have started and not stopped.
    var living: Range<Int> { max(0, started - (Self.reports + 1) * distance)..<started }

    /// Everything that happens in so many steps.
    mutating func life(steps: Int, sockets: Int) throws -> Packets {
        let packets = Packets(sockets: sockets)
        for step in 0..<steps {
            // A report within the same second as the one before it would say nothing new.
            if step.isMultiple(of: max(distance / 4, 1)) { try tick() }
            try packets.append(request(.start, started), secret: secret)
            for age in 1...Self.reports where started >= age * distance {
                try packets.append(request(.interimUpdate, started - age * distance), secret: secret)
            }
            started += 1
            let last = started - 1 - (Self.reports + 1) * distance
            if last >= 0 { try packets.append(request(.stop, last), secret: secret) }
        }
        return packets
    }

    /// That sessions go on, and nothing else: each living session in turn, until there are so many packets.
    mutating func reports(count: Int, sockets: Int) throws -> Packets {
        let packets = Packets(sockets: sockets)
        while packets.count < count {
            try tick()
            for session in living.prefix(count - packets.count) {
                try packets.append(request(.interimUpdate, session), secret: secret)
            }
        }
        return packets
    }

    /// A report of each living session with our clock's time. What was dated before a gateway's start, as everything above is,
    /// names nobody there.
    mutating func presentReports(sockets: Int) throws -> Packets {
        time = SystemWallClock().now.seconds
        let packets = Packets(sockets: sockets)
        for session in living { try packets.append(request(.interimUpdate, session), secret: secret) }
        return packets
    }

    /// The next second of the packet core's clock, which runs behind ours.
    private mutating func tick() throws {
        let now = SystemWallClock().now.seconds
        time = max(time + 1, now - 300)
        guard time <= now else { throw BenchmarkFailure("the packet core's clock has overtaken ours: fewer packets") }
    }

    /// The address of a session, of 127.8/16: look-ups can come from there.
    func address(of session: Int) -> InternetAddress {
        let value = 0x7f08_0001 + UInt32(session % subscribers)
        return InternetAddress(bytes: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })!
    }

    /// The number of a session's subscriber.
    func number(of session: Int) -> String { "\(13_800_000_000 + session % subscribers)" }

    private func request(_ status: AccountingStatus, _ session: Int) -> AccountingRequest {
        MobileSession(
            chargingID: 100_000_000 + session, address: address(of: session), number: number(of: session),
            imsi: "46000\(1_000_000_000 + session % subscribers)"
        ).request(status, at: time)
    }
}
