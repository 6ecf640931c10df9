import ArgumentParser
import BenchmarkSupport

/// The cost of a durable redemption over HTTP, against a server that does nothing and a database that does only this.
@main
struct RedeemBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "RedeemBenchmark",
        abstract: "Redemptions a second on one core, against nginx and against bare SQLite.",
        discussion: """
            In each round, on the same core: the whole server answers loginTokenValidate, each answer spending another \
            token durably;
            nginx answers the same requests with as many bytes that it has in memory; our HTTP answers without a \
            store, the store redeems
            without HTTP, and bare SQLite spends rows, one commit for as many as there are connections. The ratio is \
            the server's rate to
            nginx's. wrk asks, from another core. Benji logs a line for each
            request, as it is shipped; nginx writes no access lines.

            Peers do the same work: nginx with Lua and Redis, a PostgreSQL function called by pgbench, glewlwyd's code \
            for a token.
            After the rounds each is started again under strace, which counts its syncs, killed in the middle of a \
            load, started
            again, and asked a second time for every code that it had answered. Who accepts one is not durable, and \
            has no ratio.

            The program next to this one is started: build both for release first, or all with `make bench`.
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "Seconds that one measurement takes.") var seconds = 4
    @Option(help: "Connections, each with one request under way.") var connections = 64
    @Option(help: "Redemptions a second that tokens are made for.") var most = 20_000
    @Option(help: "The core that is measured; the load comes from the next.") var core = 0
    @Option(help: "Folder on the disk whose durable writes count (default: the system's for temporary files).")
    var folder: String?
    @Option(help: "The benji program (default: the one beside this).") var benji: String?
    @Option(help: "Peers beside nginx, separated by commas.") var peers = Peers()
    @Flag(help: "Redis keeps nothing on the disk, to show that this is noticed.") var careless = false
    @Option(help: .hidden) var alone: Alone?

    func run() async throws {
        if let alone = self.alone {
            return try await print("rate \(alone.rate(seconds: seconds, group: connections, most: most))")
        }
        let (seconds, most, rounds) = options.smoke ? (1, 10_000, 1) : (seconds, most, options.rounds)
        let slices = options.smoke ? 1 : 3
        // Multiples of 64: pgbench's clients ask equally often.
        let codes = options.smoke ? (slice: 192, kill: 512) : (slice: 3_200, kill: 6_400)
        let scratch = try Scratch("redeem", in: folder)
        let installation = try Installation(in: scratch.path, program: benji)
        options.note("making \(most * seconds) tokens for each of \(rounds) rounds")
        let supply = try await Supply(
            installation, scratch: scratch, perRound: most * seconds, rounds: rounds,
            more: codes.slice * slices + codes.kill + 2)
        let (core, beside) = (core, Cores.beside(core))
        try installation.start(core: core)

        let load = Load(scratch: scratch, connections: connections, seconds: seconds, core: beside)
        let path = "/unisdk/rsapi/loginTokenValidate"
        let url = "http://127.0.0.1:\(installation.server)\(path)"
        let scale = ProcessGroup()
        let nginx = try Nginx("nginx-static", scratch, core: core)
        try nginx.startStatic(in: scale, answer: try await supply.exampleAnswer(of: url))
        let witness = Witness(
            port: installation.server, path: path, marker: "msisdn", connections: connections, core: beside)
        let benji = Contestant.overHTTP(
            "benji", installation.group, witness, start: { try installation.start(core: core, tracing: $0) },
            take: supply.take, body: supply.body, codes: codes,
            round: { round in
                let before = try await supply.billed()
                let measured = try load.run(
                    url, installation.group, bodies: supply.bodies(round: round), fresh: supply.perRound)
                let billed = try await supply.billed() - before
                // Redemptions under way at the end are billed, but not counted.
                guard (measured.requests...measured.requests + connections * 2).contains(billed) else {
                    throw BenchmarkFailure("\(measured.requests) answers, but \(billed) in the ledger")
                }
                return measured
            })
        let peers = try peers.list.map { peer in
            options.note("starting \(peer.rawValue)")
            switch peer {
            case .redis:
                let redis = try RedisPeer(scratch, core: core, isCareless: careless)
                    .contestant(load, perRound: 48_000 * seconds, codes: codes)
                try redis.start(nil)
                return redis
            case .postgresql:
                return try PostgresPeer(scratch, core: core, load: load)
                    .contestant(perRound: codes.slice * 8, codes: (codes.slice, codes.kill * 8))
            case .glewlwyd:
                return try Glewlwyd(scratch, core: core).contestant(
                    load, perRound: options.smoke ? 16 : 64, codes: options.smoke ? (8, 16) : (16, 64))
            }
        }
        defer { for group in [benji.group, scale] + peers.map(\.group) { group.kill() } }

        func withoutHTTP(_ what: Alone) throws -> Double {
            try what.measure(scratch, seconds: seconds, group: connections, most: most, core: core)
        }
        var measured: [String: [Measurement]] = [:]
        func rate(_ name: String, _ measure: @escaping (Int) async throws -> Measurement) -> Rounds.Contestant {
            (
                name,
                {
                    let measurement = try await measure(measured[name]?.count ?? 0)
                    measured[name, default: []].append(measurement)
                    return measurement.rate
                }
            )
        }
        let figures = try await Rounds(rounds).run(
            [
                rate("benji", benji.round),
                rate("nginx") {
                    try load.run("http://127.0.0.1:\(nginx.port)/", scale, bodies: supply.bodies(round: $0))
                },
                rate("HTTP without a store") { _ in
                    try load.run("http://127.0.0.1:\(installation.admin)/health/live", installation.group)
                },
                ("the store without HTTP", { try withoutHTTP(.store) }),
                ("bare SQLite", { try withoutHTTP(.sqlite) }),
            ] + peers.map { rate($0.name, $0.round) }, progress: options.note)
        var durability: [String: Durability] = [:]
        for contestant in [benji] + peers {
            options.note("killing \(contestant.name) in the middle of a load")
            durability[contestant.name] = try contestant.durability(scratch, slices: slices)
        }
        if let fault = durability["benji"]?.fault { throw BenchmarkFailure("benji is not durable: \(fault)") }

        try options.report(
            result(figures, measured, durability, peers: peers.map(\.name)))
    }
}
