import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Glibc
import RADIUS

/// A packet core's accounting of subscribers who come and go. At every step one session starts, one that began long
/// before stops, and as many go on as there are reports in a life.
///
/// Sessions take turns at a fixed set of subscribers and addresses. So after a while the register knows every
/// subscriber, and each address has passed from hand to hand.
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
            // A report within the same second as the one before it would change nothing.
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

    /// `count` Interim-Updates of the living sessions, each session in turn.
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

    /// A report of each living session with our clock's time. The packets above are dated before a gateway's start, so
    /// they identify no subscriber there.
    mutating func presentReports(sockets: Int) throws -> Packets {
        try presentReports(of: Array(living), sockets: sockets)
    }

    /// The same of some sessions.
    mutating func presentReports(of sessions: [Int], sockets: Int) throws -> Packets {
        time = SystemWallClock().now.seconds
        let packets = Packets(sockets: sockets)
        for session in sessions { try packets.append(request(.interimUpdate, session), secret: secret) }
        return packets
    }

    /// Starts of so many new sessions with our clock's time, at unassigned addresses: at most `2 * distance`.
    mutating func starts(_ count: Int, sockets: Int) throws -> (packets: Packets, sessions: Range<Int>) {
        time = SystemWallClock().now.seconds
        let packets = Packets(sockets: sockets)
        let sessions = started..<(started + min(count, 2 * distance))
        for session in sessions { try packets.append(request(.start, session), secret: secret) }
        started = sessions.upperBound
        return (packets, sessions)
    }

    /// The next second of the packet core's clock, which runs behind ours.
    private mutating func tick() throws {
        let now = SystemWallClock().now.seconds
        time = max(time + 1, now - 300)
        guard time <= now + 10 else {
            throw BenchmarkFailure("the packet core's clock has overtaken ours: fewer packets")
        }
        // After a report of the present second there is little left. Packets are made before the clock of a measurement
        // runs.
        while time > SystemWallClock().now.seconds { usleep(10_000) }
    }

    /// The address of a session, of 127.8/16: look-ups can come from there.
    func address(of session: Int) -> InternetAddress {
        let value = 0x7f08_0001 + UInt32(session % subscribers)
        return InternetAddress(bytes: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })!
    }

    /// The Acct-Session-Id.
    func name(of session: Int) -> String { mobile(session).sessionID }

    /// The number of a session's subscriber.
    func number(of session: Int) -> String { "\(13_800_000_000 + session % subscribers)" }

    private func request(_ status: AccountingStatus, _ session: Int) -> AccountingRequest {
        mobile(session).request(status, at: time)
    }

    private func mobile(_ session: Int) -> MobileSession {
        MobileSession(
            chargingID: 100_000_000 + session, address: address(of: session), number: number(of: session),
            imsi: "46000\(1_000_000_000 + session % subscribers)")
    }
}
