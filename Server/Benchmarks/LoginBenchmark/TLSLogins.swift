import BenchmarkSupport

/// Logins at a server that speaks TLS: as many phones for each way of using connections, at one server on the same
/// core.
struct TLSLogins {
    /// The measured uses, in the order of the rows; `nil` is the use of the SDK and an app's server.
    static let uses: [TLSTransport.Use?] = [nil] + TLSTransport.Use.allCases

    private let installation: Installation
    private let streets: [(use: TLSTransport.Use?, street: Street)]
    private let phones: Int

    init(in scratch: Scratch, benji: String?, core: Int, phones: Int, lanes: Int) async throws {
        let installation = try Installation(in: scratch.path, program: benji, speaksTLS: true)
        let app = try installation.createApp()
        try installation.start(core: core)
        self.installation = installation
        self.phones = phones
        var streets: [(use: TLSTransport.Use?, street: Street)] = []
        for use in Self.uses {
            let street = try await Street(installation, app: app, phones: phones, lanes: lanes, use: use)
            // Everybody once: then there are connections to keep, and sessions to resume.
            for step in Street.Step.login + [.stop] { try await street.take(step) }
            streets.append((use, street))
        }
        self.streets = streets
    }

    /// Microseconds of processor time of the server for a login, for each of ``uses``.
    func measure() async throws -> [(use: TLSTransport.Use?, time: Double)] {
        var times: [(use: TLSTransport.Use?, time: Double)] = []
        for (use, street) in streets {
            let before = (time: try installation.processorTime, count: street.count)
            for step in Street.Step.login { try await street.take(step) }
            times.append((use, (try installation.processorTime - before.time) / Double(phones) * 1e6))
            try await street.take(.stop)
            if let use { try Self.check(use, from: before.count, to: street.count) }
        }
        return times
    }

    /// The name of a use in a row.
    static func name(_ use: TLSTransport.Use?) -> String { use?.rawValue ?? "as the SDK connects" }

    /// Connections are what the row says that they are.
    private static func check(_ use: TLSTransport.Use, from before: TLSTransport.Count, to after: TLSTransport.Count)
        throws
    {
        let requests = after.requests - before.requests
        let (connected, resumed) = (after.connected - before.connected, after.resumed - before.resumed)
        let expected =
            switch use {
            case .new: (requests, 0)
            case .resumed: (requests, requests)
            case .kept: (0, 0)
            }
        guard requests > 0, (connected, resumed) == expected else {
            throw BenchmarkFailure(
                "\(use.rawValue): of \(requests) requests \(connected) connected, \(resumed) of them resumed a session")
        }
    }
}
