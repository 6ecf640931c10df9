import ArgumentParser
import BenchmarkSupport

/// What a durable redemption over HTTP costs, beside a server that does nothing and a database that does only this.
@main
struct RedeemBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "RedeemBenchmark",
        abstract: "Redemptions a second on one core, against nginx and against bare SQLite.",
        discussion: """
            In each round, on the same core: the whole server answers loginTokenValidate, each answer spending another token durably;
            nginx answers the same requests with as many bytes that it has in memory; our HTTP answers without a store, the store redeems
            without HTTP, and bare SQLite spends rows, one commit for as many as there are connections. The ratio is the server's rate to
            nginx's. wrk asks, from another core. No server writes access lines.

            The program next to this one is started: build both for release first, or all with `make bench`.
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "Seconds that one measurement takes.") var seconds = 4
    @Option(help: "Connections, each with one request under way.") var connections = 64
    @Option(help: "Redemptions a second that tokens are made for.") var most = 12_000
    @Option(help: "The core that is measured; the load comes from the next.") var core = 0
    @Option(help: "Folder on the disk whose durable writes count (default: the system's for temporary files).")
    var folder: String?
    @Option(help: "The benji program (default: the one beside this).") var benji: String?
    @Option(help: .hidden) var alone: Alone?

    func run() async throws {
        if let alone = self.alone {
            return try await print("rate \(alone.rate(seconds: seconds, group: connections, most: most))")
        }
        let (seconds, most, rounds) = options.smoke ? (1, 10_000, 1) : (seconds, most, options.rounds)
        let scratch = try Scratch("redeem", in: folder)
        let installation = try Installation(in: scratch.path, program: benji)
        options.note("making \(most * seconds) tokens for each of \(rounds) rounds")
        let supply = try await Supply(installation, scratch: scratch, perRound: most * seconds, rounds: rounds)
        try installation.start(core: core)
        defer { withExtendedLifetime(installation) {} }

        let load = Load(scratch: scratch, connections: connections, seconds: seconds, core: Cores.beside(core))
        let server = Contestant(url: "http://127.0.0.1:\(installation.server)/unisdk/rsapi/loginTokenValidate") {
            try installation.processorTime
        }
        let empty = Contestant(url: "http://127.0.0.1:\(installation.admin)/health/live") {
            try installation.processorTime
        }
        let nginx = try Contestant.nginx(scratch, answer: try await supply.exampleAnswer(of: server), core: core)
        func withoutHTTP(_ what: Alone) throws -> Double {
            try what.measure(scratch, seconds: seconds, group: connections, most: most, core: core)
        }

        var served: [Measurement] = []
        var fixed: [Measurement] = []
        var idle: [Measurement] = []
        let figures = try await Rounds(rounds).run(
            [
                (
                    "benji",
                    {
                        let before = try await supply.billed()
                        let measured = try load.run(
                            server, bodies: supply.bodies(round: served.count), fresh: supply.perRound)
                        let billed = try await supply.billed() - before
                        // What was under way at the end is billed, but not counted.
                        guard (measured.requests...measured.requests + connections * 2).contains(billed) else {
                            throw BenchmarkFailure("\(measured.requests) answers, but \(billed) in the ledger")
                        }
                        served.append(measured)
                        return measured.rate
                    }
                ),
                (
                    "nginx",
                    {
                        let measured = try load.run(nginx, bodies: supply.bodies(round: fixed.count))
                        fixed.append(measured)
                        return measured.rate
                    }
                ),
                (
                    "HTTP without a store",
                    {
                        let measured = try load.run(empty)
                        idle.append(measured)
                        return measured.rate
                    }
                ),
                ("the store without HTTP", { try withoutHTTP(.store) }),
                ("bare SQLite", { try withoutHTTP(.sqlite) }),
            ], progress: options.note)

        func row(_ name: String, _ values: Figures, _ unit: String, _ note: String = "") -> BenchmarkResult.Row {
            BenchmarkResult.Row(name, values, unit: unit, note: note)
        }
        let (redeemed, answered, http, stored, bare) = (figures[0], figures[1], figures[2], figures[3], figures[4])
        try options.report(
            BenchmarkResult(
                "redeem", ratioOf: "benji / nginx", ratio: redeemed.ratio(to: answered),
                rows: [
                    row("redeem over HTTP, durable", redeemed, "/s", "\(connections) connections"),
                    row("nginx, static answer of the same size", answered, "/s"),
                    row("benji's HTTP without a store", http, "/s", "/health/live"),
                    row("the store without HTTP", stored, "/s"),
                    row("bare SQLite, one update and one insert", bare, "/s", "\(connections) in a commit"),
                    row("benji / the store without HTTP", redeemed.ratio(to: stored), "×"),
                    row("benji / bare SQLite", redeemed.ratio(to: bare), "×"),
                    row("benji's HTTP without a store / nginx", http.ratio(to: answered), "×"),
                    row("processor time of a redemption", Figures(served.map(\.processor)), "µs"),
                    row("processor time of HTTP without a store", Figures(idle.map(\.processor)), "µs"),
                    row("processor time of nginx's answer", Figures(fixed.map(\.processor)), "µs"),
                    row("redeem: median latency", Figures(served.map(\.median)), "ms"),
                    row("redeem: 99 in 100 within", Figures(served.map(\.nearlyAll)), "ms"),
                ]))
    }
}
