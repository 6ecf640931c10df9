import BenchmarkSupport
import BenjiClient
@_spi(Server) import BenjiProtocol
import BenjiTransportCurl
import RADIUS
import Sandbox

/// Both servers on one core, and what has been said to them.
final class Contest {
    enum Contestant { case benji, freeRADIUS }
    enum Workload { case lives, reports }

    struct Measurement {
        /// Packets a second.
        var rate: Double
        /// Microseconds of processor time for one packet.
        var processor: Double
    }

    private let scratch: Scratch
    private let installation: Installation
    private let app: (id: String, key: String, serverSecret: String)
    private let freeRADIUS: FreeRADIUS
    private let senders: [Contestant: PacketSender]
    private let sockets: Int
    private var cores: [Contestant: PacketCore]
    private var answered = 0
    /// Packets that were sent again.
    private(set) var repeated = 0

    init(
        in scratch: Scratch, benji: String?, core: Int, sockets: Int, window: Int, workers: Int, distance: Int
    ) throws {
        guard let secret = SharedSecret(Installation.secret) else { throw BenchmarkFailure("no secret") }
        (self.scratch, self.sockets) = (scratch, sockets)
        installation = try Installation(in: scratch.path, program: benji)
        app = try installation.createApp()
        try installation.start(core: core)
        freeRADIUS = try FreeRADIUS(in: scratch, secret: Installation.secret, core: core, threads: workers)
        senders = [
            .benji: try PacketSender(port: installation.accounting, sockets: sockets, window: window),
            .freeRADIUS: try PacketSender(port: freeRADIUS.port, sockets: sockets, window: window),
        ]
        let core = PacketCore(distance: max(distance, window * 2), secret: secret)
        cores = [.benji: core, .freeRADIUS: core]
    }

    deinit { freeRADIUS.stop() }

    var subscribers: Int { cores[.benji]!.subscribers }

    /// Lets every subscriber have had a session, so that the register knows all and as many sessions live as ever will.
    func introduce() throws {
        for who in [Contestant.benji, .freeRADIUS] {
            try exchange(who, try cores[who]!.life(steps: subscribers, sockets: sockets))
        }
    }

    /// Measures one contestant with `count` packets.
    func measure(_ who: Contestant, _ what: Workload, count: Int) throws -> Measurement {
        let packets =
            switch what {
            case .lives: try cores[who]!.life(steps: count / (PacketCore.reports + 2), sockets: sockets)
            case .reports: try cores[who]!.reports(count: count, sockets: sockets)
            }
        let before = try processor(who)
        let seconds = try exchange(who, packets)
        let used = try processor(who) - before
        return Measurement(rate: Double(packets.count) / seconds, processor: used / Double(packets.count) * 1e6)
    }

    @discardableResult
    private func exchange(_ who: Contestant, _ packets: Packets) throws -> Double {
        let exchange = try senders[who]!.exchange(packets)
        repeated += exchange.repeated
        if who == .benji { answered += packets.count }
        return exchange.seconds
    }

    private func processor(_ who: Contestant) throws -> Double {
        try who == .benji ? installation.processorTime : freeRADIUS.processorTime
    }

    /// Asks the server what it holds: by its counters, and as phones at random addresses.
    func checkDirectory() async throws {
        try exchange(.benji, try cores[.benji]!.presentReports(sockets: sockets))
        let core = cores[.benji]!
        let total = try installation.metric("benji_gateway_accounting_packets_total", #"result="answered""#)
        guard Int(total) == answered else {
            throw BenchmarkFailure("\(answered) packets have answers, but the server counts \(Int(total))")
        }
        let sessions = Int(try installation.metric("benji_gateway_sessions"))
        guard sessions == core.living.count else {
            throw BenchmarkFailure("\(core.living.count) sessions live, but the server holds \(sessions)")
        }
        for session in (0..<10).compactMap({ _ in core.living.randomElement() }) {
            let number = core.number(of: session)
            let seen = try await maskedNumber(at: core.address(of: session))
            guard seen == "\(number.prefix(3))****\(number.suffix(4))" else {
                throw BenchmarkFailure("the phone at a living session's address is \(seen ?? "nobody")")
            }
        }
        // The one that stopped last: its address has not been given to anybody since.
        guard try await maskedNumber(at: core.address(of: core.living.lowerBound - 1)) == nil else {
            throw BenchmarkFailure("the phone at an ended session's address is somebody")
        }
    }

    /// Whose phone the server believes to be at an address; `nil` for nobody's.
    private func maskedNumber(at address: InternetAddress) async throws -> String? {
        guard let id = AppID(rawValue: app.id) else { throw BenchmarkFailure("no app") }
        let script = DeviceScript(
            server: try ServerURL(installation.deviceURL),
            transport: CurlTransport(.init(egress: .sourceAddress(address))))
        do {
            return try await script.prefetch(appID: id, appKey: app.key, bundleID: Installation.bundle).maskedNumber
        } catch let failure as DeviceFailure where failure.situation == .addressUnknown {
            return nil
        }
    }
}
