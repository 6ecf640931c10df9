import BenchmarkSupport

/// Redemptions of an app whose callback's receiver takes connections and never answers, beside one without a callback:
/// two servers on the same core.
struct DeadReceiver {
    enum App: String, CaseIterable {
        case plain = "no callback"
        case deaf = "the callback's receiver is dead"
    }

    /// The cost of one redemption.
    struct Measurement {
        /// Milliseconds until the app's server had its answer, with one request under way in each lane.
        var wait: Double
        /// Microseconds of the server's processor time.
        var processor: Double
    }

    private let towns: [(app: App, installation: Installation, street: Street)]
    private let phones: Int
    private let lanes: Int

    init(in scratches: [Scratch], benji: String?, core: Int, phones: Int, lanes: Int) async throws {
        var towns: [(app: App, installation: Installation, street: Street)] = []
        let receiver = try Loopback.SilentPort()
        for (kind, scratch) in zip(App.allCases, scratches) {
            let installation = try Installation(
                in: scratch.path, program: benji,
                more: "callbacks: {ports: [\(receiver.number)], allow-networks: [127.0.0.0/8]}")
            let app = try installation.createApp()
            if kind == .deaf {
                try installation.setCallback(of: app.id, to: "https://localhost:\(receiver.number)/events")
            }
            try installation.start(core: core)
            let street = try await Street(installation, app: app, phones: phones, lanes: lanes)
            for step in Street.Step.login + [.stop] { try await street.take(step) }
            towns.append((kind, installation, street))
        }
        // Attempts begin within seconds, and are under way from then on.
        let deadline = ContinuousClock.now + .seconds(20)
        while !receiver.wasCalled {
            guard ContinuousClock.now < deadline else { throw BenchmarkFailure("nobody calls the callback's receiver") }
            try await Task.sleep(for: .milliseconds(50))
        }
        self.towns = towns
        self.phones = phones
        self.lanes = lanes
    }

    func measure() async throws -> [App: Measurement] {
        var found: [App: Measurement] = [:]
        for (app, installation, street) in towns {
            for step in Street.Step.login where step != .redeem { try await street.take(step) }
            let before = (time: ContinuousClock.now, processor: try installation.processorTime)
            try await street.take(.redeem)
            let wait = (ContinuousClock.now - before.time).inSeconds * Double(lanes) / Double(phones)
            let processor = try installation.processorTime - before.processor
            found[app] = Measurement(wait: wait * 1e3, processor: processor / Double(phones) * 1e6)
            try await street.take(.stop)
        }
        return found
    }
}
