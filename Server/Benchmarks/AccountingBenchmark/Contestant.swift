import BenchmarkSupport
import RADIUS

/// A server under measurement that takes in accounting, and what has been said to it.
final class Contestant {
    enum Workload { case lives, reports }

    struct Measurement {
        /// Packets a second.
        var rate: Double
        /// Microseconds of processor time for one packet.
        var processor: Double
        /// Bytes handed to the disk for one packet.
        var written: Double
    }

    /// How packets come.
    struct Sending {
        var sockets: Int
        /// Packets that may wait for their answer.
        var window: Int
        /// See ``PacketCore``.
        var distance: Int
        /// Packets in one measurement.
        var count: Int
    }

    let name: String
    /// All of its processes, its database's included.
    let group: ProcessGroup
    let sending: Sending
    private let port: UInt16
    /// Starts it, or starts it again on what it holds; syncs are written to the folder, if there is one.
    private let start: (_ tracing: String?) throws -> Void
    private(set) var core: PacketCore
    private var sender: PacketSender?
    /// Packets that it has answered.
    private(set) var answered = 0
    /// Packets that were sent again.
    private(set) var repeated = 0

    init(
        _ name: String, _ group: ProcessGroup, port: UInt16, sending: Sending,
        start: @escaping (_ tracing: String?) throws -> Void
    ) throws {
        guard let secret = SharedSecret(Installation.secret) else { throw BenchmarkFailure("no secret") }
        (self.name, self.group, self.port, self.sending, self.start) = (name, group, port, sending, start)
        core = PacketCore(distance: max(sending.distance, sending.window * 2), secret: secret)
    }

    func begin(tracing: String? = nil) throws {
        try start(tracing)
        sender = try PacketSender(port: port, sockets: sending.sockets, window: sending.window)
    }

    /// Lets every subscriber have had a session, so that a register knows all and as many sessions live as ever will.
    func introduce() throws { try exchange(try core.life(steps: core.subscribers, sockets: sending.sockets)) }

    /// Measures it once.
    func measure(_ what: Workload) throws -> Measurement {
        let packets =
            switch what {
            case .lives: try core.life(steps: sending.count / (PacketCore.reports + 2), sockets: sending.sockets)
            case .reports: try core.reports(count: sending.count, sockets: sending.sockets)
            }
        let (processor, written) = (try group.processorTime, group.written)
        let seconds = try exchange(packets)
        let count = Double(packets.count)
        return Measurement(
            rate: count / seconds, processor: (try group.processorTime - processor) / count * 1e6,
            written: Double(group.written - written) / count)
    }

    /// Reports of sessions with our clock's time.
    func present(_ sessions: [Int]) throws {
        try exchange(try core.presentReports(of: sessions, sockets: sending.sockets))
    }

    /// Counts syncs, kills the server in the middle of a load, starts it again and looks for every session whose Start
    /// it had answered. Its processes are gone afterwards.
    /// - Parameter lost: how many of these sessions it knows nothing of.
    func durability(_ scratch: Scratch, slices: Int, lost: (_ sessions: [Int]) throws -> Int) throws -> Durability {
        let log = try SyncLog(in: scratch)
        group.kill()
        try begin(tracing: log.folder)
        let steps = max(sending.count / (PacketCore.reports + 2) / 8, 64)
        let syncs = try (0..<slices).map { _ in
            let packets = try core.life(steps: steps, sockets: sending.sockets)
            let before = log.count
            try exchange(packets)
            return Double(log.count - before) / Double(packets.count)
        }
        let (packets, sessions) = try core.starts(steps, sockets: sending.sockets)
        guard let sender else { throw BenchmarkFailure("\(name) has not been started") }
        let answered = try sender.exchange(packets, killing: group.kill).map { sessions.lowerBound + $0 }
        guard !answered.isEmpty else { throw BenchmarkFailure("\(name) answered nothing before it was killed") }
        try begin()
        let lost = try lost(answered)
        group.kill()
        return Durability(answered: answered.count, lost: lost, syncs: Figures(syncs))
    }

    @discardableResult
    private func exchange(_ packets: Packets) throws -> Double {
        guard let exchange = try sender?.exchange(packets) else { throw BenchmarkFailure("\(name) does not run") }
        repeated += exchange.repeated
        answered += packets.count
        return exchange.seconds
    }
}
