import BenchmarkSupport
import BenjiProtocol
import Glibc
import RADIUS

/// A packet core whose subscribers begin and end their sessions all at once, as fast as they are answered.
struct Subscribers {
    private let count: Int
    private let sender: PacketSender
    private let secret: SharedSecret
    private var sessions = 0
    private var time: Int64 = 0

    private static let sockets = 4

    init(count: Int, port: UInt16) throws {
        guard let secret = SharedSecret(Installation.secret) else { throw BenchmarkFailure("no secret") }
        (self.count, self.secret) = (count, secret)
        sender = try PacketSender(port: port, sockets: Self.sockets, window: 512)
    }

    static func number(_ index: Int) -> Int { 13_800_000_000 + index }

    /// One of 127.8/16: phones can call from there.
    static func address(_ index: Int) throws -> InternetAddress {
        guard index < 62_500, let address = InternetAddress("127.8.\(1 + index / 250).\(1 + index % 250)") else {
            throw BenchmarkFailure("too many phones")
        }
        return address
    }

    /// Every subscriber begins a session, or ends it.
    /// - Returns: seconds until all were answered.
    mutating func say(_ status: AccountingStatus) throws -> Double {
        if status == .start { sessions += 1 }
        // Each report of a session is dated at least a second after the one before.
        time = max(time + 1, SystemWallClock().now.seconds)
        let packets = Packets(sockets: Self.sockets)
        for index in 0..<count {
            let session = MobileSession(
                chargingID: 100_000_000 * sessions + index, address: try Self.address(index),
                number: "\(Self.number(index))", imsi: "46000\(1_000_000_000 + index)")
            try packets.append(session.request(status, at: time), secret: secret)
        }
        return try sender.exchange(packets).seconds
    }
}
