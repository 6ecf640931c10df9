import BenchmarkSupport
import BenjiClient
@_spi(Server) import BenjiProtocol
import BenjiTransportCurl
import RADIUS
import Sandbox

/// Benji as a contestant, and what must be true of its directory.
final class BenjiGateway {
    let contestant: Contestant
    private let installation: Installation
    private let app: (id: String, key: String, serverSecret: String)

    init(in scratch: Scratch, benji: String?, core: Int, sending: Contestant.Sending) throws {
        let installation = try Installation(in: scratch.path, program: benji)
        self.installation = installation
        app = try installation.createApp()
        contestant = try Contestant("benji", installation.group, port: installation.accounting, sending: sending) {
            try installation.start(core: core, tracing: $0)
        }
        try contestant.begin()
    }

    private var sessions: Int { get throws { Int(try installation.metric("benji_gateway_sessions")) } }

    /// How many of these sessions the directory did not hold: a report of a session that it does not know adds one.
    func lost(_ sessions: [Int]) throws -> Int {
        // An older one: the server counts again when it takes something in.
        try contestant.present([contestant.core.living.lowerBound])
        let before = try self.sessions
        try contestant.present(sessions)
        return try self.sessions - before
    }

    /// Asks the server what it holds: by its counters, and as phones at random addresses.
    func checkDirectory() async throws {
        try contestant.present(Array(contestant.core.living))
        let core = contestant.core
        let total = Int(try installation.metric("benji_gateway_accounting_packets_total", #"result="answered""#))
        guard total == contestant.answered else {
            throw BenchmarkFailure("\(contestant.answered) packets have answers, but the server counts \(total)")
        }
        guard try sessions == core.living.count else {
            throw BenchmarkFailure("\(core.living.count) sessions live, but the server holds \(try sessions)")
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

    /// Returns the number that the server has for an address; `nil` if it has none.
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
